#pragma once
// A launch without files, queues or drivers: code and memory of the test, one Engine.
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

#include "emu/amd/wave/launch.h"

namespace mockgpu::emu::amd {

/// Memory of a test: GPU address = host address.
class TestMemory {
 public:
  template <class T>
  std::span<T> add(std::size_t count, std::uint8_t rights, const char* name) {
    const std::size_t bytes = (count * sizeof(T) + 4095) / 4096 * 4096;
    blocks_.emplace_back(static_cast<std::byte*>(std::aligned_alloc(4096, bytes)), &std::free);
    std::byte* at = blocks_.back().get();
    std::memset(at, 0, bytes);
    const auto address = reinterpret_cast<std::uint64_t>(at);
    space.map({address, address + bytes, at, rights, static_cast<std::uint32_t>(blocks_.size()), name});
    return {reinterpret_cast<T*>(at), count};
  }

  AddressSpace space;

 private:
  std::vector<std::unique_ptr<std::byte, decltype(&std::free)>> blocks_;
};

/// A program with one buffer whose address is in s[0:1]; workgroup ids follow in s2 (and s3 with
/// `second_id`).
struct TestLaunch {
  explicit TestLaunch(std::span<const std::uint32_t> words, std::size_t out_words = 4096) {
    code = memory.add<std::uint32_t>(words.size() + 64, kRead | kExecute, "code");
    std::memcpy(code.data(), words.data(), words.size_bytes());
    out = memory.add<std::uint32_t>(out_words, kRead | kWrite, "out");
    launch.target = isa::amd::find_target("gfx1100");
    launch.entry = reinterpret_cast<std::uint64_t>(code.data());
    launch.group_size = {32, 1, 1};
    launch.end_group = {1, 1, 1};
    launch.rsrc1 = 1 | 0xf0 << 12;             // 16 VGPRs, denormals kept
    launch.rsrc2 = 2 << 1 | 1 << 7 | 8 << 15;  // two user SGPRs, workgroup id x, 4 KiB of LDS
    const auto address = reinterpret_cast<std::uint64_t>(out.data());
    launch.user_data[0] = static_cast<std::uint32_t>(address);
    launch.user_data[1] = static_cast<std::uint32_t>(address >> 32);
  }

  Outcome run(const Engine::Options& options = {}) { return run_launch(launch, memory.space, options); }

  TestMemory memory;
  std::span<std::uint32_t> code;
  std::span<std::uint32_t> out;
  Launch launch;
};

}  // namespace mockgpu::emu::amd
