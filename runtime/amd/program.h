#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/object/code_object.h"
#include "isa/object/image.h"
#include "runtime/program.h"

namespace mockgpu::runtime::amd {

class Device;

/// A kernel in device memory: what a launch needs beside the vendor-neutral part.
struct LoadedKernel : Kernel {
  const Device* device = nullptr;
  const isa::object::Kernel* object = nullptr;
  std::uint64_t descriptor = 0;       ///< device address of the kernel descriptor
  std::uint64_t entry = 0;            ///< device address of the first instruction
  std::uint32_t arguments_bytes = 0;  ///< of the whole argument block, with hidden arguments
  std::uint64_t serial = 0;           ///< differs for all kernels that a device ever loads
  std::string unsupported;            ///< why it cannot be launched; empty when it can
};

/// An AMDGPU code object in device memory.
class Program final : public runtime::Program {
 public:
  /// Uploads the code object. Throws Error(bad_file) for relocations that cannot be applied.
  Program(Device& device, isa::object::CodeObject object);
  ~Program() override;
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  const isa::object::CodeObject& object() const { return object_; }

  /// The code object's address of a device address, which must be in the program.
  std::uint64_t linked(std::uint64_t address) const {
    return address - code_.address + extent_.first_address;
  }
  std::optional<std::string> locate(std::uint64_t address) const override;

 private:
  LoadedKernel make_kernel(const isa::object::Kernel& kernel) const;

  Device* device_;
  isa::object::CodeObject object_;
  isa::object::ImageExtent extent_;
  Buffer code_;
  std::vector<LoadedKernel> loaded_;
};

}  // namespace mockgpu::runtime::amd
