#include "runtime/amd/events.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <thread>

#include "isa/amd/commands/kfd.h"

namespace mockgpu::runtime::amd {
namespace kfd = isa::amd::kfd;
namespace {

std::string fault_reason(const kfd::MemoryExceptionData& data) {
  std::string reason;
  const auto add = [&reason](const char* text) {
    if (!reason.empty()) reason += ", ";
    reason += text;
  };
  if (data.NotPresent != 0) add("not mapped");
  if (data.ReadOnly != 0) add("write to read-only memory");
  if (data.NoExecute != 0) add("memory without the right to execute");
  switch (data.ErrorType) {
    case 0: break;
    case 1: add("uncorrectable SRAM error"); break;
    case 2: add("poisoned data"); break;
    case 3: add("hang after an error"); break;
    default: add("unknown kind of error"); break;
  }
  return reason.empty() ? "no reason given" : reason;
}

Error memory_error(const kfd::MemoryExceptionData& data, const DeviceMemory& memory) {
  Error error(Tag::memory_fault,
              fmt::format("the GPU accessed {}{:#x}: {}", data.imprecise != 0 ? "about " : "", data.va,
                          fault_reason(data)));
  if (const auto near = memory.locate(data.va)) error.add("near", *near);
  error.add("kfd",
            fmt::format("memory exception NotPresent={} ReadOnly={} NoExecute={} imprecise={} va={:#x} "
                        "gpu_id={} ErrorType={}",
                        data.NotPresent, data.ReadOnly, data.NoExecute, data.imprecise, data.va, data.gpu_id,
                        data.ErrorType));
  return error;
}

Error exception_error(const kfd::HwExceptionData& data) {
  Error error(Tag::hang, fmt::format("the driver reset the {} because of {}{}",
                                     data.reset_type == 0 ? "GPU" : "GPU's engine",
                                     data.reset_cause == 0 ? "a hang" : "an uncorrectable memory error",
                                     data.memory_lost != 0 ? "; device memory is lost" : ""));
  error.add("kfd", fmt::format("hardware exception reset_type={} reset_cause={} memory_lost={} gpu_id={}",
                               data.reset_type, data.reset_cause, data.memory_lost, data.gpu_id));
  return error;
}

}  // namespace

Events::Events(Connection& connection, DeviceMemory& memory, const Node& node)
    : connection_(&connection), memory_(&memory), gpu_id_(node.gpu_id) {
  if (connection.event_page() == 0 && connection.may_have_event_page()) {
    const Buffer page = memory.allocate_hidden(kfd::kEventPageBytes);
    if (connection.set_event_page(page.address, memory.handle(page), node.gpu_id)) {
      memory.release(page);
    } else {
      memory.free(page);
    }
  }
  if (connection.event_page() != 0) {
    connection.share_event_page(node.gpu_id);
    std::uint32_t slot = 0;
    const std::uint32_t id = create(kfd::kEventSignal, true, &slot);
    queue_event_ = QueueEvent{id, connection.event_page() + slot * std::uint64_t{8}};
  }
  memory_event_ = create(kfd::kEventMemory, false);
  exception_event_ = create(kfd::kEventHwException, false);
}

Events::~Events() {
  destroy(exception_event_);
  destroy(memory_event_);
  if (queue_event_) destroy(queue_event_->id);
}

std::uint32_t Events::create(std::uint32_t type, bool auto_reset, std::uint32_t* slot) {
  kfd::CreateEventArgs args{};
  args.event_type = type;
  args.auto_reset = auto_reset ? 1 : 0;
  connection_->call(kfd::kCreateEvent, args);
  if (slot != nullptr) *slot = args.event_slot_index;
  return args.event_id;
}

void Events::destroy(std::uint32_t id) {
  kfd::DestroyEventArgs args{id, 0};
  if (id != 0) connection_->kfd().ioctl(kfd::kDestroyEvent, &args);
}

std::optional<Error> Events::sleep(std::chrono::milliseconds timeout) {
  kfd::EventData events[3] = {};
  events[0].event_id = queue_event_ ? queue_event_->id : 0;
  events[1].event_id = memory_event_;
  events[2].event_id = exception_event_;
  const std::uint32_t first = queue_event_ ? 0 : 1;
  if (!queue_event_) timeout = std::min(timeout, std::chrono::milliseconds(1));
  kfd::WaitEventsArgs wait{};
  wait.events_ptr = reinterpret_cast<std::uint64_t>(events + first);
  wait.num_events = 3 - first;
  wait.timeout = static_cast<std::uint32_t>(timeout.count());
  if (connection_->kfd().ioctl(kfd::kWaitEvents, &wait) != 0) {
    if (errno == EINTR || errno == EAGAIN) return std::nullopt;
    connection_->fail(kfd::kWaitEvents);
  }
  const kfd::MemoryExceptionData& memory = events[1].memory_exception_data;
  const kfd::HwExceptionData& exception = events[2].hw_exception_data;
  if (memory.gpu_id == gpu_id_) return memory_error(memory, *memory_);
  if (exception.gpu_id == gpu_id_) return exception_error(exception);
  // Another GPU's fault sets this device's events too, and they stay set: the driver resets signal events
  // only. From then on a sleep is a nap.
  if (memory.gpu_id != 0 || exception.gpu_id != 0)
    std::this_thread::sleep_for(std::min(timeout, std::chrono::milliseconds(1)));
  return std::nullopt;
}

}  // namespace mockgpu::runtime::amd
