#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/amd/commands/field.h"
#include "isa/amd/commands/kfd_event_args.h"
#include "isa/amd/commands/kfd_request.h"

/// The ioctls of /dev/kfd: argument structs with the uapi header's field names, and request words. Layouts:
/// Linux uapi kfd_ioctl.h (version 1.17).
namespace mockgpu::isa::amd::kfd {

/// Apertures of one GPU.
struct ProcessDeviceApertures {
  std::uint64_t lds_base;
  std::uint64_t lds_limit;
  std::uint64_t scratch_base;
  std::uint64_t scratch_limit;
  std::uint64_t gpuvm_base;
  std::uint64_t gpuvm_limit;
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(ProcessDeviceApertures) == 56 && offsetof(ProcessDeviceApertures, lds_base) == 0 &&
              offsetof(ProcessDeviceApertures, lds_limit) == 8 &&
              offsetof(ProcessDeviceApertures, scratch_base) == 16 &&
              offsetof(ProcessDeviceApertures, scratch_limit) == 24 &&
              offsetof(ProcessDeviceApertures, gpuvm_base) == 32 &&
              offsetof(ProcessDeviceApertures, gpuvm_limit) == 40 &&
              offsetof(ProcessDeviceApertures, gpu_id) == 48 && offsetof(ProcessDeviceApertures, pad) == 52);
void describe(const ProcessDeviceApertures& entry, FieldPrinter& printer);

/// One attribute of SVM.
struct SvmAttribute {
  std::uint32_t type;
  std::uint32_t value;
};
static_assert(sizeof(SvmAttribute) == 8 && offsetof(SvmAttribute, type) == 0 &&
              offsetof(SvmAttribute, value) == 4);

/// The interface version.
struct GetVersionArgs {
  std::uint32_t major_version;  ///< out
  std::uint32_t minor_version;  ///< out
};
static_assert(sizeof(GetVersionArgs) == 8 && offsetof(GetVersionArgs, major_version) == 0 &&
              offsetof(GetVersionArgs, minor_version) == 4);
inline constexpr std::uint32_t kGetVersion = ior<GetVersionArgs>(0x01);
static_assert(kGetVersion == 0x80084b01);
void describe(const GetVersionArgs& args, FieldPrinter& printer);

/// Creates a user queue. Clients older than 1.17 pass only the first 88 bytes (`kCreateQueueOldSize`).
struct CreateQueueArgs {
  std::uint64_t ring_base_address;
  std::uint64_t write_pointer_address;
  std::uint64_t read_pointer_address;
  std::uint64_t doorbell_offset;  ///< out
  std::uint32_t ring_size;
  std::uint32_t gpu_id;
  std::uint32_t queue_type;
  std::uint32_t queue_percentage;
  std::uint32_t queue_priority;
  std::uint32_t queue_id;  ///< out
  std::uint64_t eop_buffer_address;
  std::uint64_t eop_buffer_size;
  std::uint64_t ctx_save_restore_address;
  std::uint32_t ctx_save_restore_size;
  std::uint32_t ctl_stack_size;
  std::uint32_t sdma_engine_id;
  std::uint32_t pad;
};
static_assert(sizeof(CreateQueueArgs) == 96 && offsetof(CreateQueueArgs, ring_base_address) == 0 &&
              offsetof(CreateQueueArgs, write_pointer_address) == 8 &&
              offsetof(CreateQueueArgs, read_pointer_address) == 16 &&
              offsetof(CreateQueueArgs, doorbell_offset) == 24 &&
              offsetof(CreateQueueArgs, ring_size) == 32 && offsetof(CreateQueueArgs, gpu_id) == 36 &&
              offsetof(CreateQueueArgs, queue_type) == 40 &&
              offsetof(CreateQueueArgs, queue_percentage) == 44 &&
              offsetof(CreateQueueArgs, queue_priority) == 48 && offsetof(CreateQueueArgs, queue_id) == 52 &&
              offsetof(CreateQueueArgs, eop_buffer_address) == 56 &&
              offsetof(CreateQueueArgs, eop_buffer_size) == 64 &&
              offsetof(CreateQueueArgs, ctx_save_restore_address) == 72 &&
              offsetof(CreateQueueArgs, ctx_save_restore_size) == 80 &&
              offsetof(CreateQueueArgs, ctl_stack_size) == 84 &&
              offsetof(CreateQueueArgs, sdma_engine_id) == 88 && offsetof(CreateQueueArgs, pad) == 92);
inline constexpr std::uint32_t kCreateQueue = iowr<CreateQueueArgs>(0x02);
static_assert(kCreateQueue == 0xc0604b02);
void describe(const CreateQueueArgs& args, FieldPrinter& printer);

/// Destroys a queue.
struct DestroyQueueArgs {
  std::uint32_t queue_id;
  std::uint32_t pad;
};
static_assert(sizeof(DestroyQueueArgs) == 8 && offsetof(DestroyQueueArgs, queue_id) == 0 &&
              offsetof(DestroyQueueArgs, pad) == 4);
inline constexpr std::uint32_t kDestroyQueue = iowr<DestroyQueueArgs>(0x03);
static_assert(kDestroyQueue == 0xc0084b03);
void describe(const DestroyQueueArgs& args, FieldPrinter& printer);

/// Default and alternate cache policy.
struct SetMemoryPolicyArgs {
  std::uint64_t alternate_aperture_base;
  std::uint64_t alternate_aperture_size;
  std::uint32_t gpu_id;
  std::uint32_t default_policy;
  std::uint32_t alternate_policy;
  std::uint32_t misc_process_flag;
};
static_assert(sizeof(SetMemoryPolicyArgs) == 32 &&
              offsetof(SetMemoryPolicyArgs, alternate_aperture_base) == 0 &&
              offsetof(SetMemoryPolicyArgs, alternate_aperture_size) == 8 &&
              offsetof(SetMemoryPolicyArgs, gpu_id) == 16 &&
              offsetof(SetMemoryPolicyArgs, default_policy) == 20 &&
              offsetof(SetMemoryPolicyArgs, alternate_policy) == 24 &&
              offsetof(SetMemoryPolicyArgs, misc_process_flag) == 28);
inline constexpr std::uint32_t kSetMemoryPolicy = iow<SetMemoryPolicyArgs>(0x04);
static_assert(kSetMemoryPolicy == 0x40204b04);
void describe(const SetMemoryPolicyArgs& args, FieldPrinter& printer);

/// The GPU clock (100 MHz ticks) beside the CPU clocks (ns).
struct GetClockCountersArgs {
  std::uint64_t gpu_clock_counter;     ///< out
  std::uint64_t cpu_clock_counter;     ///< out
  std::uint64_t system_clock_counter;  ///< out
  std::uint64_t system_clock_freq;     ///< out
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(GetClockCountersArgs) == 40 && offsetof(GetClockCountersArgs, gpu_clock_counter) == 0 &&
              offsetof(GetClockCountersArgs, cpu_clock_counter) == 8 &&
              offsetof(GetClockCountersArgs, system_clock_counter) == 16 &&
              offsetof(GetClockCountersArgs, system_clock_freq) == 24 &&
              offsetof(GetClockCountersArgs, gpu_id) == 32 && offsetof(GetClockCountersArgs, pad) == 36);
inline constexpr std::uint32_t kGetClockCounters = iowr<GetClockCountersArgs>(0x05);
static_assert(kGetClockCounters == 0xc0284b05);
void describe(const GetClockCountersArgs& args, FieldPrinter& printer);

/// Apertures of at most 7 GPUs; superseded by GET_PROCESS_APERTURES_NEW.
struct GetProcessAperturesArgs {
  ProcessDeviceApertures process_apertures[7];  ///< out
  std::uint32_t num_of_nodes;                   ///< out
  std::uint32_t pad;
};
static_assert(sizeof(GetProcessAperturesArgs) == 400 &&
              offsetof(GetProcessAperturesArgs, process_apertures) == 0 &&
              offsetof(GetProcessAperturesArgs, num_of_nodes) == 392 &&
              offsetof(GetProcessAperturesArgs, pad) == 396);
inline constexpr std::uint32_t kGetProcessApertures = ior<GetProcessAperturesArgs>(0x06);
static_assert(kGetProcessApertures == 0x81904b06);
void describe(const GetProcessAperturesArgs& args, FieldPrinter& printer);

/// Changes ring, percentage or priority of a queue.
struct UpdateQueueArgs {
  std::uint64_t ring_base_address;
  std::uint32_t queue_id;
  std::uint32_t ring_size;
  std::uint32_t queue_percentage;
  std::uint32_t queue_priority;
};
static_assert(sizeof(UpdateQueueArgs) == 24 && offsetof(UpdateQueueArgs, ring_base_address) == 0 &&
              offsetof(UpdateQueueArgs, queue_id) == 8 && offsetof(UpdateQueueArgs, ring_size) == 12 &&
              offsetof(UpdateQueueArgs, queue_percentage) == 16 &&
              offsetof(UpdateQueueArgs, queue_priority) == 20);
inline constexpr std::uint32_t kUpdateQueue = iow<UpdateQueueArgs>(0x07);
static_assert(kUpdateQueue == 0x40184b07);
void describe(const UpdateQueueArgs& args, FieldPrinter& printer);

/// Removed: answers EPERM.
struct DbgRegisterArgs {
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(DbgRegisterArgs) == 8 && offsetof(DbgRegisterArgs, gpu_id) == 0 &&
              offsetof(DbgRegisterArgs, pad) == 4);
inline constexpr std::uint32_t kDbgRegisterDeprecated = iow<DbgRegisterArgs>(0x0d);
static_assert(kDbgRegisterDeprecated == 0x40084b0d);
void describe(const DbgRegisterArgs& args, FieldPrinter& printer);

/// Removed: answers EPERM.
struct DbgUnregisterArgs {
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(DbgUnregisterArgs) == 8 && offsetof(DbgUnregisterArgs, gpu_id) == 0 &&
              offsetof(DbgUnregisterArgs, pad) == 4);
inline constexpr std::uint32_t kDbgUnregisterDeprecated = iow<DbgUnregisterArgs>(0x0e);
static_assert(kDbgUnregisterDeprecated == 0x40084b0e);
void describe(const DbgUnregisterArgs& args, FieldPrinter& printer);

/// Removed: answers EPERM.
struct DbgAddressWatchArgs {
  std::uint64_t content_ptr;
  std::uint32_t gpu_id;
  std::uint32_t buf_size_in_bytes;
};
static_assert(sizeof(DbgAddressWatchArgs) == 16 && offsetof(DbgAddressWatchArgs, content_ptr) == 0 &&
              offsetof(DbgAddressWatchArgs, gpu_id) == 8 &&
              offsetof(DbgAddressWatchArgs, buf_size_in_bytes) == 12);
inline constexpr std::uint32_t kDbgAddressWatchDeprecated = iow<DbgAddressWatchArgs>(0x0f);
static_assert(kDbgAddressWatchDeprecated == 0x40104b0f);
void describe(const DbgAddressWatchArgs& args, FieldPrinter& printer);

/// Removed: answers EPERM.
struct DbgWaveControlArgs {
  std::uint64_t content_ptr;
  std::uint32_t gpu_id;
  std::uint32_t buf_size_in_bytes;
};
static_assert(sizeof(DbgWaveControlArgs) == 16 && offsetof(DbgWaveControlArgs, content_ptr) == 0 &&
              offsetof(DbgWaveControlArgs, gpu_id) == 8 &&
              offsetof(DbgWaveControlArgs, buf_size_in_bytes) == 12);
inline constexpr std::uint32_t kDbgWaveControlDeprecated = iow<DbgWaveControlArgs>(0x10);
static_assert(kDbgWaveControlDeprecated == 0x40104b10);
void describe(const DbgWaveControlArgs& args, FieldPrinter& printer);

/// Scratch address (>> 16) of the process.
struct SetScratchBackingVaArgs {
  std::uint64_t va_addr;
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(SetScratchBackingVaArgs) == 16 && offsetof(SetScratchBackingVaArgs, va_addr) == 0 &&
              offsetof(SetScratchBackingVaArgs, gpu_id) == 8 && offsetof(SetScratchBackingVaArgs, pad) == 12);
inline constexpr std::uint32_t kSetScratchBackingVa = iowr<SetScratchBackingVaArgs>(0x11);
static_assert(kSetScratchBackingVa == 0xc0104b11);
void describe(const SetScratchBackingVaArgs& args, FieldPrinter& printer);

/// Tiling tables and GB_ADDR_CONFIG.
struct GetTileConfigArgs {
  std::uint64_t tile_config_ptr;
  std::uint64_t macro_tile_config_ptr;
  std::uint32_t num_tile_configs;        ///< in and out
  std::uint32_t num_macro_tile_configs;  ///< in and out
  std::uint32_t gpu_id;
  std::uint32_t gb_addr_config;  ///< out
  std::uint32_t num_banks;       ///< out
  std::uint32_t num_ranks;       ///< out
};
static_assert(sizeof(GetTileConfigArgs) == 40 && offsetof(GetTileConfigArgs, tile_config_ptr) == 0 &&
              offsetof(GetTileConfigArgs, macro_tile_config_ptr) == 8 &&
              offsetof(GetTileConfigArgs, num_tile_configs) == 16 &&
              offsetof(GetTileConfigArgs, num_macro_tile_configs) == 20 &&
              offsetof(GetTileConfigArgs, gpu_id) == 24 &&
              offsetof(GetTileConfigArgs, gb_addr_config) == 28 &&
              offsetof(GetTileConfigArgs, num_banks) == 32 && offsetof(GetTileConfigArgs, num_ranks) == 36);
inline constexpr std::uint32_t kGetTileConfig = iowr<GetTileConfigArgs>(0x12);
static_assert(kGetTileConfig == 0xc0284b12);
void describe(const GetTileConfigArgs& args, FieldPrinter& printer);

/// Trap handler code and memory addresses.
struct SetTrapHandlerArgs {
  std::uint64_t tba_addr;
  std::uint64_t tma_addr;
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(SetTrapHandlerArgs) == 24 && offsetof(SetTrapHandlerArgs, tba_addr) == 0 &&
              offsetof(SetTrapHandlerArgs, tma_addr) == 8 && offsetof(SetTrapHandlerArgs, gpu_id) == 16 &&
              offsetof(SetTrapHandlerArgs, pad) == 20);
inline constexpr std::uint32_t kSetTrapHandler = iow<SetTrapHandlerArgs>(0x13);
static_assert(kSetTrapHandler == 0x40184b13);
void describe(const SetTrapHandlerArgs& args, FieldPrinter& printer);

/// Fills an array of ProcessDeviceApertures.
struct GetProcessAperturesNewArgs {
  std::uint64_t kfd_process_device_apertures_ptr;
  std::uint32_t num_of_nodes;  ///< in and out
  std::uint32_t pad;
};
static_assert(sizeof(GetProcessAperturesNewArgs) == 16 &&
              offsetof(GetProcessAperturesNewArgs, kfd_process_device_apertures_ptr) == 0 &&
              offsetof(GetProcessAperturesNewArgs, num_of_nodes) == 8 &&
              offsetof(GetProcessAperturesNewArgs, pad) == 12);
inline constexpr std::uint32_t kGetProcessAperturesNew = iowr<GetProcessAperturesNewArgs>(0x14);
static_assert(kGetProcessAperturesNew == 0xc0104b14);
void describe(const GetProcessAperturesNewArgs& args, FieldPrinter& printer);

/// Binds the VM of a render node descriptor to the process.
struct AcquireVmArgs {
  std::uint32_t drm_fd;
  std::uint32_t gpu_id;
};
static_assert(sizeof(AcquireVmArgs) == 8 && offsetof(AcquireVmArgs, drm_fd) == 0 &&
              offsetof(AcquireVmArgs, gpu_id) == 4);
inline constexpr std::uint32_t kAcquireVm = iow<AcquireVmArgs>(0x15);
static_assert(kAcquireVm == 0x40084b15);
void describe(const AcquireVmArgs& args, FieldPrinter& printer);

/// Allocates memory at a given GPU address. `mmap_offset` is the CPU address of a user pointer on entry, the
/// offset for mmap on return.
struct AllocMemoryOfGpuArgs {
  std::uint64_t va_addr;
  std::uint64_t size;
  std::uint64_t handle;       ///< out
  std::uint64_t mmap_offset;  ///< in and out
  std::uint32_t gpu_id;
  std::uint32_t flags;
};
static_assert(sizeof(AllocMemoryOfGpuArgs) == 40 && offsetof(AllocMemoryOfGpuArgs, va_addr) == 0 &&
              offsetof(AllocMemoryOfGpuArgs, size) == 8 && offsetof(AllocMemoryOfGpuArgs, handle) == 16 &&
              offsetof(AllocMemoryOfGpuArgs, mmap_offset) == 24 &&
              offsetof(AllocMemoryOfGpuArgs, gpu_id) == 32 && offsetof(AllocMemoryOfGpuArgs, flags) == 36);
inline constexpr std::uint32_t kAllocMemoryOfGpu = iowr<AllocMemoryOfGpuArgs>(0x16);
static_assert(kAllocMemoryOfGpu == 0xc0284b16);
void describe(const AllocMemoryOfGpuArgs& args, FieldPrinter& printer);

/// Frees memory.
struct FreeMemoryOfGpuArgs {
  std::uint64_t handle;
};
static_assert(sizeof(FreeMemoryOfGpuArgs) == 8 && offsetof(FreeMemoryOfGpuArgs, handle) == 0);
inline constexpr std::uint32_t kFreeMemoryOfGpu = iow<FreeMemoryOfGpuArgs>(0x17);
static_assert(kFreeMemoryOfGpu == 0x40084b17);
void describe(const FreeMemoryOfGpuArgs& args, FieldPrinter& printer);

/// Maps memory on an array of GPUs (u32 ids).
struct MapMemoryToGpuArgs {
  std::uint64_t handle;
  std::uint64_t device_ids_array_ptr;
  std::uint32_t n_devices;
  std::uint32_t n_success;  ///< in and out
};
static_assert(sizeof(MapMemoryToGpuArgs) == 24 && offsetof(MapMemoryToGpuArgs, handle) == 0 &&
              offsetof(MapMemoryToGpuArgs, device_ids_array_ptr) == 8 &&
              offsetof(MapMemoryToGpuArgs, n_devices) == 16 && offsetof(MapMemoryToGpuArgs, n_success) == 20);
inline constexpr std::uint32_t kMapMemoryToGpu = iowr<MapMemoryToGpuArgs>(0x18);
static_assert(kMapMemoryToGpu == 0xc0184b18);
void describe(const MapMemoryToGpuArgs& args, FieldPrinter& printer);

/// Unmaps memory from an array of GPUs.
struct UnmapMemoryFromGpuArgs {
  std::uint64_t handle;
  std::uint64_t device_ids_array_ptr;
  std::uint32_t n_devices;
  std::uint32_t n_success;  ///< in and out
};
static_assert(sizeof(UnmapMemoryFromGpuArgs) == 24 && offsetof(UnmapMemoryFromGpuArgs, handle) == 0 &&
              offsetof(UnmapMemoryFromGpuArgs, device_ids_array_ptr) == 8 &&
              offsetof(UnmapMemoryFromGpuArgs, n_devices) == 16 &&
              offsetof(UnmapMemoryFromGpuArgs, n_success) == 20);
inline constexpr std::uint32_t kUnmapMemoryFromGpu = iowr<UnmapMemoryFromGpuArgs>(0x19);
static_assert(kUnmapMemoryFromGpu == 0xc0184b19);
void describe(const UnmapMemoryFromGpuArgs& args, FieldPrinter& printer);

/// Compute-unit mask of a queue; `num_cu_mask` counts bits.
struct SetCuMaskArgs {
  std::uint32_t queue_id;
  std::uint32_t num_cu_mask;
  std::uint64_t cu_mask_ptr;
};
static_assert(sizeof(SetCuMaskArgs) == 16 && offsetof(SetCuMaskArgs, queue_id) == 0 &&
              offsetof(SetCuMaskArgs, num_cu_mask) == 4 && offsetof(SetCuMaskArgs, cu_mask_ptr) == 8);
inline constexpr std::uint32_t kSetCuMask = iow<SetCuMaskArgs>(0x1a);
static_assert(kSetCuMask == 0x40104b1a);
void describe(const SetCuMaskArgs& args, FieldPrinter& printer);

/// Saved state of a stopped queue.
struct GetQueueWaveStateArgs {
  std::uint64_t ctl_stack_address;
  std::uint32_t ctl_stack_used_size;  ///< out
  std::uint32_t save_area_used_size;  ///< out
  std::uint32_t queue_id;
  std::uint32_t pad;
};
static_assert(sizeof(GetQueueWaveStateArgs) == 24 &&
              offsetof(GetQueueWaveStateArgs, ctl_stack_address) == 0 &&
              offsetof(GetQueueWaveStateArgs, ctl_stack_used_size) == 8 &&
              offsetof(GetQueueWaveStateArgs, save_area_used_size) == 12 &&
              offsetof(GetQueueWaveStateArgs, queue_id) == 16 && offsetof(GetQueueWaveStateArgs, pad) == 20);
inline constexpr std::uint32_t kGetQueueWaveState = iowr<GetQueueWaveStateArgs>(0x1b);
static_assert(kGetQueueWaveState == 0xc0184b1b);
void describe(const GetQueueWaveStateArgs& args, FieldPrinter& printer);

/// Size, metadata and owner of a dmabuf.
struct GetDmabufInfoArgs {
  std::uint64_t size;  ///< out
  std::uint64_t metadata_ptr;
  std::uint32_t metadata_size;  ///< in and out
  std::uint32_t gpu_id;         ///< out
  std::uint32_t flags;          ///< out
  std::uint32_t dmabuf_fd;
};
static_assert(sizeof(GetDmabufInfoArgs) == 32 && offsetof(GetDmabufInfoArgs, size) == 0 &&
              offsetof(GetDmabufInfoArgs, metadata_ptr) == 8 &&
              offsetof(GetDmabufInfoArgs, metadata_size) == 16 && offsetof(GetDmabufInfoArgs, gpu_id) == 20 &&
              offsetof(GetDmabufInfoArgs, flags) == 24 && offsetof(GetDmabufInfoArgs, dmabuf_fd) == 28);
inline constexpr std::uint32_t kGetDmabufInfo = iowr<GetDmabufInfoArgs>(0x1c);
static_assert(kGetDmabufInfo == 0xc0204b1c);
void describe(const GetDmabufInfoArgs& args, FieldPrinter& printer);

/// Imports a dmabuf at a GPU address.
struct ImportDmabufArgs {
  std::uint64_t va_addr;
  std::uint64_t handle;  ///< out
  std::uint32_t gpu_id;
  std::uint32_t dmabuf_fd;
};
static_assert(sizeof(ImportDmabufArgs) == 24 && offsetof(ImportDmabufArgs, va_addr) == 0 &&
              offsetof(ImportDmabufArgs, handle) == 8 && offsetof(ImportDmabufArgs, gpu_id) == 16 &&
              offsetof(ImportDmabufArgs, dmabuf_fd) == 20);
inline constexpr std::uint32_t kImportDmabuf = iowr<ImportDmabufArgs>(0x1d);
static_assert(kImportDmabuf == 0xc0184b1d);
void describe(const ImportDmabufArgs& args, FieldPrinter& printer);

/// Global wave sync resources of a queue.
struct AllocQueueGwsArgs {
  std::uint32_t queue_id;
  std::uint32_t num_gws;
  std::uint32_t first_gws;  ///< out
  std::uint32_t pad;
};
static_assert(sizeof(AllocQueueGwsArgs) == 16 && offsetof(AllocQueueGwsArgs, queue_id) == 0 &&
              offsetof(AllocQueueGwsArgs, num_gws) == 4 && offsetof(AllocQueueGwsArgs, first_gws) == 8 &&
              offsetof(AllocQueueGwsArgs, pad) == 12);
inline constexpr std::uint32_t kAllocQueueGws = iowr<AllocQueueGwsArgs>(0x1e);
static_assert(kAllocQueueGws == 0xc0104b1e);
void describe(const AllocQueueGwsArgs& args, FieldPrinter& printer);

/// Opens a descriptor that reports system management events.
struct SmiEventsArgs {
  std::uint32_t gpuid;
  std::uint32_t anon_fd;  ///< out
};
static_assert(sizeof(SmiEventsArgs) == 8 && offsetof(SmiEventsArgs, gpuid) == 0 &&
              offsetof(SmiEventsArgs, anon_fd) == 4);
inline constexpr std::uint32_t kSmiEvents = iowr<SmiEventsArgs>(0x1f);
static_assert(kSmiEvents == 0xc0084b1f);
void describe(const SmiEventsArgs& args, FieldPrinter& printer);

/// Attributes of shared virtual memory; `nattr` SvmAttribute follow the struct, and the request size counts
/// them.
struct SvmArgs {
  std::uint64_t start_addr;
  std::uint64_t size;
  std::uint32_t op;
  std::uint32_t nattr;
};
static_assert(sizeof(SvmArgs) == 24 && offsetof(SvmArgs, start_addr) == 0 && offsetof(SvmArgs, size) == 8 &&
              offsetof(SvmArgs, op) == 16 && offsetof(SvmArgs, nattr) == 20);
inline constexpr std::uint32_t kSvm = iowr<SvmArgs>(0x20);
static_assert(kSvm == 0xc0184b20);
void describe(const SvmArgs& args, FieldPrinter& printer);

/// Retry mode of page faults; negative asks only.
struct SetXnackModeArgs {
  std::int32_t xnack_enabled;  ///< in and out
};
static_assert(sizeof(SetXnackModeArgs) == 4 && offsetof(SetXnackModeArgs, xnack_enabled) == 0);
inline constexpr std::uint32_t kSetXnackMode = iowr<SetXnackModeArgs>(0x21);
static_assert(kSetXnackMode == 0xc0044b21);
void describe(const SetXnackModeArgs& args, FieldPrinter& printer);

/// Checkpoint and restore.
struct CriuArgs {
  std::uint64_t devices;
  std::uint64_t bos;
  std::uint64_t priv_data;
  std::uint64_t priv_data_size;  ///< in and out
  std::uint32_t num_devices;     ///< in and out
  std::uint32_t num_bos;         ///< in and out
  std::uint32_t num_objects;     ///< in and out
  std::uint32_t pid;             ///< in and out
  std::uint32_t op;
  std::uint32_t pad;
};
static_assert(sizeof(CriuArgs) == 56 && offsetof(CriuArgs, devices) == 0 && offsetof(CriuArgs, bos) == 8 &&
              offsetof(CriuArgs, priv_data) == 16 && offsetof(CriuArgs, priv_data_size) == 24 &&
              offsetof(CriuArgs, num_devices) == 32 && offsetof(CriuArgs, num_bos) == 36 &&
              offsetof(CriuArgs, num_objects) == 40 && offsetof(CriuArgs, pid) == 44 &&
              offsetof(CriuArgs, op) == 48 && offsetof(CriuArgs, pad) == 52);
inline constexpr std::uint32_t kCriuOp = iowr<CriuArgs>(0x22);
static_assert(kCriuOp == 0xc0384b22);
void describe(const CriuArgs& args, FieldPrinter& printer);

/// Free VRAM in bytes.
struct GetAvailableMemoryArgs {
  std::uint64_t available;  ///< out
  std::uint32_t gpu_id;
  std::uint32_t pad;
};
static_assert(sizeof(GetAvailableMemoryArgs) == 16 && offsetof(GetAvailableMemoryArgs, available) == 0 &&
              offsetof(GetAvailableMemoryArgs, gpu_id) == 8 && offsetof(GetAvailableMemoryArgs, pad) == 12);
inline constexpr std::uint32_t kAvailableMemory = iowr<GetAvailableMemoryArgs>(0x23);
static_assert(kAvailableMemory == 0xc0104b23);
void describe(const GetAvailableMemoryArgs& args, FieldPrinter& printer);

/// Exports memory as a dmabuf.
struct ExportDmabufArgs {
  std::uint64_t handle;
  std::uint32_t flags;
  std::uint32_t dmabuf_fd;  ///< out
};
static_assert(sizeof(ExportDmabufArgs) == 16 && offsetof(ExportDmabufArgs, handle) == 0 &&
              offsetof(ExportDmabufArgs, flags) == 8 && offsetof(ExportDmabufArgs, dmabuf_fd) == 12);
inline constexpr std::uint32_t kExportDmabuf = iowr<ExportDmabufArgs>(0x24);
static_assert(kExportDmabuf == 0xc0104b24);
void describe(const ExportDmabufArgs& args, FieldPrinter& printer);

/// Tells the debugger interface that a runtime is there.
struct RuntimeEnableArgs {
  std::uint64_t r_debug;
  std::uint32_t mode_mask;
  std::uint32_t capabilities_mask;  ///< out
};
static_assert(sizeof(RuntimeEnableArgs) == 16 && offsetof(RuntimeEnableArgs, r_debug) == 0 &&
              offsetof(RuntimeEnableArgs, mode_mask) == 8 &&
              offsetof(RuntimeEnableArgs, capabilities_mask) == 12);
inline constexpr std::uint32_t kRuntimeEnable = iowr<RuntimeEnableArgs>(0x25);
static_assert(kRuntimeEnable == 0xc0104b25);
void describe(const RuntimeEnableArgs& args, FieldPrinter& printer);

/// Debugger operations. What `data` means depends on `op`; see `dbg_trap_fields`.
struct DbgTrapArgs {
  std::uint32_t pid;
  std::uint32_t op;
  std::uint64_t data[3];  ///< in and out
};
static_assert(sizeof(DbgTrapArgs) == 32 && offsetof(DbgTrapArgs, pid) == 0 &&
              offsetof(DbgTrapArgs, op) == 4 && offsetof(DbgTrapArgs, data) == 8);
inline constexpr std::uint32_t kDbgTrap = iowr<DbgTrapArgs>(0x26);
static_assert(kDbgTrap == 0xc0204b26);
void describe(const DbgTrapArgs& args, FieldPrinter& printer);

}  // namespace mockgpu::isa::amd::kfd
