#include "isa/amd/commands/kfd.h"

namespace mockgpu::isa::amd::kfd {
namespace {

// The union of DBG_TRAP. Offsets count from the start of DbgTrapArgs.
constexpr auto kNumber = FieldFormat::number;
constexpr auto kHex = FieldFormat::hex;
constexpr auto kIn = FieldDirection::in;
constexpr auto kOut = FieldDirection::out;
constexpr auto kInOut = FieldDirection::in_out;
constexpr FieldInfo kDbgEnable[] = {{"exception_mask", 8, 8, kHex, kIn},
                                    {"rinfo_ptr", 16, 8, kHex, kIn},
                                    {"rinfo_size", 24, 4, kNumber, kInOut},
                                    {"dbg_fd", 28, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSendRuntimeEvent[] = {
    {"exception_mask", 8, 8, kHex, kIn}, {"gpu_id", 16, 4, kNumber, kIn}, {"queue_id", 20, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSetExceptions[] = {{"exception_mask", 8, 8, kHex, kIn}};
constexpr FieldInfo kDbgLaunchOverride[] = {{"override_mode", 8, 4, kNumber, kIn},
                                            {"enable_mask", 12, 4, kHex, kInOut},
                                            {"support_request_mask", 16, 4, kHex, kInOut}};
constexpr FieldInfo kDbgLaunchMode[] = {{"launch_mode", 8, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSuspend[] = {{"exception_mask", 8, 8, kHex, kIn},
                                     {"queue_array_ptr", 16, 8, kHex, kIn},
                                     {"num_queues", 24, 4, kNumber, kIn},
                                     {"grace_period", 28, 4, kNumber, kIn}};
constexpr FieldInfo kDbgResume[] = {{"queue_array_ptr", 8, 8, kHex, kIn},
                                    {"num_queues", 16, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSetWatch[] = {{"address", 8, 8, kHex, kIn},
                                      {"mode", 16, 4, kNumber, kIn},
                                      {"mask", 20, 4, kHex, kIn},
                                      {"gpu_id", 24, 4, kNumber, kIn},
                                      {"id", 28, 4, kNumber, kOut}};
constexpr FieldInfo kDbgClearWatch[] = {{"gpu_id", 8, 4, kNumber, kIn}, {"id", 12, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSetFlags[] = {{"flags", 8, 4, kHex, kInOut}};
constexpr FieldInfo kDbgQueryEvent[] = {{"exception_mask", 8, 8, kHex, kInOut},
                                        {"gpu_id", 16, 4, kNumber, kOut},
                                        {"queue_id", 20, 4, kNumber, kOut}};
constexpr FieldInfo kDbgQueryException[] = {{"info_ptr", 8, 8, kHex, kIn},
                                            {"info_size", 16, 4, kNumber, kInOut},
                                            {"source_id", 20, 4, kNumber, kIn},
                                            {"exception_code", 24, 4, kNumber, kIn},
                                            {"clear_exception", 28, 4, kNumber, kIn}};
constexpr FieldInfo kDbgSnapshot[] = {{"exception_mask", 8, 8, kHex, kIn},
                                      {"snapshot_buf_ptr", 16, 8, kHex, kIn},
                                      {"num_entries", 24, 4, kNumber, kInOut},
                                      {"entry_size", 28, 4, kNumber, kInOut}};

}  // namespace

std::span<const FieldInfo> dbg_trap_fields(std::uint32_t op) {
  switch (op) {
    case 0: return kDbgEnable;
    case 2: return kDbgSendRuntimeEvent;
    case 3: return kDbgSetExceptions;
    case 4: return kDbgLaunchOverride;
    case 5: return kDbgLaunchMode;
    case 6: return kDbgSuspend;
    case 7: return kDbgResume;
    case 8: return kDbgSetWatch;
    case 9: return kDbgClearWatch;
    case 10: return kDbgSetFlags;
    case 11: return kDbgQueryEvent;
    case 12: return kDbgQueryException;
    case 13:
    case 14: return kDbgSnapshot;
    default: return {};
  }
}

}  // namespace mockgpu::isa::amd::kfd
