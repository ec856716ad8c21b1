#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "isa/amd/commands/ioctl.h"
#include "isa/amd/commands/kfd_args.h"

/// The constants of /dev/kfd's ioctls (structs: kfd_args.h), and a table that prints any of them. Source:
/// Linux uapi kfd_ioctl.h (version 1.17).
namespace mockgpu::isa::amd::kfd {

/// What clients older than 1.17 pass to CREATE_QUEUE.
inline constexpr std::size_t kCreateQueueOldSize = 88;

enum QueueType : std::uint32_t {
  kQueueTypeCompute = 0,  ///< PM4
  kQueueTypeSdma = 1,
  kQueueTypeComputeAql = 2,
  kQueueTypeSdmaXgmi = 3,
  kQueueTypeSdmaByEngineId = 4,
};
inline constexpr std::uint32_t kMaxQueuePercentage = 100;
inline constexpr std::uint32_t kMaxQueuePriority = 15;

enum EventType : std::uint32_t {
  kEventSignal = 0,
  kEventNodeChange = 1,
  kEventDeviceStateChange = 2,
  kEventHwException = 3,
  kEventSystemEvent = 4,
  kEventDebugEvent = 5,
  kEventProfileEvent = 6,
  kEventQueueEvent = 7,
  kEventMemory = 8,
};

enum WaitResult : std::uint32_t { kWaitComplete = 0, kWaitTimeout = 1, kWaitFail = 2 };

/// `flags` of ALLOC_MEMORY_OF_GPU.
enum AllocFlag : std::uint32_t {
  kAllocVram = 1u << 0,
  kAllocGtt = 1u << 1,
  kAllocUserptr = 1u << 2,
  kAllocDoorbell = 1u << 3,
  kAllocMmioRemap = 1u << 4,
  kAllocContiguous = 1u << 23,
  kAllocExtCoherent = 1u << 24,
  kAllocUncached = 1u << 25,
  kAllocCoherent = 1u << 26,
  kAllocAqlQueueMem = 1u << 27,
  kAllocNoSubstitute = 1u << 28,
  kAllocPublic = 1u << 29,
  kAllocExecutable = 1u << 30,
  kAllocWritable = 1u << 31,
};

/// Kind of a kfd mmap offset, in bits [63:62]; the GPU id is in [61:46].
enum class MmapType : std::uint8_t { mmio = 0, reserved_memory = 1, events = 2, doorbell = 3 };
inline constexpr unsigned kMmapTypeShift = 62;
inline constexpr unsigned kMmapGpuIdShift = 46;
constexpr std::uint64_t mmap_offset(MmapType type, std::uint32_t gpu_id) {
  return std::uint64_t{static_cast<std::uint8_t>(type)} << kMmapTypeShift | std::uint64_t{gpu_id}
                                                                                << kMmapGpuIdShift;
}
/// Bytes of a process' doorbell mapping, and of its event page (4096 slots of 8 bytes).
inline constexpr std::size_t kDoorbellBytes = 0x2000;
inline constexpr std::size_t kEventPageBytes = 0x8000;
inline constexpr std::uint32_t kSignalEventLimit = 4096;

/// All ioctls of the table, in the order of their numbers.
std::span<const IoctlInfo> ioctls();

/// The ioctl with the type and number of `request` (its size may differ), or null.
const IoctlInfo* find_ioctl(std::uint32_t request);

/// The fields of DBG_TRAP's union for an operation; empty when the operation is unknown or has none.
std::span<const FieldInfo> dbg_trap_fields(std::uint32_t op);

/// An ioctl of /dev/kfd as `format_call` prints it; SVM's attributes and DBG_TRAP's union print by name too.
/// With `follow`, device ids and events behind pointers of this process are printed as well.
std::string format_ioctl(std::uint32_t request, std::span<const std::byte> before,
                         std::span<const std::byte> after, bool follow);

}  // namespace mockgpu::isa::amd::kfd
