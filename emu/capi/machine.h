#pragma once
#include <memory>
#include <string>
#include <vector>

#include "emu/amd/wave/launch.h"
#include "emu/capi/mockgpu.h"
#include "emu/memory/host_pages.h"
#include "isa/object/code_object.h"
#include "isa/object/image.h"

namespace mockgpu::capi {

/// Host memory of our own that kernels use; page-aligned, zero, touched lazily.
class Pages {
 public:
  Pages() = default;
  explicit Pages(std::size_t bytes);  ///< throws Error(out_of_memory)
  ~Pages();
  Pages(Pages&& other) noexcept;
  Pages& operator=(Pages&& other) noexcept;
  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }
  std::uint64_t address() const { return reinterpret_cast<std::uint64_t>(data_); }

 private:
  std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace mockgpu::capi

/// A loaded code object.
struct mockgpu_object {
  mockgpu::isa::object::CodeObject code;
  mockgpu::isa::object::ImageExtent extent;
  mockgpu::capi::Pages memory;

  std::uint64_t address(std::uint64_t linked) const {
    return linked - extent.first_address + memory.address();
  }
};

struct mockgpu_machine {
  const mockgpu::isa::amd::Target* target = nullptr;
  mockgpu::emu::HostPages pages{true};
  bool host_memory = false;
  std::unique_ptr<mockgpu::emu::AddressSpace> space;
  std::unique_ptr<mockgpu::emu::amd::Engine> engine;
  std::vector<std::unique_ptr<mockgpu_object>> objects;
  mockgpu::capi::Pages scratch;    ///< mapped as one range; grows
  mockgpu::capi::Pages arguments;  ///< of the launch in progress, likewise
  std::uint32_t allocations = 0;   ///< ranges mapped so far, for messages
  std::string message;

  /// Maps host memory at its own address. Throws Error(bad_usage) when the range is empty, wraps or overlaps.
  void map(std::uint64_t address, std::uint64_t bytes, unsigned rights, std::string name);
  /// Makes `pages` at least `bytes` large and mapped.
  void grow(mockgpu::capi::Pages& pages, std::size_t bytes, const char* name);
};

namespace mockgpu::capi {

/// Parses a code object and loads it.
mockgpu_object& load(mockgpu_machine& machine, const void* bytes, std::uint64_t size);

/// What a launch of the C interface is for the engine.
struct PreparedLaunch {
  emu::amd::Launch launch;
  std::uint64_t waves = 0;  ///< of the whole launch
};

/// Checks a launch and builds the engine's. Throws Error(bad_usage), Error(bad_packet), Error(unsupported).
PreparedLaunch prepare(mockgpu_machine& machine, const mockgpu_launch& launch);

/// Gives waves their initial registers and keeps the final ones.
class Recorder final : public emu::amd::WaveHook {
 public:
  /// Throws Error(bad_usage) for registers that do not exist.
  Recorder(const mockgpu_launch& launch, const PreparedLaunch& prepared);
  void wave_begins(emu::amd::WaveRegisters& wave) override;
  void wave_stops(const emu::amd::WaveRegisters& wave, bool ended) override;

 private:
  std::uint64_t number(const emu::WaveId& id) const;

  const mockgpu_launch& launch_;
  std::uint64_t groups_x_, groups_y_, waves_per_group_;
};

}  // namespace mockgpu::capi
