#include "isa/amd/commands/kfd.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace mockgpu::isa::amd::kfd {
namespace {

constexpr NamedValue kQueueTypeNames[] = {
    {0, "KFD_IOC_QUEUE_TYPE_COMPUTE"},        {1, "KFD_IOC_QUEUE_TYPE_SDMA"},
    {2, "KFD_IOC_QUEUE_TYPE_COMPUTE_AQL"},    {3, "KFD_IOC_QUEUE_TYPE_SDMA_XGMI"},
    {4, "KFD_IOC_QUEUE_TYPE_SDMA_BY_ENG_ID"},
};
constexpr NamedValue kCachePolicyNames[] = {{0, "KFD_IOC_CACHE_POLICY_COHERENT"},
                                            {1, "KFD_IOC_CACHE_POLICY_NONCOHERENT"}};
constexpr NamedValue kEventTypeNames[] = {
    {0, "KFD_IOC_EVENT_SIGNAL"},
    {1, "KFD_IOC_EVENT_NODECHANGE"},
    {2, "KFD_IOC_EVENT_DEVICESTATECHANGE"},
    {3, "KFD_IOC_EVENT_HW_EXCEPTION"},
    {4, "KFD_IOC_EVENT_SYSTEM_EVENT"},
    {5, "KFD_IOC_EVENT_DEBUG_EVENT"},
    {6, "KFD_IOC_EVENT_PROFILE_EVENT"},
    {7, "KFD_IOC_EVENT_QUEUE_EVENT"},
    {8, "KFD_IOC_EVENT_MEMORY"},
};
constexpr NamedValue kWaitResultNames[] = {
    {0, "KFD_IOC_WAIT_RESULT_COMPLETE"}, {1, "KFD_IOC_WAIT_RESULT_TIMEOUT"}, {2, "KFD_IOC_WAIT_RESULT_FAIL"}};
constexpr NamedValue kAllocFlagNames[] = {
    {kAllocVram, "KFD_IOC_ALLOC_MEM_FLAGS_VRAM"},
    {kAllocGtt, "KFD_IOC_ALLOC_MEM_FLAGS_GTT"},
    {kAllocUserptr, "KFD_IOC_ALLOC_MEM_FLAGS_USERPTR"},
    {kAllocDoorbell, "KFD_IOC_ALLOC_MEM_FLAGS_DOORBELL"},
    {kAllocMmioRemap, "KFD_IOC_ALLOC_MEM_FLAGS_MMIO_REMAP"},
    {kAllocWritable, "KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE"},
    {kAllocExecutable, "KFD_IOC_ALLOC_MEM_FLAGS_EXECUTABLE"},
    {kAllocPublic, "KFD_IOC_ALLOC_MEM_FLAGS_PUBLIC"},
    {kAllocNoSubstitute, "KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE"},
    {kAllocAqlQueueMem, "KFD_IOC_ALLOC_MEM_FLAGS_AQL_QUEUE_MEM"},
    {kAllocCoherent, "KFD_IOC_ALLOC_MEM_FLAGS_COHERENT"},
    {kAllocUncached, "KFD_IOC_ALLOC_MEM_FLAGS_UNCACHED"},
    {kAllocExtCoherent, "KFD_IOC_ALLOC_MEM_FLAGS_EXT_COHERENT"},
    {kAllocContiguous, "KFD_IOC_ALLOC_MEM_FLAGS_CONTIGUOUS_BEST_EFFORT"},
};
constexpr NamedValue kSvmOpNames[] = {{0, "KFD_IOCTL_SVM_OP_SET_ATTR"}, {1, "KFD_IOCTL_SVM_OP_GET_ATTR"}};
constexpr NamedValue kSvmAttributeNames[] = {
    {0, "KFD_IOCTL_SVM_ATTR_PREFERRED_LOC"}, {1, "KFD_IOCTL_SVM_ATTR_PREFETCH_LOC"},
    {2, "KFD_IOCTL_SVM_ATTR_ACCESS"},        {3, "KFD_IOCTL_SVM_ATTR_ACCESS_IN_PLACE"},
    {4, "KFD_IOCTL_SVM_ATTR_NO_ACCESS"},     {5, "KFD_IOCTL_SVM_ATTR_SET_FLAGS"},
    {6, "KFD_IOCTL_SVM_ATTR_CLR_FLAGS"},     {7, "KFD_IOCTL_SVM_ATTR_GRANULARITY"},
};
constexpr NamedValue kCriuOpNames[] = {
    {0, "KFD_CRIU_OP_PROCESS_INFO"}, {1, "KFD_CRIU_OP_CHECKPOINT"}, {2, "KFD_CRIU_OP_UNPAUSE"},
    {3, "KFD_CRIU_OP_RESTORE"},      {4, "KFD_CRIU_OP_RESUME"},
};
constexpr NamedValue kRuntimeModeNames[] = {{1, "KFD_RUNTIME_ENABLE_MODE_ENABLE_MASK"},
                                            {2, "KFD_RUNTIME_ENABLE_MODE_TTMP_SAVE_MASK"}};
constexpr NamedValue kDbgTrapOpNames[] = {
    {0, "KFD_IOC_DBG_TRAP_ENABLE"},
    {1, "KFD_IOC_DBG_TRAP_DISABLE"},
    {2, "KFD_IOC_DBG_TRAP_SEND_RUNTIME_EVENT"},
    {3, "KFD_IOC_DBG_TRAP_SET_EXCEPTIONS_ENABLED"},
    {4, "KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_OVERRIDE"},
    {5, "KFD_IOC_DBG_TRAP_SET_WAVE_LAUNCH_MODE"},
    {6, "KFD_IOC_DBG_TRAP_SUSPEND_QUEUES"},
    {7, "KFD_IOC_DBG_TRAP_RESUME_QUEUES"},
    {8, "KFD_IOC_DBG_TRAP_SET_NODE_ADDRESS_WATCH"},
    {9, "KFD_IOC_DBG_TRAP_CLEAR_NODE_ADDRESS_WATCH"},
    {10, "KFD_IOC_DBG_TRAP_SET_FLAGS"},
    {11, "KFD_IOC_DBG_TRAP_QUERY_DEBUG_EVENT"},
    {12, "KFD_IOC_DBG_TRAP_QUERY_EXCEPTION_INFO"},
    {13, "KFD_IOC_DBG_TRAP_GET_QUEUE_SNAPSHOT"},
    {14, "KFD_IOC_DBG_TRAP_GET_DEVICE_SNAPSHOT"},
};

constexpr FieldInfo kGetVersionFields[] = {
    MOCKGPU_FIELD(GetVersionArgs, major_version, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetVersionArgs, minor_version, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kCreateQueueFields[] = {
    MOCKGPU_FIELD(CreateQueueArgs, ring_base_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, write_pointer_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, read_pointer_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, doorbell_offset, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(CreateQueueArgs, ring_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, queue_type, FieldFormat::choice, FieldDirection::in, kQueueTypeNames),
    MOCKGPU_FIELD(CreateQueueArgs, queue_percentage, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, queue_priority, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, queue_id, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(CreateQueueArgs, eop_buffer_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, eop_buffer_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, ctx_save_restore_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, ctx_save_restore_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, ctl_stack_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CreateQueueArgs, sdma_engine_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kDestroyQueueFields[] = {
    MOCKGPU_FIELD(DestroyQueueArgs, queue_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kSetMemoryPolicyFields[] = {
    MOCKGPU_FIELD(SetMemoryPolicyArgs, alternate_aperture_base, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SetMemoryPolicyArgs, alternate_aperture_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SetMemoryPolicyArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(SetMemoryPolicyArgs, default_policy, FieldFormat::choice, FieldDirection::in,
                  kCachePolicyNames),
    MOCKGPU_FIELD(SetMemoryPolicyArgs, alternate_policy, FieldFormat::choice, FieldDirection::in,
                  kCachePolicyNames),
    MOCKGPU_FIELD(SetMemoryPolicyArgs, misc_process_flag, FieldFormat::hex, FieldDirection::in),
};
constexpr FieldInfo kGetClockCountersFields[] = {
    MOCKGPU_FIELD(GetClockCountersArgs, gpu_clock_counter, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetClockCountersArgs, cpu_clock_counter, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetClockCountersArgs, system_clock_counter, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetClockCountersArgs, system_clock_freq, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetClockCountersArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kGetProcessAperturesFields[] = {
    MOCKGPU_FIELD(GetProcessAperturesArgs, process_apertures, FieldFormat::words, FieldDirection::out),
    MOCKGPU_FIELD(GetProcessAperturesArgs, num_of_nodes, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kUpdateQueueFields[] = {
    MOCKGPU_FIELD(UpdateQueueArgs, ring_base_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(UpdateQueueArgs, queue_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(UpdateQueueArgs, ring_size, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(UpdateQueueArgs, queue_percentage, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(UpdateQueueArgs, queue_priority, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kCreateEventFields[] = {
    MOCKGPU_FIELD(CreateEventArgs, event_page_offset, FieldFormat::hex, FieldDirection::in_out),
    MOCKGPU_FIELD(CreateEventArgs, event_trigger_data, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(CreateEventArgs, event_type, FieldFormat::choice, FieldDirection::in, kEventTypeNames),
    MOCKGPU_FIELD(CreateEventArgs, auto_reset, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(CreateEventArgs, node_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(CreateEventArgs, event_id, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(CreateEventArgs, event_slot_index, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kDestroyEventFields[] = {
    MOCKGPU_FIELD(DestroyEventArgs, event_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kSetEventFields[] = {
    MOCKGPU_FIELD(SetEventArgs, event_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kResetEventFields[] = {
    MOCKGPU_FIELD(ResetEventArgs, event_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kEventDataFields[] = {
    MOCKGPU_FIELD(EventData, event_id, FieldFormat::number, FieldDirection::in),
};
constexpr ElementInfo kEventDataElement{sizeof(EventData), kEventDataFields};
constexpr FieldInfo kWaitEventsFields[] = {
    MOCKGPU_FIELD(WaitEventsArgs, events_ptr, FieldFormat::structs, FieldDirection::in, {},
                  &kEventDataElement),
    MOCKGPU_FIELD(WaitEventsArgs, num_events, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(WaitEventsArgs, wait_for_all, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(WaitEventsArgs, timeout, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(WaitEventsArgs, wait_result, FieldFormat::choice, FieldDirection::out, kWaitResultNames),
};
constexpr FieldInfo kDbgRegisterDeprecatedFields[] = {
    MOCKGPU_FIELD(DbgRegisterArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kDbgUnregisterDeprecatedFields[] = {
    MOCKGPU_FIELD(DbgUnregisterArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kDbgAddressWatchDeprecatedFields[] = {
    MOCKGPU_FIELD(DbgAddressWatchArgs, content_ptr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(DbgAddressWatchArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(DbgAddressWatchArgs, buf_size_in_bytes, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kDbgWaveControlDeprecatedFields[] = {
    MOCKGPU_FIELD(DbgWaveControlArgs, content_ptr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(DbgWaveControlArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(DbgWaveControlArgs, buf_size_in_bytes, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kSetScratchBackingVaFields[] = {
    MOCKGPU_FIELD(SetScratchBackingVaArgs, va_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SetScratchBackingVaArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kGetTileConfigFields[] = {
    MOCKGPU_FIELD(GetTileConfigArgs, tile_config_ptr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(GetTileConfigArgs, macro_tile_config_ptr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(GetTileConfigArgs, num_tile_configs, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(GetTileConfigArgs, num_macro_tile_configs, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(GetTileConfigArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(GetTileConfigArgs, gb_addr_config, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(GetTileConfigArgs, num_banks, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetTileConfigArgs, num_ranks, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kSetTrapHandlerFields[] = {
    MOCKGPU_FIELD(SetTrapHandlerArgs, tba_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SetTrapHandlerArgs, tma_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SetTrapHandlerArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kGetProcessAperturesNewFields[] = {
    MOCKGPU_FIELD(GetProcessAperturesNewArgs, kfd_process_device_apertures_ptr, FieldFormat::hex,
                  FieldDirection::in),
    MOCKGPU_FIELD(GetProcessAperturesNewArgs, num_of_nodes, FieldFormat::number, FieldDirection::in_out),
};
constexpr FieldInfo kAcquireVmFields[] = {
    MOCKGPU_FIELD(AcquireVmArgs, drm_fd, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(AcquireVmArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kAllocMemoryOfGpuFields[] = {
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, va_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, size, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, handle, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, mmap_offset, FieldFormat::hex, FieldDirection::in_out),
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(AllocMemoryOfGpuArgs, flags, FieldFormat::flags, FieldDirection::in, kAllocFlagNames),
};
constexpr FieldInfo kFreeMemoryOfGpuFields[] = {
    MOCKGPU_FIELD(FreeMemoryOfGpuArgs, handle, FieldFormat::hex, FieldDirection::in),
};
constexpr FieldInfo kMapMemoryToGpuFields[] = {
    MOCKGPU_FIELD(MapMemoryToGpuArgs, handle, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(MapMemoryToGpuArgs, device_ids_array_ptr, FieldFormat::ids, FieldDirection::in),
    MOCKGPU_FIELD(MapMemoryToGpuArgs, n_devices, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(MapMemoryToGpuArgs, n_success, FieldFormat::number, FieldDirection::in_out),
};
constexpr FieldInfo kUnmapMemoryFromGpuFields[] = {
    MOCKGPU_FIELD(UnmapMemoryFromGpuArgs, handle, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(UnmapMemoryFromGpuArgs, device_ids_array_ptr, FieldFormat::ids, FieldDirection::in),
    MOCKGPU_FIELD(UnmapMemoryFromGpuArgs, n_devices, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(UnmapMemoryFromGpuArgs, n_success, FieldFormat::number, FieldDirection::in_out),
};
constexpr FieldInfo kSetCuMaskFields[] = {
    MOCKGPU_FIELD(SetCuMaskArgs, queue_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(SetCuMaskArgs, num_cu_mask, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(SetCuMaskArgs, cu_mask_ptr, FieldFormat::hex, FieldDirection::in),
};
constexpr FieldInfo kGetQueueWaveStateFields[] = {
    MOCKGPU_FIELD(GetQueueWaveStateArgs, ctl_stack_address, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(GetQueueWaveStateArgs, ctl_stack_used_size, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetQueueWaveStateArgs, save_area_used_size, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetQueueWaveStateArgs, queue_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kGetDmabufInfoFields[] = {
    MOCKGPU_FIELD(GetDmabufInfoArgs, size, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetDmabufInfoArgs, metadata_ptr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(GetDmabufInfoArgs, metadata_size, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(GetDmabufInfoArgs, gpu_id, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetDmabufInfoArgs, flags, FieldFormat::flags, FieldDirection::out, kAllocFlagNames),
    MOCKGPU_FIELD(GetDmabufInfoArgs, dmabuf_fd, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kImportDmabufFields[] = {
    MOCKGPU_FIELD(ImportDmabufArgs, va_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(ImportDmabufArgs, handle, FieldFormat::hex, FieldDirection::out),
    MOCKGPU_FIELD(ImportDmabufArgs, gpu_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(ImportDmabufArgs, dmabuf_fd, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kAllocQueueGwsFields[] = {
    MOCKGPU_FIELD(AllocQueueGwsArgs, queue_id, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(AllocQueueGwsArgs, num_gws, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(AllocQueueGwsArgs, first_gws, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kSmiEventsFields[] = {
    MOCKGPU_FIELD(SmiEventsArgs, gpuid, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(SmiEventsArgs, anon_fd, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kSvmFields[] = {
    MOCKGPU_FIELD(SvmArgs, start_addr, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(SvmArgs, size, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(SvmArgs, op, FieldFormat::choice, FieldDirection::in, kSvmOpNames),
    MOCKGPU_FIELD(SvmArgs, nattr, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kSetXnackModeFields[] = {
    MOCKGPU_FIELD(SetXnackModeArgs, xnack_enabled, FieldFormat::signed_number, FieldDirection::in_out),
};
constexpr FieldInfo kCriuOpFields[] = {
    MOCKGPU_FIELD(CriuArgs, devices, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CriuArgs, bos, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CriuArgs, priv_data, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(CriuArgs, priv_data_size, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(CriuArgs, num_devices, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(CriuArgs, num_bos, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(CriuArgs, num_objects, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(CriuArgs, pid, FieldFormat::number, FieldDirection::in_out),
    MOCKGPU_FIELD(CriuArgs, op, FieldFormat::choice, FieldDirection::in, kCriuOpNames),
};
constexpr FieldInfo kAvailableMemoryFields[] = {
    MOCKGPU_FIELD(GetAvailableMemoryArgs, available, FieldFormat::number, FieldDirection::out),
    MOCKGPU_FIELD(GetAvailableMemoryArgs, gpu_id, FieldFormat::number, FieldDirection::in),
};
constexpr FieldInfo kExportDmabufFields[] = {
    MOCKGPU_FIELD(ExportDmabufArgs, handle, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(ExportDmabufArgs, flags, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(ExportDmabufArgs, dmabuf_fd, FieldFormat::number, FieldDirection::out),
};
constexpr FieldInfo kRuntimeEnableFields[] = {
    MOCKGPU_FIELD(RuntimeEnableArgs, r_debug, FieldFormat::hex, FieldDirection::in),
    MOCKGPU_FIELD(RuntimeEnableArgs, mode_mask, FieldFormat::flags, FieldDirection::in, kRuntimeModeNames),
    MOCKGPU_FIELD(RuntimeEnableArgs, capabilities_mask, FieldFormat::hex, FieldDirection::out),
};
constexpr FieldInfo kDbgTrapFields[] = {
    MOCKGPU_FIELD(DbgTrapArgs, pid, FieldFormat::number, FieldDirection::in),
    MOCKGPU_FIELD(DbgTrapArgs, op, FieldFormat::choice, FieldDirection::in, kDbgTrapOpNames),
    MOCKGPU_FIELD(DbgTrapArgs, data, FieldFormat::words, FieldDirection::in_out),
};

constexpr IoctlInfo kIoctls[] = {
    {"AMDKFD_IOC_GET_VERSION", kGetVersion, 8, kGetVersionFields},
    {"AMDKFD_IOC_CREATE_QUEUE", kCreateQueue, 88, kCreateQueueFields},
    {"AMDKFD_IOC_DESTROY_QUEUE", kDestroyQueue, 8, kDestroyQueueFields},
    {"AMDKFD_IOC_SET_MEMORY_POLICY", kSetMemoryPolicy, 32, kSetMemoryPolicyFields},
    {"AMDKFD_IOC_GET_CLOCK_COUNTERS", kGetClockCounters, 40, kGetClockCountersFields},
    {"AMDKFD_IOC_GET_PROCESS_APERTURES", kGetProcessApertures, 400, kGetProcessAperturesFields},
    {"AMDKFD_IOC_UPDATE_QUEUE", kUpdateQueue, 24, kUpdateQueueFields},
    {"AMDKFD_IOC_CREATE_EVENT", kCreateEvent, 32, kCreateEventFields},
    {"AMDKFD_IOC_DESTROY_EVENT", kDestroyEvent, 8, kDestroyEventFields},
    {"AMDKFD_IOC_SET_EVENT", kSetEvent, 8, kSetEventFields},
    {"AMDKFD_IOC_RESET_EVENT", kResetEvent, 8, kResetEventFields},
    {"AMDKFD_IOC_WAIT_EVENTS", kWaitEvents, 24, kWaitEventsFields},
    {"AMDKFD_IOC_DBG_REGISTER_DEPRECATED", kDbgRegisterDeprecated, 8, kDbgRegisterDeprecatedFields},
    {"AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED", kDbgUnregisterDeprecated, 8, kDbgUnregisterDeprecatedFields},
    {"AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED", kDbgAddressWatchDeprecated, 16,
     kDbgAddressWatchDeprecatedFields},
    {"AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED", kDbgWaveControlDeprecated, 16,
     kDbgWaveControlDeprecatedFields},
    {"AMDKFD_IOC_SET_SCRATCH_BACKING_VA", kSetScratchBackingVa, 16, kSetScratchBackingVaFields},
    {"AMDKFD_IOC_GET_TILE_CONFIG", kGetTileConfig, 40, kGetTileConfigFields},
    {"AMDKFD_IOC_SET_TRAP_HANDLER", kSetTrapHandler, 24, kSetTrapHandlerFields},
    {"AMDKFD_IOC_GET_PROCESS_APERTURES_NEW", kGetProcessAperturesNew, 16, kGetProcessAperturesNewFields},
    {"AMDKFD_IOC_ACQUIRE_VM", kAcquireVm, 8, kAcquireVmFields},
    {"AMDKFD_IOC_ALLOC_MEMORY_OF_GPU", kAllocMemoryOfGpu, 40, kAllocMemoryOfGpuFields},
    {"AMDKFD_IOC_FREE_MEMORY_OF_GPU", kFreeMemoryOfGpu, 8, kFreeMemoryOfGpuFields},
    {"AMDKFD_IOC_MAP_MEMORY_TO_GPU", kMapMemoryToGpu, 24, kMapMemoryToGpuFields},
    {"AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU", kUnmapMemoryFromGpu, 24, kUnmapMemoryFromGpuFields},
    {"AMDKFD_IOC_SET_CU_MASK", kSetCuMask, 16, kSetCuMaskFields},
    {"AMDKFD_IOC_GET_QUEUE_WAVE_STATE", kGetQueueWaveState, 24, kGetQueueWaveStateFields},
    {"AMDKFD_IOC_GET_DMABUF_INFO", kGetDmabufInfo, 32, kGetDmabufInfoFields},
    {"AMDKFD_IOC_IMPORT_DMABUF", kImportDmabuf, 24, kImportDmabufFields},
    {"AMDKFD_IOC_ALLOC_QUEUE_GWS", kAllocQueueGws, 16, kAllocQueueGwsFields},
    {"AMDKFD_IOC_SMI_EVENTS", kSmiEvents, 8, kSmiEventsFields},
    {"AMDKFD_IOC_SVM", kSvm, 24, kSvmFields},
    {"AMDKFD_IOC_SET_XNACK_MODE", kSetXnackMode, 4, kSetXnackModeFields},
    {"AMDKFD_IOC_CRIU_OP", kCriuOp, 56, kCriuOpFields},
    {"AMDKFD_IOC_AVAILABLE_MEMORY", kAvailableMemory, 16, kAvailableMemoryFields},
    {"AMDKFD_IOC_EXPORT_DMABUF", kExportDmabuf, 16, kExportDmabufFields},
    {"AMDKFD_IOC_RUNTIME_ENABLE", kRuntimeEnable, 16, kRuntimeEnableFields},
    {"AMDKFD_IOC_DBG_TRAP", kDbgTrap, 32, kDbgTrapFields},
    {"AMDKFD_IOC_CREATE_PROCESS", IoctlRequest::make(IoctlRequest::kNone, kIoctlType, 0x27, 0), 0, {}},
    // Only in AMD's out-of-tree driver.
    {"AMDKFD_IOC_IPC_IMPORT_HANDLE", 0xc0304b80, 48, {}},
    {"AMDKFD_IOC_IPC_EXPORT_HANDLE", 0xc0204b81, 32, {}},
    {"AMDKFD_IOC_DBG_TRAP_OLD", 0xc0284b82, 40, {}},
    {"AMDKFD_IOC_CROSS_MEMORY_COPY", 0xc0304b83, 48, {}},
    {"AMDKFD_IOC_RLC_SPM", 0xc0204b84, 32, {}},
    {"AMDKFD_IOC_PC_SAMPLE", 0xc0204b85, 32, {}},
    {"AMDKFD_IOC_PROFILER", 0xc0284b86, 40, {}},
};

constexpr FieldInfo kNodeAperturesFields[] = {
    MOCKGPU_FIELD(ProcessDeviceApertures, lds_base, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, lds_limit, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, scratch_base, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, scratch_limit, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, gpuvm_base, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, gpuvm_limit, FieldFormat::hex),
    MOCKGPU_FIELD(ProcessDeviceApertures, gpu_id, FieldFormat::number),
};

template <typename Args>
void print_all(std::span<const FieldInfo> fields, const Args& args, FieldPrinter& printer) {
  print_fields(fields, std::as_bytes(std::span<const Args, 1>(&args, 1)), true, true, false, printer);
}

template <typename T>
T load(std::span<const std::byte> bytes, std::size_t offset = 0) {
  T value{};
  if (offset + sizeof(T) <= bytes.size()) std::memcpy(&value, bytes.data() + offset, sizeof(T));
  return value;
}

constexpr std::uint32_t kMostAttributes = 64;

std::string format_svm_attributes(std::span<const std::byte> bytes) {
  const auto args = load<SvmArgs>(bytes);
  std::string text = "[";
  for (std::uint32_t i = 0; i < args.nattr; ++i) {
    const std::size_t offset = sizeof(SvmArgs) + std::size_t{i} * sizeof(SvmAttribute);
    if (i == kMostAttributes || offset + sizeof(SvmAttribute) > bytes.size()) {
      text += i == 0 ? "..." : ", ...";
      break;
    }
    const auto attribute = load<SvmAttribute>(bytes, offset);
    FieldPrinter printer;
    printer.choice("type", attribute.type, kSvmAttributeNames);
    printer.hex("value", attribute.value);
    text += fmt::format("{}{{{}}}", i == 0 ? "" : ", ", printer.str());
  }
  return text + "]";
}

/// Prints the arguments of the two ioctls whose layout depends on their contents.
std::string format_variable(std::uint32_t nr, std::span<const std::byte> bytes, bool want_in, bool want_out) {
  FieldPrinter printer;
  if (nr == IoctlRequest::kNr.get(kDbgTrap)) {
    print_fields(std::span(kDbgTrapFields).first(2), bytes, want_in, want_out, false, printer);
    print_fields(dbg_trap_fields(load<DbgTrapArgs>(bytes).op), bytes, want_in, want_out, false, printer);
  } else {
    print_fields(kSvmFields, bytes, want_in, want_out, false, printer);
    constexpr std::uint32_t kGetAttributes = 1;  // only this operation changes them
    if (want_in || load<SvmArgs>(bytes).op == kGetAttributes) {
      printer.text("attrs", format_svm_attributes(bytes));
    }
  }
  return printer.str();
}

}  // namespace

void describe(const GetVersionArgs& args, FieldPrinter& printer) {
  print_all(kGetVersionFields, args, printer);
}
void describe(const CreateQueueArgs& args, FieldPrinter& printer) {
  print_all(kCreateQueueFields, args, printer);
}
void describe(const DestroyQueueArgs& args, FieldPrinter& printer) {
  print_all(kDestroyQueueFields, args, printer);
}
void describe(const SetMemoryPolicyArgs& args, FieldPrinter& printer) {
  print_all(kSetMemoryPolicyFields, args, printer);
}
void describe(const GetClockCountersArgs& args, FieldPrinter& printer) {
  print_all(kGetClockCountersFields, args, printer);
}
void describe(const GetProcessAperturesArgs& args, FieldPrinter& printer) {
  print_all(kGetProcessAperturesFields, args, printer);
}
void describe(const UpdateQueueArgs& args, FieldPrinter& printer) {
  print_all(kUpdateQueueFields, args, printer);
}
void describe(const CreateEventArgs& args, FieldPrinter& printer) {
  print_all(kCreateEventFields, args, printer);
}
void describe(const DestroyEventArgs& args, FieldPrinter& printer) {
  print_all(kDestroyEventFields, args, printer);
}
void describe(const SetEventArgs& args, FieldPrinter& printer) { print_all(kSetEventFields, args, printer); }
void describe(const ResetEventArgs& args, FieldPrinter& printer) {
  print_all(kResetEventFields, args, printer);
}
void describe(const WaitEventsArgs& args, FieldPrinter& printer) {
  print_all(kWaitEventsFields, args, printer);
}
void describe(const DbgRegisterArgs& args, FieldPrinter& printer) {
  print_all(kDbgRegisterDeprecatedFields, args, printer);
}
void describe(const DbgUnregisterArgs& args, FieldPrinter& printer) {
  print_all(kDbgUnregisterDeprecatedFields, args, printer);
}
void describe(const DbgAddressWatchArgs& args, FieldPrinter& printer) {
  print_all(kDbgAddressWatchDeprecatedFields, args, printer);
}
void describe(const DbgWaveControlArgs& args, FieldPrinter& printer) {
  print_all(kDbgWaveControlDeprecatedFields, args, printer);
}
void describe(const SetScratchBackingVaArgs& args, FieldPrinter& printer) {
  print_all(kSetScratchBackingVaFields, args, printer);
}
void describe(const GetTileConfigArgs& args, FieldPrinter& printer) {
  print_all(kGetTileConfigFields, args, printer);
}
void describe(const SetTrapHandlerArgs& args, FieldPrinter& printer) {
  print_all(kSetTrapHandlerFields, args, printer);
}
void describe(const GetProcessAperturesNewArgs& args, FieldPrinter& printer) {
  print_all(kGetProcessAperturesNewFields, args, printer);
}
void describe(const AcquireVmArgs& args, FieldPrinter& printer) {
  print_all(kAcquireVmFields, args, printer);
}
void describe(const AllocMemoryOfGpuArgs& args, FieldPrinter& printer) {
  print_all(kAllocMemoryOfGpuFields, args, printer);
}
void describe(const FreeMemoryOfGpuArgs& args, FieldPrinter& printer) {
  print_all(kFreeMemoryOfGpuFields, args, printer);
}
void describe(const MapMemoryToGpuArgs& args, FieldPrinter& printer) {
  print_all(kMapMemoryToGpuFields, args, printer);
}
void describe(const UnmapMemoryFromGpuArgs& args, FieldPrinter& printer) {
  print_all(kUnmapMemoryFromGpuFields, args, printer);
}
void describe(const SetCuMaskArgs& args, FieldPrinter& printer) {
  print_all(kSetCuMaskFields, args, printer);
}
void describe(const GetQueueWaveStateArgs& args, FieldPrinter& printer) {
  print_all(kGetQueueWaveStateFields, args, printer);
}
void describe(const GetDmabufInfoArgs& args, FieldPrinter& printer) {
  print_all(kGetDmabufInfoFields, args, printer);
}
void describe(const ImportDmabufArgs& args, FieldPrinter& printer) {
  print_all(kImportDmabufFields, args, printer);
}
void describe(const AllocQueueGwsArgs& args, FieldPrinter& printer) {
  print_all(kAllocQueueGwsFields, args, printer);
}
void describe(const SmiEventsArgs& args, FieldPrinter& printer) {
  print_all(kSmiEventsFields, args, printer);
}
void describe(const SvmArgs& args, FieldPrinter& printer) { print_all(kSvmFields, args, printer); }
void describe(const SetXnackModeArgs& args, FieldPrinter& printer) {
  print_all(kSetXnackModeFields, args, printer);
}
void describe(const CriuArgs& args, FieldPrinter& printer) { print_all(kCriuOpFields, args, printer); }
void describe(const GetAvailableMemoryArgs& args, FieldPrinter& printer) {
  print_all(kAvailableMemoryFields, args, printer);
}
void describe(const ExportDmabufArgs& args, FieldPrinter& printer) {
  print_all(kExportDmabufFields, args, printer);
}
void describe(const RuntimeEnableArgs& args, FieldPrinter& printer) {
  print_all(kRuntimeEnableFields, args, printer);
}
void describe(const DbgTrapArgs& args, FieldPrinter& printer) { print_all(kDbgTrapFields, args, printer); }
void describe(const ProcessDeviceApertures& entry, FieldPrinter& printer) {
  print_all(kNodeAperturesFields, entry, printer);
}

std::span<const IoctlInfo> ioctls() { return kIoctls; }

const IoctlInfo* find_ioctl(std::uint32_t request) { return find_by_number(kIoctls, request); }

std::string format_ioctl(std::uint32_t request, std::span<const std::byte> before,
                         std::span<const std::byte> after, bool follow) {
  const IoctlInfo* info = find_ioctl(request);
  const std::uint32_t nr = info != nullptr ? info->nr() : 0;
  const bool variable = nr == IoctlRequest::kNr.get(kDbgTrap) || nr == IoctlRequest::kNr.get(kSvm);
  if (variable && before.size() >= info->least_size) {
    std::string text = fmt::format("{}, {{{}}}", info->name, format_variable(nr, before, true, false));
    const std::string out = after.empty() ? std::string() : format_variable(nr, after, false, true);
    if (!out.empty()) text += fmt::format(" => {{{}}}", out);
    return text;
  }
  return format_call(info, request, before, after, follow);
}

}  // namespace mockgpu::isa::amd::kfd
