#pragma once
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <span>
#include <vector>

#include "emu/amd/device.h"
#include "emu/amd/dmabuf.h"
#include "emu/host/address_hints.h"
#include "emu/host/fault_plan.h"
#include "emu/observe/observer.h"
#include "isa/amd/commands/kfd.h"
#include "runtime/io/file_io.h"

namespace mockgpu::emu::amd {

/// Memory that the driver allocated or pinned for the client.
struct BufferObject {
  Device* device = nullptr;
  std::uint64_t handle = 0;
  std::uint64_t va = 0;     ///< GPU virtual address that the client chose
  std::uint64_t size = 0;   ///< bytes of one mapping, whole pages
  std::uint32_t flags = 0;  ///< kfd::AllocFlag
  std::byte* host = nullptr;
  std::shared_ptr<HeapPart> memory;  ///< only of VRAM and GTT
  std::shared_ptr<Dmabuf> dmabuf;    ///< of memory that was exported or imported
  std::uint64_t mmap_offset = 0;
  std::set<Device*> mapped;
  std::multiset<Device*> held;  ///< once for each use by a queue, which forbids to unmap it there

  bool in_heap() const { return (flags & (isa::amd::kfd::kAllocVram | isa::amd::kfd::kAllocGtt)) != 0; }
  bool is_userptr() const { return !in_heap() && (flags & isa::amd::kfd::kAllocUserptr) != 0; }
  /// Rings of AQL queues are mapped twice in a row, so that no packet wraps around.
  unsigned copies() const { return (flags & isa::amd::kfd::kAllocAqlQueueMem) != 0 ? 2 : 1; }
};

/// The KFD driver for one client process: /dev/kfd and what hangs on it. Results are 0 or a negative errno,
/// as the real driver gives them (Linux amdkfd). Methods may be called from several threads.
class Kfd {
 public:
  struct Version {
    unsigned major = 1, minor = 17;
  };

  Kfd(std::vector<Device*> devices, Version version, Scheduler& scheduler, EventTable& events,
      ReportLog& reports);
  ~Kfd();

  /// A request on /dev/kfd. `argument` is the client's struct, as long as the request says.
  int ioctl(unsigned long request, void* argument);

  /// mmap on /dev/kfd (doorbells, event page) and on a render node (buffer objects).
  int mmap_kfd(void* address, std::size_t length, int protection, int flags, std::uint64_t offset,
               runtime::Mapping& mapping);
  int mmap_render(Device& device, int number, void* address, std::size_t length, int protection, int flags,
                  std::uint64_t offset, runtime::Mapping& mapping);

  /// A descriptor that EXPORT_DMABUF gave, as a file that owns it; null if it is none.
  std::unique_ptr<runtime::File> adopt_dmabuf(int number);
  int mmap_dmabuf(int number, void* address, std::size_t length, int protection, int flags,
                  std::uint64_t offset, runtime::Mapping& mapping);

  /// Render nodes tell when they are opened and closed: ACQUIRE_VM names them by their descriptor.
  void render_opened(int number, Device& device);
  void render_closed(int number);

  /// The client is about to unmap host memory. GPU mappings of pinned memory there go first, so that a later
  /// access is a GPU fault; returns when no running turn can reach it.
  void client_unmaps(std::uint64_t address, std::uint64_t size);

  void observe(Observer* observer);

  /// Requests and mmaps of the driver's files fail as `plan` says from now on.
  void follow(FaultPlan& plan) { plan_ = &plan; }
  /// What the plan says of a call: 0 or a negative errno.
  int planned_fault(std::string_view call);

  /// Mappings whose address the client leaves to the driver lie where `hints` says from now on.
  void place_mappings(AddressHints& hints) { hints_ = &hints; }

 private:
  static constexpr int kNoNumber = -1, kClosedNumber = -2;
  /// What a handler returns for a request that the driver supports and the mock does not.
  static constexpr int kLacks = 1;

  /// What the process has on one device.
  struct DeviceState {
    Device* device = nullptr;
    int render_number = kNoNumber;  ///< the render node whose VM was acquired
    std::uint32_t next_handle = 1;
    std::uint32_t queues = 0, sdma_queues = 0, xgmi_queues = 0;
    bool has_gws = false;  ///< a queue has the global wave synchronisation
  };
  struct QueueEntry {
    std::unique_ptr<Queue> queue;
    DeviceState* state = nullptr;
    std::size_t doorbell = 0;
    std::uint32_t type = 0;  ///< kfd::QueueType
    bool active = false;     ///< not stopped by percentage 0
    bool gws = false;
    std::uint64_t ring = 0;           ///< handle of the ring's memory
    std::vector<std::uint64_t> held;  ///< handles of its other buffers
    std::uint64_t control_stack = 0;  ///< bytes
  };
  /// Kicks blocked queues when the client writes to memory that it shares with them.
  class SharedMemoryHook final : public runtime::MmioHook {
   public:
    explicit SharedMemoryHook(Scheduler& scheduler) : scheduler_(scheduler) {}
    void written(std::size_t, unsigned, std::uint64_t) override { scheduler_.memory_written(); }

