#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/amd/commands/field.h"

/// AQL packets and the in-memory structures around them. Packets are 64 bytes; the 16-bit header is stored
/// last. Layouts: HSA runtime specification (packets), ROCm runtime's amd_hsa_queue.h and amd_hsa_signal.h.
namespace mockgpu::isa::amd::aql {

enum class PacketType : std::uint8_t {
  vendor = 0,
  invalid = 1,
  kernel_dispatch = 2,
  barrier_and = 3,
  agent_dispatch = 4,
  barrier_or = 5,
};

/// Fields of the 16-bit header.
inline constexpr Bits kHeaderType{0, 8};
inline constexpr Bits kHeaderBarrier{8, 1};
inline constexpr Bits kHeaderAcquire{9, 2};  ///< 0 none, 1 agent, 2 system
inline constexpr Bits kHeaderRelease{11, 2};
inline constexpr std::uint32_t kScopeNone = 0;
inline constexpr std::uint32_t kScopeAgent = 1;
inline constexpr std::uint32_t kScopeSystem = 2;

constexpr std::uint16_t make_header(PacketType type, bool barrier, std::uint32_t acquire,
                                    std::uint32_t release) {
  return static_cast<std::uint16_t>(kHeaderType.set(static_cast<std::uint32_t>(type)) |
                                    kHeaderBarrier.set(barrier ? 1 : 0) | kHeaderAcquire.set(acquire) |
                                    kHeaderRelease.set(release));
}
constexpr PacketType packet_type(std::uint16_t header) {
  return static_cast<PacketType>(kHeaderType.get(header));
}

/// Kernel dispatch. The grid counts work-items.
struct KernelDispatch {
  std::uint16_t header;
  std::uint16_t setup;  ///< [1:0] dimensions 1..3
  std::uint16_t workgroup_size_x;
  std::uint16_t workgroup_size_y;
  std::uint16_t workgroup_size_z;
  std::uint16_t reserved0;
  std::uint32_t grid_size_x;
  std::uint32_t grid_size_y;
  std::uint32_t grid_size_z;
  std::uint32_t private_segment_size;  ///< bytes per work-item
  std::uint32_t group_segment_size;    ///< bytes per workgroup
  std::uint64_t kernel_object;         ///< address of the kernel descriptor
  std::uint64_t kernarg_address;
  std::uint64_t reserved2;
  std::uint64_t completion_signal;
};
static_assert(sizeof(KernelDispatch) == 64 && offsetof(KernelDispatch, header) == 0 &&
              offsetof(KernelDispatch, setup) == 2 && offsetof(KernelDispatch, workgroup_size_x) == 4 &&
              offsetof(KernelDispatch, workgroup_size_y) == 6 &&
              offsetof(KernelDispatch, workgroup_size_z) == 8 && offsetof(KernelDispatch, reserved0) == 10 &&
              offsetof(KernelDispatch, grid_size_x) == 12 && offsetof(KernelDispatch, grid_size_y) == 16 &&
              offsetof(KernelDispatch, grid_size_z) == 20 &&
              offsetof(KernelDispatch, private_segment_size) == 24 &&
              offsetof(KernelDispatch, group_segment_size) == 28 &&
              offsetof(KernelDispatch, kernel_object) == 32 &&
              offsetof(KernelDispatch, kernarg_address) == 40 && offsetof(KernelDispatch, reserved2) == 48 &&
              offsetof(KernelDispatch, completion_signal) == 56);
void describe(const KernelDispatch& packet, FieldPrinter& printer);

/// Barrier-AND and barrier-OR: waits for all (any) of the signals to be 0; handle 0 = no signal.
struct Barrier {
  std::uint16_t header;
  std::uint16_t reserved0;
  std::uint32_t reserved1;
  std::uint64_t dep_signal[5];
  std::uint64_t reserved2;
  std::uint64_t completion_signal;
};
static_assert(sizeof(Barrier) == 64 && offsetof(Barrier, header) == 0 && offsetof(Barrier, reserved0) == 2 &&
              offsetof(Barrier, reserved1) == 4 && offsetof(Barrier, dep_signal) == 8 &&
              offsetof(Barrier, reserved2) == 48 && offsetof(Barrier, completion_signal) == 56);
void describe(const Barrier& packet, FieldPrinter& printer);

/// Agent dispatch.
struct AgentDispatch {
  std::uint16_t header;
  std::uint16_t type;
  std::uint32_t reserved0;
  std::uint64_t return_address;
  std::uint64_t arg[4];
  std::uint64_t reserved2;
  std::uint64_t completion_signal;
};
static_assert(sizeof(AgentDispatch) == 64 && offsetof(AgentDispatch, header) == 0 &&
              offsetof(AgentDispatch, type) == 2 && offsetof(AgentDispatch, reserved0) == 4 &&
              offsetof(AgentDispatch, return_address) == 8 && offsetof(AgentDispatch, arg) == 16 &&
              offsetof(AgentDispatch, reserved2) == 48 && offsetof(AgentDispatch, completion_signal) == 56);
void describe(const AgentDispatch& packet, FieldPrinter& printer);

/// AMD's vendor packet, format 1: runs a PM4 indirect buffer.
struct VendorPm4Ib {
  std::uint16_t header;
  std::uint16_t format;           ///< 1
  std::uint32_t ib_jump[4];       ///< an INDIRECT_BUFFER packet with its header
  std::uint32_t remaining_words;  ///< 10
  std::uint32_t reserved[8];
  std::uint64_t completion_signal;
};
inline constexpr std::uint16_t kVendorFormatPm4Ib = 1;
static_assert(sizeof(VendorPm4Ib) == 64 && offsetof(VendorPm4Ib, header) == 0 &&
              offsetof(VendorPm4Ib, format) == 2 && offsetof(VendorPm4Ib, ib_jump) == 4 &&
              offsetof(VendorPm4Ib, remaining_words) == 20 && offsetof(VendorPm4Ib, reserved) == 24 &&
              offsetof(VendorPm4Ib, completion_signal) == 56);
void describe(const VendorPm4Ib& packet, FieldPrinter& printer);

/// amd_signal_t: 64 bytes.
struct Signal {
  std::int64_t kind;    ///< 1 user, -1 doorbell, -2 legacy doorbell
  std::uint64_t value;  ///< or the doorbell's address
  std::uint64_t event_mailbox_ptr;
  std::uint32_t event_id;
  std::uint32_t reserved1;
  std::uint64_t start_ts;
  std::uint64_t end_ts;
  std::uint64_t queue_ptr;
  std::uint32_t reserved3[2];
};
static_assert(sizeof(Signal) == 64 && offsetof(Signal, kind) == 0 && offsetof(Signal, value) == 8 &&
              offsetof(Signal, event_mailbox_ptr) == 16 && offsetof(Signal, event_id) == 24 &&
              offsetof(Signal, reserved1) == 28 && offsetof(Signal, start_ts) == 32 &&
              offsetof(Signal, end_ts) == 40 && offsetof(Signal, queue_ptr) == 48 &&
              offsetof(Signal, reserved3) == 56);
void describe(const Signal& signal, FieldPrinter& printer);

/// amd_queue_t, first version: 256 bytes.
struct Queue {
  std::uint32_t type;
  std::uint32_t features;
  std::uint64_t base_address;
  std::uint64_t doorbell_signal;
  std::uint32_t size;  ///< packets
  std::uint32_t reserved1;
  std::uint64_t id;
  std::uint32_t caps;  ///< at 40: the packet processor's reclaim capabilities
  std::uint32_t reserved2[3];
  std::uint64_t write_dispatch_id;
  std::uint32_t group_segment_aperture_base_hi;
  std::uint32_t private_segment_aperture_base_hi;
  std::uint32_t max_cu_id;
  std::uint32_t max_wave_id;
  std::uint64_t max_legacy_doorbell_dispatch_id_plus_1;
  std::uint32_t legacy_doorbell_lock;
  std::uint32_t reserved3[9];
  std::uint64_t read_dispatch_id;
  std::uint32_t read_dispatch_id_field_base_byte_offset;  ///< 128
  std::uint32_t compute_tmpring_size;
  std::uint32_t scratch_resource_descriptor[4];
  std::uint64_t scratch_backing_memory_location;
  std::uint64_t scratch_backing_memory_byte_size;
  std::uint32_t scratch_wave64_lane_byte_size;
  std::uint32_t queue_properties;  ///< bit 3 profiling, bit 4 use scratch once
  std::uint64_t scratch_max_use_index;
  std::uint64_t queue_inactive_signal;
  std::uint32_t reserved4[14];
};
static_assert(sizeof(Queue) == 256 && offsetof(Queue, type) == 0 && offsetof(Queue, features) == 4 &&
              offsetof(Queue, base_address) == 8 && offsetof(Queue, doorbell_signal) == 16 &&
              offsetof(Queue, size) == 24 && offsetof(Queue, reserved1) == 28 && offsetof(Queue, id) == 32 &&
              offsetof(Queue, caps) == 40 && offsetof(Queue, reserved2) == 44 &&
              offsetof(Queue, write_dispatch_id) == 56 &&
              offsetof(Queue, group_segment_aperture_base_hi) == 64 &&
              offsetof(Queue, private_segment_aperture_base_hi) == 68 && offsetof(Queue, max_cu_id) == 72 &&
              offsetof(Queue, max_wave_id) == 76 &&
              offsetof(Queue, max_legacy_doorbell_dispatch_id_plus_1) == 80 &&
              offsetof(Queue, legacy_doorbell_lock) == 88 && offsetof(Queue, reserved3) == 92 &&
              offsetof(Queue, read_dispatch_id) == 128 &&
              offsetof(Queue, read_dispatch_id_field_base_byte_offset) == 136 &&
              offsetof(Queue, compute_tmpring_size) == 140 &&
              offsetof(Queue, scratch_resource_descriptor) == 144 &&
              offsetof(Queue, scratch_backing_memory_location) == 160 &&
              offsetof(Queue, scratch_backing_memory_byte_size) == 168 &&
              offsetof(Queue, scratch_wave64_lane_byte_size) == 176 &&
              offsetof(Queue, queue_properties) == 180 && offsetof(Queue, scratch_max_use_index) == 184 &&
              offsetof(Queue, queue_inactive_signal) == 192 && offsetof(Queue, reserved4) == 200);
void describe(const Queue& queue, FieldPrinter& printer);

}  // namespace mockgpu::isa::amd::aql
