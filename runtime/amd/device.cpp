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

using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

constexpr std::size_t kSignalPage = 0x1000;
constexpr std::size_t kEndOfPipeBytes = 0x1000;
constexpr std::size_t kPointerBytes = 0x100;
constexpr std::uint32_t kPercentage = 100, kPriority = 7;
// Signals of a device, by place in their page.
constexpr unsigned kTimelineSignal = 0, kStartSignal = 1, kEndSignal = 2;
// What every work-item may use before the first kernel asks for more.
constexpr std::uint32_t kDefaultPrivateBytes = 128;
// A wait spins this long before it sleeps in the driver, and wakes up this often to look at the time.
constexpr auto kSpin = std::chrono::microseconds(100);
constexpr milliseconds kSleep{100};
constexpr unsigned kSpinsPerClock = 16;

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
      staging_(options.staging_bytes, options.staging_buffers),
      compute_commands_(*family_) {
  try {
    compute_ = create_queue(Queue::Kind::compute);
    copy_ = create_queue(Queue::Kind::copy);
    signals_ = memory_.allocate(kSignalPage, MemoryKind::uncached);
    timeline_.start(make_signal(kTimelineSignal), options_.timeline_limit);
    start_ = make_signal(kStartSignal);
    end_ = make_signal(kEndSignal);
    arguments_.start(memory_.allocate(options_.arguments_bytes, MemoryKind::vram_visible));
    set_scratch(kDefaultPrivateBytes);
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

Signal Device::make_signal(unsigned index) const {
  const std::size_t offset = index * kSignalBytes;
  return {signals_.address + offset, signals_.mmio().view(offset, kSignalBytes)};
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

void Device::set_scratch(std::uint32_t private_bytes) {
  if (private_bytes > max_private_bytes()) {
    throw Error(Tag::bad_usage, fmt::format("{} bytes of private memory per work-item: {} has at most {}",
                                            private_bytes, info_.target, max_private_bytes()));
  }
  if (scratch_buffer_.size != 0) {
    wait(timeline_.last(), kForever);
    memory_.free(scratch_buffer_);
    scratch_buffer_ = {};
    scratch_ = {};
  }
  // Fewer waves at a time are better than none.
  for (std::uint32_t slots = node_.scratch_slots();; slots /= 2) {
    const ScratchLayout layout = scratch_layout(node_, private_bytes, slots);
    try {
      scratch_buffer_ = memory_.allocate(layout.bytes, MemoryKind::vram);
      scratch_ = layout;
      return;
    } catch (const Error& error) {
      if (error.tag() != Tag::out_of_memory || slots < 2) throw;
    }
  }
}

Buffer Device::allocate(std::size_t size, MemoryKind kind) {
  throw_if_broken();
  return memory_.allocate(size, kind);
}

void Device::free(const Buffer& buffer) {
  if (buffer.size == 0) return;
  if (!broken_) wait(timeline_.last(), kForever);
  memory_.free(buffer);
}

// ---- Submission ----

void Device::begin_submission() {
  throw_if_broken();
  if (timeline_.full()) {
    wait(timeline_.last(), kForever);
    timeline_.restart();
  }
}

ComputeCommands& Device::begin_compute() {
  compute_commands_.clear();
  compute_commands_.wait(timeline_.signal(), timeline_.value());
  compute_commands_.memory_barrier();
  return compute_commands_;
}

CopyCommands& Device::begin_copy() {
  copy_commands_.clear();
  copy_commands_.wait(timeline_.signal(), timeline_.value());
  return copy_commands_;
}

Point Device::submit_compute() {
  compute_commands_.signal(timeline_.signal(), timeline_.value() + 1);
  if (events_.queue_event()) compute_commands_.interrupt(*events_.queue_event());
  return submit(compute_, compute_commands_.words());
}

Point Device::submit_copy() {
  copy_commands_.signal(timeline_.signal(), timeline_.value() + 1);
  if (events_.queue_event()) copy_commands_.interrupt(*events_.queue_event());
  return submit(copy_, copy_commands_.words());
}

Point Device::submit(Queue& queue, std::span<const std::uint32_t> words) {
  if (words.size() * sizeof(std::uint32_t) > options_.ring_bytes / 2) {
    throw Error(Tag::bad_usage, "one submission does not fit into the queue");
  }
  if (!queue.fits(words.size())) wait_until([&] { return queue.fits(words.size()); }, kForever);
  // The point counts before the doorbell rings: a machine without threads of its own does the work in there.
  const Point point = timeline_.advance();
  queue.submit(words);
  return point;
}

// ---- Copies ----

Staging::Slot& Device::take_staging() {
  const auto take = [this] {
    return staging_.take([this](Point point) { return timeline_.reached(point); },
                         [this](std::size_t size) { return memory_.allocate(size, MemoryKind::host); });
  };
  Staging::Slot* slot = take();
  while (slot == nullptr) {
    wait(staging_.oldest()->last, kForever);
    slot = take();
  }
  return *slot;
}

void Device::copy_in(std::uint64_t to, std::span<const std::byte> from) {
  const std::lock_guard lock(mutex_);
  while (!from.empty()) {
    begin_submission();
    Staging::Slot& slot = take_staging();
    const std::size_t part = std::min(from.size(), staging_.buffer_bytes());
    std::memcpy(slot.buffer.host, from.data(), part);
    begin_copy().copy(to, slot.buffer.address, part);
    slot.last = submit_copy();
    to += part;
    from = from.subspan(part);
  }
}

void Device::copy_out(std::span<std::byte> to, std::uint64_t from) {
  const std::lock_guard lock(mutex_);
  // One buffer fills while the one before is read.
  Staging::Slot* previous = nullptr;
  std::span<std::byte> previous_part;
  const auto finish_previous = [&] {
    if (previous == nullptr) return;
    previous->holds_data = false;
    wait(previous->last, kForever);
    std::memcpy(previous_part.data(), previous->buffer.host, previous_part.size());
    previous = nullptr;
  };
  while (!to.empty()) {
    begin_submission();
    if (options_.staging_buffers == 1) finish_previous();
    Staging::Slot& slot = take_staging();
    const std::size_t part = std::min(to.size(), staging_.buffer_bytes());
    begin_copy().copy(slot.buffer.address, from, part);
    slot.last = submit_copy();
    slot.holds_data = true;
    finish_previous();
    previous = &slot;
    previous_part = to.subspan(0, part);
    from += part;
    to = to.subspan(part);
  }
  finish_previous();
}

Point Device::copy(std::uint64_t to, std::uint64_t from, std::size_t size) {
  const std::lock_guard lock(mutex_);
  begin_submission();
  begin_copy().copy(to, from, size);
  return submit_copy();
}

Point Device::fill(std::uint64_t to, std::uint8_t value, std::size_t size) {
  const std::lock_guard lock(mutex_);
  begin_submission();
  begin_copy().fill(to, value, size);
  return submit_copy();
}

// ---- Waiting ----

void Device::wait(Point point, milliseconds timeout) {
  if (broken_.load(std::memory_order_acquire)) throw_if_broken();
  if (timeline_.reached(point)) return;
  wait_until([this, point] { return timeline_.reached(point); }, timeout);
}

template <typename Done>
void Device::wait_until(const Done& done, milliseconds timeout) {
  FileIo& io = connection_->io();
  const Clock::time_point start = Clock::now();
  const auto passed = [](Clock::time_point since) {
    return std::chrono::duration_cast<milliseconds>(Clock::now() - since);
  };
  do {
    for (unsigned i = 0; i < kSpinsPerClock; ++i) {
      if (done()) return;
      io.relax();
    }
  } while (Clock::now() - start < kSpin);

  Clock::time_point progress = Clock::now();
  Point seen = timeline_.done();
  while (!done()) {
    const milliseconds left = timeout == kForever ? kSleep : timeout - passed(start);
    const std::optional<Error> fault = events_.sleep(std::clamp(left, milliseconds(0), kSleep));
    if (fault) break_with(*fault);
    if (done()) return;
    throw_if_broken();
    if (const Point now = timeline_.done(); now != seen) {
      seen = now;
      progress = Clock::now();
    }
    if (timeout != kForever && passed(start) >= timeout) {
      throw Error(Tag::timeout, fmt::format("{} did not finish within {} ms", info_.target, timeout.count()));
    }
    if (passed(progress) >= hang_timeout()) {
      break_with(Error(Tag::hang,
                       fmt::format("nothing ended on {} for {} ms", info_.target, hang_timeout().count()),
                       {{"at", fmt::format("point {} of {}", seen, timeline_.last())}}));
    }
    io.relax();
  }
}

void Device::throw_if_broken() {
  if (!broken_.load(std::memory_order_acquire)) return;
  const std::lock_guard lock(broken_mutex_);
  throw *broken_error_;
}

void Device::break_with(const Error& error) {
  const std::lock_guard lock(broken_mutex_);
  if (!broken_error_) broken_error_ = error;
  broken_.store(true, std::memory_order_release);
  throw *broken_error_;
}

std::optional<KernelTime> Device::kernel_time() {
  const std::lock_guard lock(mutex_);
  if (timed_point_ == 0) return std::nullopt;
  wait(timed_point_, kForever);
  return KernelTime{start_.timestamp() * kNanosecondsPerTick, end_.timestamp() * kNanosecondsPerTick};
}

}  // namespace mockgpu::runtime::amd
