#pragma once
#include <map>
#include <string>
#include <string_view>

#include "isa/amd/asm/scanner.h"
#include "isa/amd/target.h"
#include "isa/object/kernel_descriptor.h"

namespace mockgpu::isa::amd {

/// What decides about a kernel's directives and their usual values.
struct KernelSetting {
  const Target* target = nullptr;
  bool wave64 = false;
  bool xnack = false;  ///< the target id has xnack on, or leaves it open
};

/// An `.amdhsa_kernel` block: its directives become a kernel descriptor (LLVM AMDGPU usage guide, "Code
/// Object V3 and Above", amdhsa kernel directives).
class KernelDirectives {
 public:
  KernelDirectives(const KernelSetting& setting, std::string kernel);

  const std::string& kernel() const { return kernel_; }

  /// Takes `.amdhsa_...` with its value. Throws a Mismatch for directives that the target lacks, values that
  /// are out of range and directives that stand there twice. `column` is the directive's, `value_column` its
  /// value's.
  void set(std::string_view directive, std::int64_t value, std::size_t column, std::size_t value_column);

  /// The descriptor but for the entry offset. Throws a Mismatch if a directive is missing, or does not agree
  /// with another.
  object::KernelDescriptor finish();

 private:
  std::int64_t value(std::string_view directive, std::int64_t otherwise) const;
  std::uint32_t vgpr_field() const;
  std::uint32_t sgpr_field() const;
  std::uint32_t user_sgprs(std::uint32_t properties) const;
  void check_vgprs(std::uint32_t field) const;

  KernelSetting setting_;
  const Target& target_;
  std::string kernel_;
  std::map<std::string, std::int64_t, std::less<>> values_;
};

}  // namespace mockgpu::isa::amd
