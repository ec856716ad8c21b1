#include "runtime/program.h"

#include <fmt/format.h>

#include <algorithm>

#include "isa/base/error.h"

namespace mockgpu::runtime {
namespace {

std::string argument_name(const Kernel& kernel, std::size_t index) {
  const std::string& name = kernel.arguments[index].name;
  return name.empty() ? fmt::format("argument {}", index) : fmt::format("argument {} (\"{}\")", index, name);
}

}  // namespace

const Kernel& Program::kernel(std::string_view name) const {
  for (const Kernel* kernel : kernels_) {
    if (kernel->name == name) return *kernel;
  }
  std::string there;
  for (const Kernel* kernel : kernels_) {
    if (!there.empty()) there += ", ";
    there += kernel->name;
  }
  throw Error(Tag::bad_usage, fmt::format("no kernel called \"{}\" in the program", name),
              {{"has", there.empty() ? "no kernels" : there}});
}

Arguments::Arguments(const Kernel& kernel) : kernel_(&kernel), block_(kernel.explicit_bytes) {}

const KernelArgument& Arguments::next_argument(std::size_t size) {
  if (next_ >= kernel_->arguments.size()) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} arguments, got more", kernel_->name,
                                            kernel_->arguments.size()));
  }
  const KernelArgument& argument = kernel_->arguments[next_];
  if (size != argument.size) {
    throw Error(Tag::bad_usage,
                fmt::format("{} of kernel \"{}\" has {} bytes, got {}", argument_name(*kernel_, next_),
                            kernel_->name, argument.size, size));
  }
  ++next_;
  return argument;
}

Arguments& Arguments::add_bytes(std::span<const std::byte> bytes) {
  std::memcpy(block_.data() + next_argument(bytes.size()).offset, bytes.data(), bytes.size());
  return *this;
}

Arguments& Arguments::add(const Value& value) {
  const std::size_t wanted = next_ < kernel_->arguments.size() ? kernel_->arguments[next_].size : 0;
  const KernelArgument& argument = next_argument(std::min(wanted, sizeof(std::uint64_t)));
  if (value.is_fixed()) {
    const std::uint64_t number = value.number();
    std::memcpy(block_.data() + argument.offset, &number,
                argument.size);  // little-endian, as all of our hosts
  } else {
    symbols_.push_back({argument.offset, argument.size, value});
  }
  return *this;
}

std::span<const std::byte> Arguments::recorded_bytes() const {
  if (next_ != kernel_->arguments.size()) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} arguments, got {}", kernel_->name,
                                            kernel_->arguments.size(), next_));
  }
  return block_;
}

std::span<const std::byte> Arguments::bytes() const {
  if (!symbols_.empty()) {
    throw Error(Tag::bad_usage,
                fmt::format("arguments of kernel \"{}\" are variables: only recorded launches "
                            "have them",
                            kernel_->name));
  }
  return recorded_bytes();
}

}  // namespace mockgpu::runtime
