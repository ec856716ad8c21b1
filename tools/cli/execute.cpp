#include "tools/cli/execute.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>

#include "isa/base/error.h"
#include "runtime/platform.h"
#include "tools/cli/assembly.h"
#include "tools/cli/session.h"

namespace mockgpu::tools {
namespace {

/// A buffer argument on its way through the launch.
struct BufferState {
  runtime::Buffer device;
  std::vector<std::byte> before, after;
};

const runtime::Kernel& choose_kernel(const runtime::Program& program, const LaunchCase& launch_case) {
  if (!launch_case.kernel.empty()) return program.kernel(launch_case.kernel);
  if (program.kernels().size() == 1) return *program.kernels()[0];
  std::string names;
  for (const runtime::Kernel* kernel : program.kernels()) names += fmt::format(" {}", kernel->name);
  throw Error(Tag::bad_usage,
              fmt::format("{} has {} kernels; choose one with --kernel", launch_case.code_object,
                          program.kernels().size()),
              {{"has", names.empty() ? names : names.substr(1)}});
}

std::string describe(const runtime::KernelArgument& argument) {
  const char* kind = "value";
  if (argument.kind == runtime::KernelArgument::Kind::pointer) kind = "pointer";
  if (argument.kind == runtime::KernelArgument::Kind::local) kind = "local memory";
  if (argument.kind == runtime::KernelArgument::Kind::image) kind = "image";
  std::string text = fmt::format("{} of {} bytes", kind, argument.size);
  if (!argument.type_name.empty()) text += ", " + argument.type_name;
  if (!argument.name.empty()) text += ' ' + argument.name;
  return text;
}

/// Checks the given arguments against the kernel's before anything is allocated.
void check_arguments(const runtime::Kernel& kernel, const LaunchCase& launch_case) {
  std::string problem;
  if (kernel.arguments.size() != launch_case.arguments.size()) {
    problem = fmt::format("kernel {} takes {} arguments, {} were given", kernel.name, kernel.arguments.size(),
                          launch_case.arguments.size());
  }
  for (std::size_t i = 0; i < launch_case.arguments.size() && problem.empty(); ++i) {
    using Kind = runtime::KernelArgument::Kind;
    const ArgumentText& given = launch_case.arguments[i];
    const runtime::KernelArgument& wanted = kernel.arguments[i];
    bool good = wanted.kind != Kind::image;
    switch (given.kind) {
      case ArgumentText::Kind::buffer:
        good = good && (wanted.kind == Kind::pointer || given.count * type_size(given.type) == wanted.size) &&
               wanted.kind != Kind::local;
        break;
      case ArgumentText::Kind::scalar: good = good && type_size(given.type) == wanted.size; break;
      case ArgumentText::Kind::local: good = good && wanted.kind == Kind::local; break;
    }
    if (!good) {
      problem = fmt::format("argument {} of kernel {} is a {}; got {}", i, kernel.name, describe(wanted),
                            given.text);
    }
  }
  if (problem.empty()) return;
  Error error(Tag::bad_usage, problem);
  for (std::size_t i = 0; i < kernel.arguments.size(); ++i) {
    error.add(fmt::format("[{}]", i), describe(kernel.arguments[i]));
  }
  throw error;
}

/// The elements that `slice` names; throws when there are none such.
std::pair<std::size_t, std::size_t> resolve(const Slice& slice, const LaunchCase& launch_case,
                                            const char* what) {
  if (slice.argument >= launch_case.arguments.size() ||
      launch_case.arguments[slice.argument].kind != ArgumentText::Kind::buffer) {
    throw Error(Tag::bad_usage, fmt::format("{}: argument {} is no buffer", what, slice.argument));
  }
  const std::size_t size = launch_case.arguments[slice.argument].count;
  const std::size_t count = slice.count.value_or(size - std::min(size, slice.first));
  if (slice.first >= size || count > size - slice.first) {
    throw Error(Tag::bad_usage, fmt::format("{}: argument {} has {} elements, not {}", what, slice.argument,
                                            size, slice.first + count));
  }
  return {slice.first, count};
}

void check_slices(const LaunchCase& launch_case) {
  for (const Slice& slice : launch_case.shows) resolve(slice, launch_case, "show");
  for (const Output& output : launch_case.outputs) resolve(output.slice, launch_case, "out");
  for (const Expectation& expectation : launch_case.expectations)
    resolve(expectation.slice, launch_case, "expect");
}

std::string list(ElementType type, std::span<const std::byte> bytes, std::size_t first, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) {
    if (i) text += ' ';
    text += format_element(type, read_element(type, bytes, first + i));
  }
  return text;
}

void print_slice(const Slice& slice, const LaunchCase& launch_case, const BufferState& buffer) {
  const auto [begin, count] = resolve(slice, launch_case, "show");
  const ArgumentText& argument = launch_case.arguments[slice.argument];
  constexpr std::size_t kPerLine = 8;
  for (std::size_t i = 0; i < count; i += kPerLine) {
    fmt::print("  [{}]{:>8}: {}\n", slice.argument, begin + i,
               list(argument.type, buffer.after, begin + i, std::min(kPerLine, count - i)));
  }
}

bool matches(ElementType type, Number value, Number wanted, double tolerance) {
  if (std::isnan(value) || std::isnan(wanted)) return std::isnan(value) && std::isnan(wanted);
  if (value == wanted)
    return !is_float(type) || value != 0 || std::signbit(value) == std::signbit(wanted) || tolerance > 0;
  return tolerance > 0 && std::fabs(value - wanted) <= tolerance * std::max<Number>(1, std::fabs(wanted));
}

/// Checks one expectation and prints that it holds.
void check(const Expectation& expectation, const LaunchCase& launch_case, const BufferState& buffer) {
  const auto [begin, count] = resolve(expectation.slice, launch_case, "expect");
  const ArgumentText& argument = launch_case.arguments[expectation.slice.argument];
  const std::vector<std::byte> wanted =
      make_values(argument.type, count, expectation.description, launch_case.folder);
  const double tolerance = expectation.tolerance.value_or(launch_case.tolerance);
  std::size_t wrong = 0, first_wrong = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (matches(argument.type, read_element(argument.type, buffer.after, begin + i),
                read_element(argument.type, wanted, i), tolerance)) {
      continue;
    }
    if (wrong++ == 0) first_wrong = i;
  }
  const std::string description = expectation.description.size() > 60
                                      ? expectation.description.substr(0, 57) + "..."
                                      : expectation.description;
  if (wrong) {
    const std::size_t shown = std::min<std::size_t>(8, count - first_wrong);
    throw Error(Tag::failed,
                fmt::format("argument {} is not {}: {} of {} values differ, the first is element {}",
                            expectation.slice.argument, description, wrong, count, begin + first_wrong),
                {{"got", list(argument.type, buffer.after, begin + first_wrong, shown)},
                 {"want", list(argument.type, wanted, first_wrong, shown)}});
  }
  fmt::print("  [{}] {} values as expected: {}\n", expectation.slice.argument, count, description);
}

