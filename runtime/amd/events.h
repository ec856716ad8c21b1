#pragma once
#include <chrono>
#include <cstdint>
#include <optional>

#include "isa/base/error.h"
#include "runtime/amd/connection.h"
#include "runtime/amd/device_memory.h"
#include "runtime/amd/signal.h"

namespace mockgpu::runtime::amd {

/// The driver events of one device: one that its queues raise, and those by which the driver reports memory
/// faults and resets. `sleep` may be called from several threads.
class Events {
 public:
  /// Creates the events, and the process's event page when this is its first device.
  Events(Connection& connection, DeviceMemory& memory, const Node& node);
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  /// What queues raise at the end of their work; nothing when this process cannot have an event page: then
  /// `sleep` only polls.
  const std::optional<QueueEvent>& queue_event() const { return queue_event_; }

  /// Sleeps until a queue raised the event, the driver reported a fault, or `timeout` passed. May wake up
  /// without a reason. Returns the fault of this device, with everything the driver said.
  std::optional<Error> sleep(std::chrono::milliseconds timeout);

 private:
  std::uint32_t create(std::uint32_t type, bool auto_reset, std::uint32_t* slot = nullptr);
  void destroy(std::uint32_t id);

  Connection* connection_;
  const DeviceMemory* memory_;
  std::uint32_t gpu_id_;
  std::optional<QueueEvent> queue_event_;
  std::uint32_t memory_event_ = 0;
  std::uint32_t exception_event_ = 0;
};

}  // namespace mockgpu::runtime::amd
