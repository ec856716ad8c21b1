#include <algorithm>
#include <vector>

#include "isa/base/error.h"
#include "runtime/amd/device.h"
#include "runtime/amd/recorded_queue.h"

// What goes into the hardware's queues, and how it is ordered.

namespace mockgpu::runtime::amd {

void Device::begin_submission() {
  throw_if_broken();
  if (timeline_.full()) {
    wait(timeline_.last(), kForever);
    timeline_.restart();
    join_.set(0);
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
  return submit_to(compute_, compute_commands_.words());
}

Point Device::submit_copy() {
  copy_commands_.signal(timeline_.signal(), timeline_.value() + 1);
  if (events_.queue_event()) copy_commands_.interrupt(*events_.queue_event());
  return submit_to(copy_, copy_commands_.words());
}

void Device::make_room(Queue& queue, std::size_t words) {
  if (words * sizeof(std::uint32_t) > options_.ring_bytes / 2) {
    throw Error(Tag::bad_usage, "one submission does not fit into the queue");
  }
  if (!queue.fits(words)) wait_until([&] { return queue.fits(words); }, kForever);
}

Point Device::submit_to(Queue& queue, std::span<const std::uint32_t> words) {
  make_room(queue, words.size());
  // The point counts before the doorbell rings: a machine without threads does the work in there.
  const Point point = timeline_.advance();
  queue.submit(words);
  return point;
}

// ---- Recorded queues ----

namespace {

// A signal and an interrupt, the most that ends a submission to the compute queue.
constexpr std::size_t kComputeEndWords = 16;

// The queues of a submission by engine; each once.
struct Parts {
  std::vector<RecordedComputeQueue*> compute;
  std::vector<RecordedCopyQueue*> copy;
};

template <typename Recorded>
void add_part(std::vector<Recorded*>& parts, Recorded* queue, const Device* device) {
  if (queue->device() != device) throw Error(Tag::bad_usage, "the command queue belongs to another device");
  if (std::find(parts.begin(), parts.end(), queue) != parts.end()) {
    throw Error(Tag::bad_usage, "a command queue is twice in one submission");
  }
  parts.push_back(queue);
}

Parts split(std::span<CommandQueue* const> queues, const Device* device) {
  Parts parts;
  for (CommandQueue* queue : queues) {
    if (auto* compute = dynamic_cast<RecordedComputeQueue*>(queue)) {
      add_part(parts.compute, compute, device);
    } else if (auto* copy = dynamic_cast<RecordedCopyQueue*>(queue)) {
      add_part(parts.copy, copy, device);
    } else {
      throw Error(Tag::bad_usage, "the command queue belongs to another device");
    }
  }
  if (queues.empty()) throw Error(Tag::bad_usage, "a submission of no command queues");
  return parts;
}

}  // namespace

std::unique_ptr<ComputeQueue> Device::make_compute_queue() {
  return std::make_unique<RecordedComputeQueue>(*this);
}

std::unique_ptr<CopyQueue> Device::make_copy_queue() { return std::make_unique<RecordedCopyQueue>(*this); }

// Brings all commands up to date. Throws before anything is submitted.
void Device::prepare(std::span<RecordedComputeQueue* const> compute,
                     std::span<RecordedCopyQueue* const> copy) {
  // One slot for all: the ring knows one user of a slot.
  std::size_t ring_bytes = 0;
  for (const RecordedComputeQueue* queue : compute) {
    ensure_scratch(queue->private_bytes());
    ring_bytes += queue->ring_bytes();
  }
  ArgumentRing::Slot slot;
  if (ring_bytes != 0) slot = arguments_.take(ring_bytes, [this](Point point) { wait(point, kForever); });
  for (RecordedComputeQueue* queue : compute) {
    queue->place(scratch_, slot);
    if (queue->bound() && queue->stale()) wait(queue->last(), kForever);
    queue->refresh();
    queue->store_arguments();
    slot.address += queue->ring_bytes();
    slot.host += queue->ring_bytes();
  }
  for (RecordedCopyQueue* queue : copy) {
    if (queue->bound() && queue->stale()) wait(queue->last(), kForever);
    queue->refresh();
  }
}

Point Device::submit(std::span<CommandQueue* const> queues) {
  const Parts parts = split(queues, this);
  const std::lock_guard lock(mutex_);
  begin_submission();
  prepare(parts.compute, parts.copy);

  if (!parts.compute.empty()) {
    begin_compute();
    for (const RecordedComputeQueue* queue : parts.compute) {
      if (queue->words().empty()) continue;
      if (queue->bound()) {
        compute_commands_.indirect(queue->indirect().address, queue->words().size());
      } else {
        compute_commands_.append(queue->words());
      }
    }
  }
  const bool joined = !parts.compute.empty() && !parts.copy.empty();
  if (!parts.copy.empty()) build_copies(parts.copy, joined);

  Point point = 0;
  if (!joined) {
    point = parts.compute.empty() ? submit_copy() : submit_compute();
  } else {
    // Both engines start after the work before; the compute queue ends the submission for both. Room for all
    // comes first: one part may wait for the other.
    const std::uint32_t value = timeline_.value() + 1;
    copy_commands_.signal(join_, value);
    compute_commands_.wait(join_, value);
    make_room(compute_, compute_commands_.words().size() + kComputeEndWords);
    make_room(copy_, copy_commands_.words().size());
    copy_.submit(copy_commands_.words());
    point = submit_compute();
  }
  arguments_.used_by(point);
  for (RecordedComputeQueue* queue : parts.compute) queue->submitted(point);
  for (RecordedCopyQueue* queue : parts.copy) queue->submitted(point);
  return point;
}

void Device::build_copies(std::span<RecordedCopyQueue* const> queues, bool joined) {
  begin_copy();
  // Where calls of bound queues end in the ring matters, and so the length of the submission, known before.
  std::size_t words = copy_commands_.words().size() + CopyCommands::kSignalWords;
  if (!joined && events_.queue_event()) words += CopyCommands::kInterruptWords;
  for (const RecordedCopyQueue* queue : queues) {
    if (queue->words().empty()) continue;
    words += queue->bound() ? CopyCommands::kIndirectWords : queue->words().size();
  }
  const std::size_t start = copy_.start_of(words);
  for (const RecordedCopyQueue* queue : queues) {
    if (queue->words().empty()) continue;
    if (queue->bound()) {
      copy_commands_.indirect(queue->indirect().address, queue->indirect().size / sizeof(std::uint32_t),
                              start);
    } else {
      copy_commands_.append(queue->words());
    }
  }
}

}  // namespace mockgpu::runtime::amd