/// One line for each buffer that the kernel changed.
void summarise(const LaunchCase& launch_case, const std::vector<BufferState>& buffers) {
  bool any = false;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const ArgumentText& argument = launch_case.arguments[i];
    if (argument.kind != ArgumentText::Kind::buffer || buffers[i].before == buffers[i].after) continue;
    any = true;
    const std::size_t size = type_size(argument.type);
    std::size_t changed = 0, first = 0;
    for (std::size_t e = 0; e < argument.count; ++e) {
      if (std::memcmp(&buffers[i].before[e * size], &buffers[i].after[e * size], size) == 0) continue;
      if (changed++ == 0) first = e;
    }
    const std::size_t shown = std::min<std::size_t>(8, argument.count - first);
    fmt::print("  [{}] {}[{}]: {} elements changed; from element {}: {}{}\n", i, type_name(argument.type),
               argument.count, changed, first, list(argument.type, buffers[i].after, first, shown),
               first + shown < argument.count ? " ..." : "");
  }
  if (!any) fmt::print("  no buffer changed\n");
}

/// Fills buffers and packs the argument block.
runtime::Arguments prepare(runtime::Device& device, const runtime::Kernel& kernel,
                           const LaunchCase& launch_case, std::vector<BufferState>& buffers,
                           runtime::LaunchShape& shape) {
  runtime::Arguments arguments(kernel);
  for (std::size_t i = 0; i < launch_case.arguments.size(); ++i) {
    const ArgumentText& given = launch_case.arguments[i];
    const runtime::KernelArgument& wanted = kernel.arguments[i];
    if (given.kind == ArgumentText::Kind::local) {
      const std::uint64_t offset =
          (std::uint64_t{kernel.group_bytes} + shape.dynamic_group_bytes + 15) & ~15u;
      if (offset + given.count > device.info().group_bytes) {
        throw Error(
            Tag::bad_usage,
            fmt::format("{}: a workgroup of {} has {} bytes of local memory, kernel {} uses {}", given.text,
                        device.info().target, device.info().group_bytes, kernel.name, kernel.group_bytes));
      }
      shape.dynamic_group_bytes = static_cast<std::uint32_t>(offset + given.count - kernel.group_bytes);
      arguments.add_bytes(std::as_bytes(std::span(&offset, 1)).first(wanted.size));
      continue;
    }
    const std::vector<std::byte> values =
        make_values(given.type, given.count, given.description, launch_case.folder);
    if (given.kind == ArgumentText::Kind::scalar || wanted.kind == runtime::KernelArgument::Kind::value) {
      arguments.add_bytes(values);
      continue;
    }
    buffers[i].before = values;
    buffers[i].device = device.allocate(values.size());
    device.copy_in(buffers[i].device.address, values);
    arguments.add(buffers[i].device);
  }
  return arguments;
}

