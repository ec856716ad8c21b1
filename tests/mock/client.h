#pragma once
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "emu/machine.h"
#include "isa/amd/commands/kfd.h"

namespace mockgpu::test {

namespace kfd = isa::amd::kfd;

constexpr std::uint32_t kGtt = 0xf6000002, kHiddenGtt = 0xd6000002, kVram = 0xd0000001,
                        kVisibleVram = 0xf0000001;

/// One allocation of a Client.
struct Memory {
  std::uint64_t va = 0;
  std::uint64_t size = 0;
  std::uint64_t handle = 0;
  runtime::Mapping mapping;

  std::uint32_t* words() const { return reinterpret_cast<std::uint32_t*>(mapping.data); }
};

struct UserQueue {
  std::uint32_t id = 0;
  Memory ring, pointers;
  runtime::Mmio doorbell;
  std::uint64_t put = 0;
  bool sdma = false;

  /// Appends words and rings: PM4 pointers count words, SDMA ones bytes.
  void submit(const std::vector<std::uint32_t>& words) {
    const std::size_t ring_words = ring.size / 4;
    for (const std::uint32_t word : words) {
      __atomic_store_n(&ring.words()[put % ring_words], word, __ATOMIC_RELAXED);
      ++put;
    }
    runtime::Mmio(pointers.mapping).write64(0x38, sdma ? put * 4 : put);
    doorbell.write64(0, sdma ? put * 4 : put);
  }
  std::uint64_t read_pointer() const { return runtime::Mmio(pointers.mapping).read64(0x80); }
};

/// A KFD client as bare as possible: what the runtime does at start-up, one call at a time.
class Client {
 public:
  explicit Client(const std::string& spec = ";mode=inline;log=off")
      : opened_(emu::open_machine(spec)), machine(*opened_.machine) {
    kfd_file = machine.open("/dev/kfd", O_RDWR);
    render_file = machine.open("/dev/dri/renderD128", O_RDWR);
    gpu_id = static_cast<std::uint32_t>(
        std::stoul(*machine.read_text("/sys/devices/virtual/kfd/kfd/topology/nodes/1/gpu_id")));
  }

  /// 0, or the errno.
  template <typename Args>
  int call(std::uint32_t request, Args& args) {
    errno = 0;
    return kfd_file->ioctl(request, &args) == 0 ? 0 : errno;
  }

  int acquire() {
    kfd::AcquireVmArgs args{static_cast<std::uint32_t>(render_file->number()), gpu_id};
    return call(kfd::kAcquireVm, args);
  }

  Memory allocate(std::uint64_t size, std::uint32_t flags = kGtt) {
    Memory memory;
    memory.size = size;
    void* place = machine.reserve(size);
    memory.va = reinterpret_cast<std::uint64_t>(place);
    places_.all.emplace_back(place, size);
    kfd::AllocMemoryOfGpuArgs alloc{};
    alloc.va_addr = memory.va;
    alloc.size = size;
    alloc.gpu_id = gpu_id;
    alloc.flags = flags;
    EXPECT_EQ(call(kfd::kAllocMemoryOfGpu, alloc), 0);
    memory.handle = alloc.handle;
    if (flags & kfd::kAllocPublic) {
      memory.mapping = render_file->mmap(place, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED,
                                         static_cast<off_t>(alloc.mmap_offset));
      EXPECT_EQ(memory.mapping.data, place);
    }
    EXPECT_EQ(map(memory), 0);
    return memory;
  }

  int map(const Memory& memory) {
    kfd::MapMemoryToGpuArgs map{memory.handle, reinterpret_cast<std::uint64_t>(&gpu_id), 1, 0};
    return call(kfd::kMapMemoryToGpu, map);
  }
  int unmap(const Memory& memory) {
    kfd::UnmapMemoryFromGpuArgs unmap{memory.handle, reinterpret_cast<std::uint64_t>(&gpu_id), 1, 0};
    return call(kfd::kUnmapMemoryFromGpu, unmap);
  }
  int free(const Memory& memory) {
    kfd::FreeMemoryOfGpuArgs free{memory.handle};
    return call(kfd::kFreeMemoryOfGpu, free);
  }

  /// Arguments of CREATE_QUEUE that the driver accepts (sizes: facts, amd_commands chapter 8).
  kfd::CreateQueueArgs queue_args(UserQueue& queue, bool sdma, std::uint64_t ring_bytes = 0x10000) {
    queue.sdma = sdma;
    queue.ring = allocate(ring_bytes);
    queue.pointers = allocate(0x1000);
    kfd::CreateQueueArgs args{};
    args.ring_base_address = queue.ring.va;
    args.ring_size = static_cast<std::uint32_t>(ring_bytes);
    args.write_pointer_address = queue.pointers.va + 0x38;
    args.read_pointer_address = queue.pointers.va + 0x80;
    args.gpu_id = gpu_id;
    args.queue_type = sdma ? kfd::kQueueTypeSdma : kfd::kQueueTypeCompute;
    args.queue_percentage = 100;
    args.queue_priority = 7;
    if (!sdma) {
      args.eop_buffer_address = allocate(0x1000, kVram).va;
      args.eop_buffer_size = 0x1000;
      args.ctx_save_restore_address = allocate(0x2c02000, kVram).va;
      args.ctx_save_restore_size = 0x2bea000;
      args.ctl_stack_size = 0xa000;
    }
    return args;
  }

