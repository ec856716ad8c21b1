#pragma once
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "isa/amd/commands/kfd.h"
#include "isa/amd/commands/pm4.h"
#include "isa/amd/commands/sdma.h"
#include "runtime/io/file_io.h"

namespace mockgpu::runtime {

/// The smallest machine that the runtime's KFD client can talk to: it records every ioctl, gives plain memory
/// for everything, and its doorbells run the few packets that store or copy something. Addresses are host
/// addresses.
class FakeGpu final : public FileIo, public MmioHook {
 public:
  struct Call {
    std::uint32_t request = 0;
    std::vector<std::byte> in;
    template <typename Args>
    Args as() const {
      Args args{};
      std::memcpy(&args, in.data(), std::min(in.size(), sizeof args));
      return args;
    }
  };

  FakeGpu();

  std::map<std::string, std::string> files;  ///< sysfs: path -> text
  std::vector<Call> calls;                   ///< every ioctl
  std::vector<std::uint64_t> mappings;       ///< every mmap offset
  std::uint64_t vram_left = std::uint64_t{64} << 30;
  std::uint32_t minor_version = 17;
  bool run_queues = true;  ///< false: doorbells do nothing
  bool refuse_event_page = false;
  isa::amd::kfd::EventData fault{};  ///< what WAIT_EVENTS says of the memory and the exception event
  isa::amd::kfd::EventData exception{};
  std::vector<std::vector<std::uint32_t>>
      dispatches;                             ///< register writes (offset, value...) and packet of each
  std::vector<std::uint32_t> indirect_calls;  ///< words of each call of an indirect buffer
  std::vector<std::uint64_t> call_ends;       ///< where in the copy ring each of them ended, words
  std::vector<std::vector<std::uint32_t>> mapped_gpus;  ///< of each MAP_MEMORY_TO_GPU
  unsigned relaxed = 0;

  /// How often a request was made.
  std::size_t count(std::uint32_t request) const;

  std::unique_ptr<File> open(const std::string& path, int flags) override;
  std::unique_ptr<File> adopt(int) override { return nullptr; }
  std::unique_ptr<File> eventfd(unsigned, int) override { return nullptr; }
  void* reserve(std::size_t size) override { return anon_mmap(size); }
  void* anon_mmap(std::size_t size) override;
  int munmap(void* address, std::size_t size) override;
  bool exists(const std::string& path) override { return files.count(path) != 0; }
  std::optional<std::string> readlink(const std::string&) override { return std::nullopt; }
  std::optional<std::vector<std::string>> list(const std::string& path) override;
  bool relax() override {
    ++relaxed;
    return false;
  }
  void written(std::size_t offset, unsigned size, std::uint64_t value) override;

  int ioctl(std::uint32_t request, void* argument);
  std::byte* doorbells() { return reinterpret_cast<std::byte*>(doorbell_words_); }

 private:
  struct RingQueue {
    isa::amd::kfd::CreateQueueArgs args{};
    std::uint64_t done = 0;  // words
  };
  std::size_t run_compute(const std::uint32_t* words);
  std::size_t run_copy(const std::uint32_t* words);

  std::vector<RingQueue> queues_;
  alignas(8) std::uint64_t doorbell_words_[0x400] = {};
  std::uint64_t next_handle_ = 1;
  std::uint32_t next_event_ = 1;
  std::map<void*, std::size_t> memory_;
  std::vector<std::uint32_t> registers_;
};

}  // namespace mockgpu::runtime
