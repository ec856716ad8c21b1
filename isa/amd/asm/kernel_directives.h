#pragma once
#include <map>
#include <string>
#include <string_view>

#include "isa/amd/asm/scanner.h"
#include "isa/amd/target.h"
#include "isa/object/kernel_descriptor.h"

namespace mockgpu::isa::amd {

/// An `.amdhsa_kernel` block: its directives become a kernel descriptor (LLVM AMDGPU usage guide, "Code
/// Object V3 and Above", amdhsa kernel directives).
class KernelDirectives {
 public:
  KernelDirectives(const Target& target, bool wave64, std::string kernel);

  const std::string& kernel() const { return kernel_; }

  /// Takes `.amdhsa_...` with its value. Throws a Mismatch for directives that the target lacks, values that
  /// are out of range and directives that stand there twice. `column` is the directive's, `value_column` its
  /// value's.
  void set(std::string_view directive, std::int64_t value, std::size_t column, std::size_t value_column);

  /// The descriptor but for the entry offset. Throws a Mismatch if a directive is missing.
  object::KernelDescriptor finish();

 private:
  std::int64_t value(std::string_view directive, std::int64_t otherwise) const;
  std::uint32_t vgpr_field(std::int64_t count) const;
  std::uint32_t sgpr_field() const;

  const Target& target_;
  bool wave64_;
  std::string kernel_;
  std::map<std::string, std::int64_t, std::less<>> values_;
};

}  // namespace mockgpu::isa::amd
