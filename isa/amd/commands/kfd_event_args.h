#pragma once
#include <cstddef>
#include <cstdint>

#include "isa/amd/commands/field.h"
#include "isa/amd/commands/kfd_request.h"

/// The argument structs of /dev/kfd's event ioctls. Layouts: Linux uapi kfd_ioctl.h (version 1.17).
namespace mockgpu::isa::amd::kfd {

/// What a fault reports in a memory event.
struct MemoryExceptionData {
  std::uint32_t NotPresent;
  std::uint32_t ReadOnly;
  std::uint32_t NoExecute;
  std::uint32_t imprecise;
  std::uint64_t va;
  std::uint32_t gpu_id;
  std::uint32_t ErrorType;  ///< 0 no RAS error, 1 SRAM ECC, 2 poison, 3 hang
};
static_assert(sizeof(MemoryExceptionData) == 32 && offsetof(MemoryExceptionData, NotPresent) == 0 &&
              offsetof(MemoryExceptionData, ReadOnly) == 4 && offsetof(MemoryExceptionData, NoExecute) == 8 &&
              offsetof(MemoryExceptionData, imprecise) == 12 && offsetof(MemoryExceptionData, va) == 16 &&
              offsetof(MemoryExceptionData, gpu_id) == 24 && offsetof(MemoryExceptionData, ErrorType) == 28);

/// What a reset reports in a hardware exception event.
struct HwExceptionData {
  std::uint32_t reset_type;   ///< 0 whole GPU, 1 engine
  std::uint32_t reset_cause;  ///< 0 hang, 1 ECC
  std::uint32_t memory_lost;
  std::uint32_t gpu_id;
};
static_assert(sizeof(HwExceptionData) == 16 && offsetof(HwExceptionData, reset_type) == 0 &&
              offsetof(HwExceptionData, reset_cause) == 4 && offsetof(HwExceptionData, memory_lost) == 8 &&
              offsetof(HwExceptionData, gpu_id) == 12);

/// Signal events since 1.14: the age that the client knows goes in, the new one comes out.
struct SignalEventData {
  std::uint64_t last_event_age;
};
static_assert(sizeof(SignalEventData) == 8 && offsetof(SignalEventData, last_event_age) == 0);

/// One element of WAIT_EVENTS' array.
struct EventData {
  union {
    MemoryExceptionData memory_exception_data;
    HwExceptionData hw_exception_data;
    SignalEventData signal_event_data;
  };
  std::uint64_t kfd_event_data_ext;
  std::uint32_t event_id;
  std::uint32_t pad;
};
static_assert(sizeof(EventData) == 48 && offsetof(EventData, memory_exception_data) == 0 &&
              offsetof(EventData, hw_exception_data) == 0 && offsetof(EventData, signal_event_data) == 0 &&
              offsetof(EventData, kfd_event_data_ext) == 32 && offsetof(EventData, event_id) == 40 &&
              offsetof(EventData, pad) == 44);

/// Creates an event; the first call hands over the event page.
struct CreateEventArgs {
  std::uint64_t event_page_offset;   ///< in and out
  std::uint32_t event_trigger_data;  ///< out
  std::uint32_t event_type;
  std::uint32_t auto_reset;
  std::uint32_t node_id;
  std::uint32_t event_id;          ///< out
  std::uint32_t event_slot_index;  ///< out
};
static_assert(sizeof(CreateEventArgs) == 32 && offsetof(CreateEventArgs, event_page_offset) == 0 &&
              offsetof(CreateEventArgs, event_trigger_data) == 8 &&
              offsetof(CreateEventArgs, event_type) == 12 && offsetof(CreateEventArgs, auto_reset) == 16 &&
              offsetof(CreateEventArgs, node_id) == 20 && offsetof(CreateEventArgs, event_id) == 24 &&
              offsetof(CreateEventArgs, event_slot_index) == 28);
inline constexpr std::uint32_t kCreateEvent = iowr<CreateEventArgs>(0x08);
static_assert(kCreateEvent == 0xc0204b08);
void describe(const CreateEventArgs& args, FieldPrinter& printer);

/// Destroys an event.
struct DestroyEventArgs {
  std::uint32_t event_id;
  std::uint32_t pad;
};
static_assert(sizeof(DestroyEventArgs) == 8 && offsetof(DestroyEventArgs, event_id) == 0 &&
              offsetof(DestroyEventArgs, pad) == 4);
inline constexpr std::uint32_t kDestroyEvent = iow<DestroyEventArgs>(0x09);
static_assert(kDestroyEvent == 0x40084b09);
void describe(const DestroyEventArgs& args, FieldPrinter& printer);

/// Sets an event from the CPU.
struct SetEventArgs {
  std::uint32_t event_id;
  std::uint32_t pad;
};
static_assert(sizeof(SetEventArgs) == 8 && offsetof(SetEventArgs, event_id) == 0 &&
              offsetof(SetEventArgs, pad) == 4);
inline constexpr std::uint32_t kSetEvent = iow<SetEventArgs>(0x0a);
static_assert(kSetEvent == 0x40084b0a);
void describe(const SetEventArgs& args, FieldPrinter& printer);

/// Resets an event.
struct ResetEventArgs {
  std::uint32_t event_id;
  std::uint32_t pad;
};
static_assert(sizeof(ResetEventArgs) == 8 && offsetof(ResetEventArgs, event_id) == 0 &&
              offsetof(ResetEventArgs, pad) == 4);
inline constexpr std::uint32_t kResetEvent = iow<ResetEventArgs>(0x0b);
static_assert(kResetEvent == 0x40084b0b);
void describe(const ResetEventArgs& args, FieldPrinter& printer);

/// Waits for one or all of an array of EventData. Timeout in ms.
struct WaitEventsArgs {
  std::uint64_t events_ptr;
  std::uint32_t num_events;
  std::uint32_t wait_for_all;
  std::uint32_t timeout;
  std::uint32_t wait_result;  ///< out
};
static_assert(sizeof(WaitEventsArgs) == 24 && offsetof(WaitEventsArgs, events_ptr) == 0 &&
              offsetof(WaitEventsArgs, num_events) == 8 && offsetof(WaitEventsArgs, wait_for_all) == 12 &&
              offsetof(WaitEventsArgs, timeout) == 16 && offsetof(WaitEventsArgs, wait_result) == 20);
inline constexpr std::uint32_t kWaitEvents = iowr<WaitEventsArgs>(0x0c);
static_assert(kWaitEvents == 0xc0184b0c);
void describe(const WaitEventsArgs& args, FieldPrinter& printer);

}  // namespace mockgpu::isa::amd::kfd
