#include "runtime/program.h"

#include <fmt/format.h>

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

Arguments& Arguments::add_bytes(std::span<const std::byte> bytes) {
  if (next_ >= kernel_->arguments.size()) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} arguments, got more", kernel_->name,
                                            kernel_->arguments.size()));
  }
  const KernelArgument& argument = kernel_->arguments[next_];
  if (bytes.size() != argument.size) {
    throw Error(Tag::bad_usage,
                fmt::format("{} of kernel \"{}\" has {} bytes, got {}", argument_name(*kernel_, next_),
                            kernel_->name, argument.size, bytes.size()));
  }
  std::memcpy(block_.data() + argument.offset, bytes.data(), bytes.size());
  ++next_;
  return *this;
}

std::span<const std::byte> Arguments::bytes() const {
  if (next_ != kernel_->arguments.size()) {
    throw Error(Tag::bad_usage, fmt::format("kernel \"{}\" takes {} arguments, got {}", kernel_->name,
                                            kernel_->arguments.size(), next_));
  }
  return block_;
}

}  // namespace mockgpu::runtime