  UserQueue create_queue(bool sdma, std::uint64_t ring_bytes = 0x10000) {
    UserQueue queue;
    kfd::CreateQueueArgs args = queue_args(queue, sdma, ring_bytes);
    EXPECT_EQ(call(kfd::kCreateQueue, args), 0);
    queue.id = args.queue_id;
    const std::uint64_t page = args.doorbell_offset & ~std::uint64_t{0x1fff};
    const runtime::Mapping doorbells =
        kfd_file->mmap(nullptr, 0x2000, PROT_READ | PROT_WRITE, MAP_SHARED, static_cast<off_t>(page));
    EXPECT_TRUE(doorbells);
    places_.all.emplace_back(doorbells.data, 0x2000);
    queue.doorbell = runtime::Mmio(doorbells).view(args.doorbell_offset & 0x1fff, 8);
    return queue;
  }

  /// Hands over an event page and gives its memory.
  Memory event_page() {
    const Memory page = allocate(kfd::kEventPageBytes, kGtt);
    kfd::CreateEventArgs args{};
    args.event_page_offset = page.handle;
    EXPECT_EQ(call(kfd::kCreateEvent, args), 0);
    return page;
  }

  std::uint32_t create_event(std::uint32_t type, bool auto_reset) {
    kfd::CreateEventArgs args{};
    args.event_type = type;
    args.auto_reset = auto_reset;
    EXPECT_EQ(call(kfd::kCreateEvent, args), 0);
    return args.event_id;
  }

  struct Wait {
    int error = 0;
    std::uint32_t result = 0;
    std::vector<kfd::EventData> events;
  };
  Wait wait(const std::vector<std::uint32_t>& ids, std::uint32_t timeout_ms, bool all = false) {
    Wait wait;
    for (const std::uint32_t id : ids) {
      kfd::EventData data{};
      data.event_id = id;
      wait.events.push_back(data);
    }
    kfd::WaitEventsArgs args{};
    args.events_ptr = reinterpret_cast<std::uint64_t>(wait.events.data());
    args.num_events = static_cast<std::uint32_t>(ids.size());
    args.wait_for_all = all;
    args.timeout = timeout_ms;
    wait.error = call(kfd::kWaitEvents, args);
    wait.result = args.wait_result;
    return wait;
  }

  /// Waits until a word has a value; false after five seconds.
  bool reaches(const Memory& memory, std::size_t offset, std::uint32_t value);

 private:
  /// What was reserved, given back when the machine is gone.
  struct Places {
    std::vector<std::pair<void*, std::size_t>> all;
    ~Places() {
      for (const auto& [data, size] : all) ::munmap(data, size);
    }
  } places_;
  emu::OpenedMachine opened_;

 public:
  emu::Machine& machine;
  std::unique_ptr<runtime::File> kfd_file, render_file;
  std::uint32_t gpu_id = 0;
};

/// Words of the packets that tests submit.
inline std::uint32_t low(std::uint64_t value) { return static_cast<std::uint32_t>(value); }
inline std::uint32_t high(std::uint64_t value) { return static_cast<std::uint32_t>(value >> 32); }

/// WAIT_REG_MEM: memory, >=.
inline std::vector<std::uint32_t> pm4_wait(std::uint64_t address, std::uint32_t value) {
  return {0xc0053c00, 0x15, low(address), high(address), value, 0xffffffff, 4};
}
/// RELEASE_MEM: end of pipe, 32-bit data, no interrupt.
inline std::vector<std::uint32_t> pm4_signal(std::uint64_t address, std::uint32_t value) {
  return {0xc0064900, 0x70f514, 0x20000000, low(address), high(address), value, 0, 0};
}
/// The same with an interrupt after the write, and its context.
inline std::vector<std::uint32_t> pm4_interrupt(std::uint64_t address, std::uint32_t value,
                                                std::uint32_t context) {
  return {0xc0064900, 0x514, 0x22000000, low(address), high(address), value, 0, context};
}
inline std::vector<std::uint32_t> sdma_wait(std::uint64_t address, std::uint32_t value) {
  return {0xd0000008, low(address), high(address), value, 0xffffffff, 0x0fff0004};
}
inline std::vector<std::uint32_t> sdma_fence(std::uint64_t address, std::uint32_t value) {
  return {0x00030005, low(address), high(address), value};
}
inline std::vector<std::uint32_t> sdma_copy(std::uint64_t to, std::uint64_t from, std::uint32_t bytes) {
  return {0x1, bytes - 1, 0, low(from), high(from), low(to), high(to)};
}

}  // namespace mockgpu::test
