#include "runtime/amd/recorded_queue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "isa/object/kernarg.h"

namespace mockgpu::runtime::amd {
namespace {

constexpr std::size_t kBlockAlign = 64;

}  // namespace

RecordedComputeQueue::~RecordedComputeQueue() {
  try {
    if (bound_arguments_.size != 0) device_->release(bound_arguments_, last());
  } catch (const Error&) {
    // As for the commands.
  }
}

void RecordedComputeQueue::memory_barrier() {
  record({}, [](ComputeCommands& c) { c.memory_barrier(); });
}

void RecordedComputeQueue::exec(const Kernel& kernel, const CommandShape& shape, const Arguments& arguments) {
  begin_recording();
  const Value* const sides[] = {&shape.grid.x,  &shape.grid.y,  &shape.grid.z,
                                &shape.group.x, &shape.group.y, &shape.group.z};
  for (const Value* side : sides) check(*side);
  for (const Arguments::Symbol& symbol : arguments.symbols()) check(symbol.value);
  auto launch = std::make_unique<Launch>();
  launch->kernel = &device_->loaded_kernel(kernel);
  const LoadedKernel& loaded = *launch->kernel;
  if (loaded.object->descriptor.has(isa::object::KernelDescriptor::kDispatchId)) {
    throw Error(Tag::unsupported,
                fmt::format("kernel \"{}\" needs its dispatch id, which a recorded launch does not have",
                            kernel.name));
  }
  const std::span<const std::byte> block = arguments.recorded_bytes();
  check_arguments(loaded, block.size());
  launch->shape = shape;
  launch->symbols.assign(arguments.symbols().begin(), arguments.symbols().end());
  launch->layout = argument_layout(loaded);
  launch->offset = arguments_.size();
  arguments_.resize(launch->offset + (launch->layout.bytes + kBlockAlign - 1) / kBlockAlign * kBlockAlign);
  std::copy(block.begin(), block.end(), arguments_.begin() + static_cast<std::ptrdiff_t>(launch->offset));
  private_bytes_ = std::max(private_bytes_, loaded.private_bytes);

  // Room for the packets, whose length depends on the kernel alone.
  const std::size_t first = commands_.words().size();
  commands_.exec(make_dispatch(loaded, {}, {}, 0, 0));
  const Launch& recorded = *launch;
  launch->command = keep(first, [this, &recorded](ComputeCommands& c) { build(recorded, c); });
  for (const Value* side : sides) use(*side, launch->command);
  for (const Arguments::Symbol& symbol : launch->symbols) use(symbol.value, launch->command);
  launches_.push_back(std::move(launch));
}

void RecordedComputeQueue::bind() {
  if (bound()) return;
  if (!arguments_.empty() && bound_arguments_.size == 0) {
    bound_arguments_ = device_->allocate(arguments_.size(), MemoryKind::vram_visible);
  }
  RecordedQueue::bind();
  slot_ = {bound_arguments_.address, bound_arguments_.host};
  for (const auto& launch : launches_) mark_stale(launch->command);
}

void RecordedComputeQueue::place(const Scratch& scratch, const ArgumentRing::Slot& slot) {
  const bool moved = !bound() && slot.address != slot_.address;
  if (!bound()) slot_ = slot;
  if (!moved && scratch.generation == scratch_.generation) return;
  scratch_ = scratch;
  for (const auto& launch : launches_) mark_stale(launch->command);
}

void RecordedComputeQueue::build(const Launch& launch, ComputeCommands& commands) {
  const auto side = [this](const Value& value) {
    const std::uint64_t wide = number(value);
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(wide, 0xffffffff));
  };
  const auto dimensions = [&](const Extents& e) { return Dim3{side(e.x), side(e.y), side(e.z)}; };
  const LoadedKernel& kernel = *launch.kernel;
  LaunchShape shape;
  shape.grid = dimensions(launch.shape.grid);
  shape.group = dimensions(launch.shape.group);
  shape.dynamic_group_bytes = launch.shape.dynamic_group_bytes;
  check_shape(kernel, shape, device_->info().group_bytes);

  std::byte* const block = arguments_.data() + launch.offset;
  for (const Arguments::Symbol& symbol : launch.symbols) {
    const std::uint64_t value = number(symbol.value);
    std::memcpy(block + symbol.offset, &value, symbol.size);
  }
  isa::object::fill_hidden_arguments(kernel.object->metadata.arguments, hidden_values(shape),
                                     {block, kernel.arguments_bytes});
  const std::uint64_t address = slot_.address + launch.offset;
  if (launch.layout.has_packet) write_packet(kernel, shape, scratch_, address, block + launch.layout.packet);
  arguments_changed_ = true;
  commands.exec(make_dispatch(kernel, shape, scratch_, address, 0));
}

void RecordedComputeQueue::store_arguments() {
  if (arguments_.empty() || (bound() && !arguments_changed_)) return;
  std::memcpy(slot_.host, arguments_.data(), arguments_.size());
  arguments_changed_ = false;
}

void RecordedCopyQueue::copy(const Value& to, const Value& from, std::size_t size) {
  record({to, from}, [=, this](CopyCommands& c) { c.copy(number(to), number(from), size); });
}

void RecordedCopyQueue::fill(const Value& to, std::uint8_t value, std::size_t size) {
  record({to}, [=, this](CopyCommands& c) { c.fill(number(to), value, size); });
}

}  // namespace mockgpu::runtime::amd
