#include "runtime/amd/device.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "isa/amd/commands/kfd.h"

namespace mockgpu::runtime::amd {
namespace kfd = isa::amd::kfd;
namespace {

constexpr std::size_t kEndOfPipeBytes = 0x1000;
constexpr std::size_t kPointerBytes = 0x100;
constexpr std::uint32_t kPercentage = 100, kPriority = 7;
// What every work-item may use before the first kernel asks for more.
constexpr std::uint32_t kDefaultPrivateBytes = 128;

const ComputeFamily* family_of(const Node& node) {
  const ComputeFamily* family = find_compute_family(node.target_major());
  if (family == nullptr) {
    throw Error(Tag::unsupported, fmt::format("the runtime has no command packets for {}", node.target()),
                {{"has", "gfx11"}});
  }
  if (node.xccs() != 1) {
    throw Error(Tag::unsupported,
                fmt::format("the runtime drives GPUs of one XCC, {} has {}", node.target(), node.xccs()));
  }
  return family;
}

}  // namespace

Device::Device(std::shared_ptr<Connection> connection, const Node& node, unsigned index,
               const DeviceOptions& options)
    : connection_(std::move(connection)),
      node_(node),
      info_(describe_node(node, index)),
      options_(options),
      family_(family_of(node)),
      memory_(*connection_, node_),
      events_(*connection_, memory_, node_),
      signals_(memory_),
      staging_(options.staging_bytes, options.staging_buffers),
      compute_commands_(*family_) {
  try {
    compute_ = create_queue(Queue::Kind::compute);
    copy_ = create_queue(Queue::Kind::copy);
    const Signal first = signals_.take(0, 0);
    timeline_.start(first, signals_.take(0, 0), options_.timeline_limit);
    start_ = signals_.take(0, 0);
    end_ = signals_.take(0, 0);
    join_ = signals_.take(0, 0);
    arguments_.start(memory_.allocate(options_.arguments_bytes, MemoryKind::vram_visible));
    ensure_scratch(kDefaultPrivateBytes);
  } catch (...) {
    stop();
    throw;
  }
}

Device::~Device() { stop(); }

void Device::stop() {
  for (const Queue* queue : {&copy_, &compute_}) {
    if (!*queue) continue;
    kfd::DestroyQueueArgs args{queue->id(), 0};
    connection_->kfd().ioctl(kfd::kDestroyQueue, &args);
  }
  if (doorbells_) connection_->io().munmap(doorbells_.data, doorbells_.size);
}

Queue Device::create_queue(Queue::Kind kind) {
  const bool compute = kind == Queue::Kind::compute;
  const Buffer ring = memory_.allocate(options_.ring_bytes, MemoryKind::uncached);
  const Buffer pointers = memory_.allocate(kPointerBytes, MemoryKind::uncached);
  kfd::CreateQueueArgs args{};
  args.ring_base_address = ring.address;
  args.ring_size = static_cast<std::uint32_t>(ring.size);
  args.write_pointer_address = pointers.address + kWritePointer;
  args.read_pointer_address = pointers.address + kReadPointer;
  args.gpu_id = node_.gpu_id;
  args.queue_type = compute ? kfd::kQueueTypeCompute : kfd::kQueueTypeSdma;
  args.queue_percentage = kPercentage;
  args.queue_priority = kPriority;
  if (compute) {
    const SaveAreaSizes save = save_area_sizes(node_);
    args.eop_buffer_address = memory_.allocate(kEndOfPipeBytes, MemoryKind::vram).address;
    args.eop_buffer_size = kEndOfPipeBytes;
    args.ctx_save_restore_address = memory_.allocate(save.total, MemoryKind::vram).address;
    args.ctx_save_restore_size = save.save;
    args.ctl_stack_size = save.control_stack;
  }
  connection_->call(kfd::kCreateQueue, args);
  return Queue(kind, args.queue_id, ring, pointers, map_doorbell(args.doorbell_offset));
}

Mmio Device::map_doorbell(std::uint64_t offset) {
  const std::uint64_t start = offset & ~std::uint64_t{kfd::kDoorbellBytes - 1};
  if (!doorbells_) {
    doorbells_ = connection_->kfd().mmap(nullptr, kfd::kDoorbellBytes, PROT_READ | PROT_WRITE, MAP_SHARED,
                                         static_cast<off_t>(start));
    doorbells_offset_ = start;
    if (!doorbells_)
      throw Error(Tag::io, fmt::format("mapping the doorbells failed: {}", std::strerror(errno)));
  }
  if (start != doorbells_offset_) throw Error(Tag::io, "the driver gave two doorbell pages to one device");
  return Mmio(doorbells_).view(offset - start, sizeof(std::uint64_t));
}

void Device::ensure_scratch(std::uint32_t private_bytes) {
  if (scratch_.buffer.size != 0 && private_bytes <= scratch_.layout.per_lane) return;
  if (private_bytes > max_private_bytes()) {
    throw Error(Tag::bad_usage, fmt::format("{} bytes of private memory per work-item: {} has at most {}",
                                            private_bytes, info_.target, max_private_bytes()));
  }
  for (std::uint32_t slots = node_.scratch_slots();;) {
    const ScratchLayout layout = scratch_layout(node_, private_bytes, slots);
    try {
      const Buffer buffer = allocate_memory(layout.bytes, MemoryKind::vram);
      // Launches in flight keep the old one.
      if (scratch_.buffer.size != 0) recycle(scratch_.buffer);
      scratch_ = {layout, buffer, scratch_.generation + 1};
      return;
    } catch (const Error& error) {
      if (error.tag() != Tag::out_of_memory) throw;
    }
    if (scratch_.buffer.size != 0) {
      release(scratch_.buffer, timeline_.last());
      scratch_.buffer = {};
    } else if (slots >= 2) {
      slots /= 2;  // fewer waves at a time are better than none
    } else {
      throw Error(
          Tag::out_of_memory,
          fmt::format("no device memory left for {} bytes of private memory per work-item", private_bytes));
    }
  }
}

// ---- Memory ----

Buffer Device::allocate(std::size_t size, MemoryKind kind) {
  throw_if_broken();
  // Work is done in order: whatever still uses device memory ends before its new owner's work begins. The
  // host does not wait for that.
  const auto usable = [&](Point last) { return kind == MemoryKind::vram || timeline_.reached(last); };
  if (const std::optional<Buffer> kept = cache_.take(size, kind, usable)) return memory_.unpark(*kept, size);
  return allocate_memory(size, kind);
}

Buffer Device::allocate_memory(std::size_t size, MemoryKind kind) {
  try {
    return memory_.allocate(size, kind);
  } catch (const Error& error) {
    if (error.tag() != Tag::out_of_memory || !reclaim_memory()) throw;
  }
  return memory_.allocate(size, kind);
}

bool Device::reclaim_memory() {
  if (cache_.empty() || broken_) return false;
  wait(timeline_.last(), kForever);
  trim_cache(0);
  return true;
}

void Device::trim_cache(std::size_t limit) {
  const auto usable = [this](Point last) { return timeline_.reached(last); };
  while (const std::optional<Buffer> oldest = cache_.evict(limit, usable)) {
    memory_.free(memory_.unpark(*oldest, oldest->size));
  }
}

// Keeps memory that work in flight uses until it is not needed.
void Device::recycle(const Buffer& buffer) {
  memory_.park(buffer);
  cache_.put(buffer, timeline_.last());
  trim_cache(cache_.limit());
}

void Device::set_cache_limit(std::size_t bytes) {
  cache_.set_limit(bytes);
  trim_cache(bytes);
}

Buffer Device::register_memory(std::span<std::byte> memory) {
  throw_if_broken();
  return memory_.pin(memory);
}

void Device::free(const Buffer& buffer) {
  if (buffer.size == 0) return;
  const bool keep = !broken_ && buffer.kind != MemoryKind::external && cache_.accepts(buffer.size);
  if (keep && !memory_.shared(buffer)) {
    recycle(buffer);
  } else {
    release(buffer, timeline_.last());
  }
}

void Device::release(const Buffer& buffer, Point point) {
  if (!broken_) wait(point, kForever);
  memory_.free(buffer);
}

Signal Device::make_signal(std::uint32_t value) {
  throw_if_broken();
  return signals_.take(value, timeline_.done());
}

void Device::free(const Signal& signal) { signals_.give(signal, timeline_.last()); }

// ---- Other devices ----

Device& Device::peer_device(runtime::Device& peer) const {
  auto* const device = dynamic_cast<Device*>(&peer);
  if (device == nullptr || device->connection_ != connection_) {
    throw Error(Tag::bad_usage, fmt::format("devices of different platforms: {} and {}", info_.location,
                                            peer.info().location));
  }
  return *device;
}

void Device::share(const Buffer& buffer, runtime::Device& peer) {
  Device& other = peer_device(peer);
  throw_if_broken();
  memory_.share(buffer, other.node_.gpu_id);
}

void Device::start_after(runtime::Device& peer, Point point) {
  Device& other = peer_device(peer);
  if (&other == this || other.reached(point)) return;
  if (point > other.last_point())
    throw Error(Tag::bad_usage, fmt::format("point {} is not submitted yet", point));
  const Timeline::Place place = other.timeline_.place(point);
  other.memory_.share(other.signals_.page(place.signal), node_.gpu_id);
  const std::lock_guard lock(mutex_);
  begin_submission();
  begin_copy().wait(place.signal, place.value);
  submit_copy();
}

}  // namespace mockgpu::runtime::amd