/// Lets the machine name code of `program` as long as this lives.
class NamedCode {
 public:
  NamedCode(Session& session, const runtime::Program& program, const CodeFile& file) : session_(session) {
    session_.name_code([&program, &file](std::uint64_t pc) {
      std::string name = program.locate(pc).value_or(std::string());
      const auto line = file.lines.find(name);
      return line == file.lines.end() ? name : fmt::format("{} ({})", name, line->second);
    });
  }
  ~NamedCode() { session_.name_code(nullptr); }
  NamedCode(const NamedCode&) = delete;
  NamedCode& operator=(const NamedCode&) = delete;

 private:
  Session& session_;
};

void launch(const LaunchCase& launch_case, Session& session, unsigned device_index) {
  const CodeFile file = read_code(launch_case.code_object);
  const std::unique_ptr<runtime::Device> device = runtime::open_device(session.io(), device_index);
  std::unique_ptr<runtime::Program> program;
  try {
    program = device->load_program(file.bytes);
  } catch (const Error& error) {
    // A file for something else is a wrong file, not a finding.
    const Tag tag = error.tag() == Tag::unsupported ? Tag::bad_file : error.tag();
    throw Error(tag, error.message(), error.facts()).add("in", launch_case.code_object);
  }
  const NamedCode named(session, *program, file);
  const runtime::Kernel& kernel = choose_kernel(*program, launch_case);
  check_arguments(kernel, launch_case);
  check_slices(launch_case);

  std::vector<BufferState> buffers(launch_case.arguments.size());
  runtime::LaunchShape shape;
  shape.grid = launch_case.grid;
  shape.group = launch_case.block;
  shape.timed = true;
  const runtime::Arguments arguments = prepare(*device, kernel, launch_case, buffers, shape);
  device->launch(kernel, shape, arguments.bytes());
  device->synchronize();
  for (BufferState& buffer : buffers) {
    if (!buffer.device.size) continue;
    buffer.after.resize(buffer.before.size());
    device->copy_out(buffer.after, buffer.device.address);
  }

  const auto groups = [](std::uint32_t items, std::uint32_t size) {
    return (std::uint64_t{items} + size - 1) / size;
  };
  const std::uint64_t total = groups(shape.grid.x, shape.group.x) * groups(shape.grid.y, shape.group.y) *
                              groups(shape.grid.z, shape.group.z);
  fmt::print("{}{} on {}: {} {} of {}", launch_case.name.empty() ? "" : launch_case.name + ": ", kernel.name,
             device->info().target, total, total == 1 ? "workgroup" : "workgroups",
             std::uint64_t{shape.group.x} * shape.group.y * shape.group.z);
  if (const auto time = device->kernel_time()) {
    fmt::print(", {:.1f} us", static_cast<double>(time->end_ns - time->start_ns) / 1000);
  }
  fmt::print("\n");
  for (const Slice& slice : launch_case.shows) print_slice(slice, launch_case, buffers[slice.argument]);
  for (const Output& output : launch_case.outputs) {
    const auto [begin, count] = resolve(output.slice, launch_case, "out");
    const std::size_t size = type_size(launch_case.arguments[output.slice.argument].type);
    write_file(output.path,
               std::span(buffers[output.slice.argument].after).subspan(begin * size, count * size));
  }
  for (const Expectation& expectation : launch_case.expectations) {
    check(expectation, launch_case, buffers[expectation.slice.argument]);
  }
  if (launch_case.shows.empty() && launch_case.expectations.empty()) summarise(launch_case, buffers);
}

}  // namespace

void execute(const LaunchCase& launch_case, const std::string& machine, unsigned device, const Watch& watch) {
  Session session(machine);
  if (watch.observer) session.observe(*watch.observer);
  if (watch.calls) session.trace_calls(watch.calls);
  try {
    session.watch([&] { launch(launch_case, session, device); });
  } catch (const Error& error) {
    if (error.tag() != launch_case.expected_error) throw;
    fmt::print("{}: ended as expected: error[{}]: {}\n", launch_case.name, tag_name(error.tag()),
               error.message());
    return;
  }
  if (launch_case.expected_error) {
    throw Error(Tag::failed, fmt::format("expected error[{}], but the launch succeeded",
                                         tag_name(*launch_case.expected_error)));
  }
}

}  // namespace mockgpu::tools
