#include "tools/cli/launch_case.h"

#include <fmt/format.h>

#include <charconv>

namespace mockgpu::tools {
namespace {

template <typename Integer>
bool parse_integer(std::string_view text, Integer& value) {
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  return code == std::errc() && end == text.data() + text.size();
}

/// Splits `text` at the first `=`; `form` is what it should look like.
std::pair<std::string_view, std::string_view> split_assignment(std::string_view text, std::string_view form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string_view::npos || equals + 1 == text.size()) {
    bad_usage(fmt::format("\"{}\": expected {}", text, form));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

}  // namespace

runtime::Dim3 parse_dim3(std::string_view text, std::string_view what) {
  std::uint32_t extents[3] = {1, 1, 1};
  std::string_view rest = text;
  bool more = true, good = true;
  for (unsigned axis = 0; more && good; ++axis) {
    const std::size_t comma = rest.find(',');
    more = comma != std::string_view::npos;
    good = axis < 3 && parse_integer(rest.substr(0, comma), extents[axis]) && extents[axis] > 0;
    if (more) rest.remove_prefix(comma + 1);
  }
  if (!good)
    bad_usage(fmt::format("{} \"{}\": expected one to three numbers above 0, as in 64,64", what, text));
  return {extents[0], extents[1], extents[2]};
}

runtime::Dim3 grid_of_groups(const runtime::Dim3& groups, const runtime::Dim3& block) {
  const auto product = [](std::uint32_t a, std::uint32_t b) {
    const std::uint64_t items = std::uint64_t{a} * b;
    if (items > 0xffffffffu) bad_usage(fmt::format("{} workgroups of {} work-items are too many", a, b));
    return static_cast<std::uint32_t>(items);
  };
  return {product(groups.x, block.x), product(groups.y, block.y), product(groups.z, block.z)};
}

ArgumentText parse_argument(std::string_view text) {
  const auto [left, right] = split_assignment(text, "TYPE[COUNT]=VALUES, TYPE=VALUE or local=BYTES");
  ArgumentText argument;
  argument.text = text;
  argument.description = right;
  if (left == "local") {
    argument.kind = ArgumentText::Kind::local;
    if (!parse_integer(right, argument.count)) {
      bad_usage(fmt::format("\"{}\": \"{}\" is no number of bytes", text, right));
    }
    return argument;
  }
  const std::size_t bracket = left.find('[');
  argument.type = parse_type(left.substr(0, bracket));
  if (bracket == std::string_view::npos) return argument;
  argument.kind = ArgumentText::Kind::buffer;
  const std::string_view count = left.substr(bracket + 1);
  constexpr std::size_t kMost = std::size_t{1} << 40;
  if (count.empty() || count.back() != ']' ||
      !parse_integer(count.substr(0, count.size() - 1), argument.count) || argument.count == 0 ||
      argument.count > kMost) {
    bad_usage(fmt::format("\"{}\": \"{}\" is no element count; expected a form like f32[1024]", text, left));
  }
  return argument;
}

Slice parse_slice(std::string_view text) {
  Slice slice;
  const std::size_t colon = text.find(':');
  bool good = parse_integer(text.substr(0, colon), slice.argument);
  if (good && colon != std::string_view::npos) {
    const std::string_view range = text.substr(colon + 1);
    const std::size_t dots = range.find("..");
    std::size_t last = 0;
    if (dots == std::string_view::npos) {
      good = parse_integer(range, last);
    } else {
      good = parse_integer(range.substr(0, dots), slice.first) && parse_integer(range.substr(dots + 2), last);
    }
    good = good && last > slice.first;
    slice.count = last - slice.first;
  }
  if (!good) {
    bad_usage(fmt::format(
        "\"{}\": expected the number of an argument, from 0, and a range: 2, 2:16 or 2:8..24", text));
  }
  return slice;
}

Expectation parse_expectation(std::string_view text) {
  const auto [left, right] =
      split_assignment(text, "ARGUMENT[:RANGE]=VALUES, as in 2=iota*2 or 2:0..3=1,2,3");
  return {parse_slice(left), std::string(right), {}};
}

Output parse_output(std::string_view text) {
  const auto [left, right] = split_assignment(text, "ARGUMENT[:RANGE]=FILE, as in 2=out.bin");
  return {parse_slice(left), std::string(right)};
}

Tag parse_tag(std::string_view text) {
  std::string names;
  for (unsigned i = 0; i <= static_cast<unsigned>(Tag::failed); ++i) {
    const Tag tag = static_cast<Tag>(i);
    if (tag_name(tag) == text) return tag;
    names += fmt::format(" {}", tag_name(tag));
  }
  bad_usage(fmt::format("\"{}\" is no tag of errors; there are{}", text, names));
}

double checked_tolerance(double tolerance) {
  if (!(tolerance >= 0)) bad_usage(fmt::format("tolerance {}: expected a number of 0 or more", tolerance));
  return tolerance;
}

}  // namespace mockgpu::tools