   private:
    Scheduler& scheduler_;
  };

  using Handler = int (Kfd::*)(void* args);
  struct Entry {
    Handler handler = nullptr;
    unsigned since_minor = 0;  ///< KFD version 1.x that has it
  };
  static Entry entry(std::uint32_t number);
  int run(unsigned long request, void* argument);
  /// The answer to a request that the driver supports and the mock does not: a finding.
  int lacks(unsigned long request, std::span<const std::byte> argument);

  DeviceState* find(std::uint32_t gpu_id);
  BufferObject* find_object(std::uint64_t handle);
  void note(std::string message);
  /// Whether this driver's SMI events tell of processes.
  bool tells_processes() const { return version_.minor >= 17; }

  // kfd_process.cpp: version, apertures, clocks, process state
  int get_version(void* args);
  int get_process_apertures(void* args);
  int get_process_apertures_new(void* args);
  int get_clock_counters(void* args);
  int acquire_vm(void* args);
  int set_memory_policy(void* args);
  int set_scratch_backing_va(void* args);
  int set_xnack_mode(void* args);
  int available_memory(void* args);
  int runtime_enable(void* args);
  int get_tile_config(void* args);
  int set_trap_handler(void* args);
  void fill_apertures(const Device& device, isa::amd::kfd::ProcessDeviceApertures& entry) const;
  int smi_events(void* args);
  // kfd_features.cpp: what a driver without the feature answers
  int not_permitted(void* args);
  int svm(void* args);
  int criu_op(void* args);
  int dbg_trap(void* args);
  // kfd_memory.cpp
  int alloc_memory(void* args);
  int free_memory(void* args);
  int map_memory(void* args);
  int unmap_memory(void* args);
  /// Keeps a new object; its handle.
  std::uint64_t add_object(DeviceState& state, BufferObject object);
  /// Whether the host may touch memory with these kfd::AllocFlags.
  static bool is_visible(std::uint32_t flags);
  int map_object(BufferObject& object, Device& device);
  int unmap_object(BufferObject& object, Device& device);
  static void unmap_ranges(const BufferObject& object, Device& device);
  // kfd_dmabuf.cpp
  int get_dmabuf_info(void* args);
  int import_dmabuf(void* args);
  int export_dmabuf(void* args);
  /// The buffer behind a descriptor: -EBADF for a closed one, -EINVAL for one of something else.
  int find_dmabuf(int number, std::shared_ptr<Dmabuf>& found) const;
  /// Forgets buffers whose descriptors are all closed: nobody tells when that happens.
  void drop_closed_dmabufs();
  // kfd_queues.cpp
  int create_queue(void* args);
  int update_queue(void* args);
  int destroy_queue(void* args);
  int set_cu_mask(void* args);
  int get_queue_wave_state(void* args);
  int alloc_queue_gws(void* args);
  /// Finds the buffers of a queue, as kfd_queue_acquire_buffers does; fills `ring` and `held` of `entry`.
  int find_queue_buffers(Device& device, const isa::amd::kfd::CreateQueueArgs& args, QueueEntry& entry);
  /// The memory that is mapped at the page of `address`; with `size` (whole pages; 0 any) exactly so long.
  BufferObject* find_buffer(Device& device, std::uint64_t address, std::uint64_t size);
  void hold(QueueEntry& entry, Device& device);
  void release(const QueueEntry& entry, Device& device);
  // kfd_events.cpp
  int create_event(void* args);
  int destroy_event(void* args);
  int set_event(void* args);
  int reset_event(void* args);
  int wait_events(void* args);
  int make_event_page();
  int mmap_events(void* address, std::size_t length, int protection, int flags, runtime::Mapping& mapping);

  std::vector<Device*> devices_;
  const Version version_;
  Scheduler& scheduler_;
  EventTable& events_;
  ReportLog& reports_;
  SharedMemoryHook hook_;
  std::atomic<Observer*> observer_{nullptr};
  AddressHints* hints_ = nullptr;
  FaultPlan* plan_ = nullptr;

  std::mutex mutex_;  ///< guards what follows; never taken by turns
  std::vector<DeviceState> states_;
  std::map<std::uint64_t, BufferObject> objects_;                     ///< by handle
  std::map<std::pair<Device*, std::uint64_t>, std::uint64_t> mmaps_;  ///< device and mmap offset -> handle
  std::vector<std::shared_ptr<Dmabuf>> dmabufs_;                      ///< those with descriptors
  std::map<std::uint32_t, QueueEntry> queues_;
  std::map<int, Device*> render_files_;
  std::uint64_t event_page_handle_ = 0;
  int event_page_file_ = -1;  ///< of the driver's own event page, which it makes for clients that give none
  std::byte* event_page_ = nullptr;
  bool runtime_enabled_ = false;
};

}  // namespace mockgpu::emu::amd
