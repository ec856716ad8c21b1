#pragma once
#include <sys/types.h>

#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "emu/observe/report.h"

namespace mockgpu::emu::amd {

/// The listeners to one device's system management events (SMI_EVENTS) and what they are told. A descriptor
/// is one end of a stream: the client writes the u64 mask of the events that it wants and reads lines of
/// text. May be called from several threads, also from turns.
class SmiEvents {
 public:
  /// Numbers of kfd_ioctl.h that happen here; bit number - 1 of the mask selects one.
  enum Event : unsigned { kVmFault = 1, kProcessStart = 12, kProcessEnd = 13 };

  explicit SmiEvents(ReportLog& reports) : reports_(reports) {}
  ~SmiEvents();
  SmiEvents(const SmiEvents&) = delete;
  SmiEvents& operator=(const SmiEvents&) = delete;

  /// A new descriptor, which wants no events yet and never blocks, or a negative errno.
  int open();

  /// The calling thread acquired the device's VM: faults are reported in its name. `tell`: the driver is new
  /// enough for the events of processes.
  void process_starts(bool tell);
  void process_ends(bool tell);
  void vm_fault();

 private:
  struct Client {
    int stream = -1;
    std::uint64_t mask = 0;
  };
  /// Sends `<number in hex> <text>\n` to all who want it; an unread stream that is full loses it, as the
  /// driver's buffer (8 KiB) does.
  void send(Event event, std::string_view text);
  /// Reads all masks and forgets the clients that are gone.
  void drop_closed();
  /// Takes the masks that the client wrote since; false when it closed its end.
  bool read_masks(Client& client);

  ReportLog& reports_;
  std::mutex mutex_;  ///< guards what follows
  std::vector<Client> clients_;
  pid_t thread_ = 0;
  std::string thread_name_;
};

}  // namespace mockgpu::emu::amd
