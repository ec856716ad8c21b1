// `mockgpu asm --hex --listing`: a disassembly back to its bytes.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <istream>
#include <iterator>
#include <map>
#include <optional>
#include <string>

#include "isa/amd/asm/diagnostic.h"
#include "isa/amd/asm/parsed.h"
#include "isa/amd/decode_bits.h"
#include "isa/amd/disassemble.h"
#include "tools/cli/assembly.h"
#include "tools/cli/command.h"

namespace mockgpu::tools {
namespace {

using isa::amd::Target;
using Bytes = std::vector<std::byte>;

/// `\ts_add_u32 s4, s4, 60   // 000000001638: 8004FF04 0000003C <reduce+0x40>`
struct ListedLine {
  std::string_view text;
  std::uint64_t address = 0;
  Bytes bytes;
};

/// Takes a hexadecimal number from the front of `text`.
bool take_hex(std::string_view& text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return true;
}

std::optional<ListedLine> listed_line(std::string_view line) {
  const std::size_t comment = line.rfind("// ");
  if (comment == std::string_view::npos) return std::nullopt;
  ListedLine listed;
  listed.text = line.substr(0, comment);
  std::string_view rest = line.substr(comment + 3);
  if (!take_hex(rest, listed.address) || !rest.starts_with(':')) return std::nullopt;
  rest.remove_prefix(1);
  std::uint64_t word = 0;
  while (rest.starts_with(' ')) {
    rest.remove_prefix(1);
    if (!take_hex(rest, word)) break;
    for (unsigned i = 0; i < 4; ++i) listed.bytes.push_back(static_cast<std::byte>(word >> 8 * i));
  }
  if (listed.bytes.empty()) return std::nullopt;
  return listed;
}

/// The functions of a listing. In an instruction their names stand for the distance of a branch to them.
class ListedLabels final : public isa::amd::SymbolScope {
 public:
  /// `0000000000001600 <vecadd>:`
  void take(std::string_view line) {
    std::uint64_t address = 0;
    if (!take_hex(line, address) || !line.starts_with(" <") || !line.ends_with(">:")) return;
    addresses_.emplace(line.substr(2, line.size() - 4), address);
  }
  void go_to(std::uint64_t address) { here_ = address; }

  bool find(std::string_view name, isa::amd::Value& value) const override {
    const auto found = addresses_.find(std::string(name));
    if (found == addresses_.end()) return false;
    value = {static_cast<std::int64_t>(found->second - here_ - 4) / 4};
    return true;
  }
  isa::amd::Value here() const override { return {}; }
  bool looks_ahead() const override { return false; }
  std::string numeric_label(std::uint64_t, bool) const override { return {}; }

 private:
  std::map<std::string, std::uint64_t> addresses_;
  std::uint64_t here_ = 0;
};

/// Makes a literal an inline constant if one stands for its value.
void shorten(isa::amd::Operand& operand) {
  std::uint64_t value = 0;
  for (std::uint16_t selector = 128; operand.is_literal && selector <= 248; ++selector) {
    if (!isa::amd::inline_constant(selector, operand.format, operand.bits, value) || value != operand.value)
      continue;
    operand.index = selector;
    operand.is_literal = false;
  }
}

std::string text_of(const Target& target, bool wave64, const Bytes& bytes, bool is_short = false) {
  isa::amd::Instruction instruction;
  if (!isa::amd::decode(target, bytes, wave64, instruction) || instruction.size != bytes.size())
    return "no instruction";
  for (isa::amd::Operand& operand : instruction.operands)
    if (is_short) shorten(operand);
  return isa::amd::disassemble(target, instruction, wave64);
}

std::string without_spaces(std::string_view text) {
  std::string result;
  std::copy_if(text.begin(), text.end(), std::back_inserter(result),
               [](char c) { return c != ' ' && c != '\t'; });
  return result;
}

/// Whether the listed bytes print as their text, or are the instruction of `made` with a literal where none
/// is needed, or with modifiers that the listing leaves out.
bool is_of_text(const Target& target, bool wave64, const ListedLine& listed, const Bytes& made) {
  if (without_spaces(text_of(target, wave64, listed.bytes)) == without_spaces(listed.text)) return true;
  const std::string ours = text_of(target, wave64, made, true),
                    theirs = text_of(target, wave64, listed.bytes, true);
  return theirs.starts_with(ours) && (theirs.size() == ours.size() || theirs[ours.size()] == ' ');
}

std::string hex(const Bytes& bytes) {
  std::string text;
  for (const std::byte byte : bytes) text += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return text;
}

}  // namespace

int assemble_listing(const Target& target, bool wave64, std::istream& input) {
  std::vector<std::string> lines;
  ListedLabels labels;
  for (std::string line; std::getline(input, line);) {
    labels.take(line);
    lines.push_back(std::move(line));
  }
  int code = kSuccess;
  const auto fails = [&](const Error& error) {
    fmt::print("<error>\n");
    print_error(error);
    code = kWrongUse;
  };
  for (std::size_t number = 1; number <= lines.size(); ++number) {
    const std::string& line = lines[number - 1];
    const std::optional<ListedLine> listed = listed_line(line);
    if (!listed) continue;
    labels.go_to(listed->address);
    try {
      const Bytes made = isa::amd::parse_instruction(target, wave64, listed->text, labels).bytes;
      if (made == listed->bytes || is_of_text(target, wave64, *listed, made)) {
        fmt::print("{}\n", hex(listed->bytes));
      } else {
        fails(Error(Tag::bad_file,
                    fmt::format("line {}: the bytes {} are {}, but the text gives {}", number,
                                hex(listed->bytes), text_of(target, wave64, listed->bytes), hex(made))));
      }
    } catch (const isa::amd::Mismatch& mismatch) {
      fails(to_error(isa::amd::diagnose(mismatch, "", number, listed->text)));
    }
  }
  return code;
}

}  // namespace mockgpu::tools
