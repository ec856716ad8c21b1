#include "isa/amd/commands/aql.h"

#include <fmt/core.h>

#include <string>

namespace mockgpu::isa::amd::aql {
namespace {

constexpr NamedValue kTypeNames[] = {{0, "vendor"},      {1, "invalid"},        {2, "kernel_dispatch"},
                                     {3, "barrier_and"}, {4, "agent_dispatch"}, {5, "barrier_or"}};
constexpr NamedValue kScopeNames[] = {{0, "none"}, {1, "agent"}, {2, "system"}};

void describe_header(std::uint16_t header, FieldPrinter& printer) {
  printer.choice("type", kHeaderType.get(header), kTypeNames);
  printer.unsigned_number("barrier", kHeaderBarrier.get(header));
  printer.choice("acquire", kHeaderAcquire.get(header), kScopeNames);
  printer.choice("release", kHeaderRelease.get(header), kScopeNames);
}

}  // namespace

void describe(const KernelDispatch& packet, FieldPrinter& printer) {
  describe_header(packet.header, printer);
  printer.unsigned_number("dimensions", packet.setup & 3u);
  printer.text("workgroup_size", fmt::format("[{}, {}, {}]", packet.workgroup_size_x, packet.workgroup_size_y,
                                             packet.workgroup_size_z));
  printer.text("grid_size",
               fmt::format("[{}, {}, {}]", packet.grid_size_x, packet.grid_size_y, packet.grid_size_z));
  printer.unsigned_number("private_segment_size", packet.private_segment_size);
  printer.unsigned_number("group_segment_size", packet.group_segment_size);
  printer.hex("kernel_object", packet.kernel_object);
  printer.hex("kernarg_address", packet.kernarg_address);
  printer.hex("completion_signal", packet.completion_signal);
}

void describe(const Barrier& packet, FieldPrinter& printer) {
  describe_header(packet.header, printer);
  printer.text("dep_signal",
               fmt::format("[{:#x}, {:#x}, {:#x}, {:#x}, {:#x}]", packet.dep_signal[0], packet.dep_signal[1],
                           packet.dep_signal[2], packet.dep_signal[3], packet.dep_signal[4]));
  printer.hex("completion_signal", packet.completion_signal);
}

void describe(const AgentDispatch& packet, FieldPrinter& printer) {
  describe_header(packet.header, printer);
  printer.unsigned_number("agent_type", packet.type);
  printer.hex("return_address", packet.return_address);
  printer.text("arg", fmt::format("[{:#x}, {:#x}, {:#x}, {:#x}]", packet.arg[0], packet.arg[1], packet.arg[2],
                                  packet.arg[3]));
  printer.hex("completion_signal", packet.completion_signal);
}

void describe(const VendorPm4Ib& packet, FieldPrinter& printer) {
  describe_header(packet.header, printer);
  printer.unsigned_number("format", packet.format);
  printer.text("ib_jump", fmt::format("[{:#x}, {:#x}, {:#x}, {:#x}]", packet.ib_jump[0], packet.ib_jump[1],
                                      packet.ib_jump[2], packet.ib_jump[3]));
  printer.unsigned_number("remaining_words", packet.remaining_words);
  printer.hex("completion_signal", packet.completion_signal);
}

void describe(const Signal& signal, FieldPrinter& printer) {
  printer.number("kind", signal.kind);
  printer.number("value", static_cast<std::int64_t>(signal.value));
  printer.hex("event_mailbox_ptr", signal.event_mailbox_ptr);
  printer.unsigned_number("event_id", signal.event_id);
  printer.unsigned_number("start_ts", signal.start_ts);
  printer.unsigned_number("end_ts", signal.end_ts);
  printer.hex("queue_ptr", signal.queue_ptr);
}

void describe(const Queue& queue, FieldPrinter& printer) {
  printer.unsigned_number("type", queue.type);
  printer.hex("features", queue.features);
  printer.hex("base_address", queue.base_address);
  printer.hex("doorbell_signal", queue.doorbell_signal);
  printer.unsigned_number("size", queue.size);
  printer.unsigned_number("id", queue.id);
  printer.hex("caps", queue.caps);
  printer.unsigned_number("write_dispatch_id", queue.write_dispatch_id);
  printer.hex("group_segment_aperture_base_hi", queue.group_segment_aperture_base_hi);
  printer.hex("private_segment_aperture_base_hi", queue.private_segment_aperture_base_hi);
  printer.unsigned_number("max_cu_id", queue.max_cu_id);
  printer.unsigned_number("max_wave_id", queue.max_wave_id);
  printer.unsigned_number("max_legacy_doorbell_dispatch_id_plus_1",
                          queue.max_legacy_doorbell_dispatch_id_plus_1);
  printer.unsigned_number("legacy_doorbell_lock", queue.legacy_doorbell_lock);
  printer.unsigned_number("read_dispatch_id", queue.read_dispatch_id);
  printer.unsigned_number("read_dispatch_id_field_base_byte_offset",
                          queue.read_dispatch_id_field_base_byte_offset);
  printer.hex("compute_tmpring_size", queue.compute_tmpring_size);
  printer.text("scratch_resource_descriptor",
               fmt::format("[{:#x}, {:#x}, {:#x}, {:#x}]", queue.scratch_resource_descriptor[0],
                           queue.scratch_resource_descriptor[1], queue.scratch_resource_descriptor[2],
                           queue.scratch_resource_descriptor[3]));
  printer.hex("scratch_backing_memory_location", queue.scratch_backing_memory_location);
  printer.unsigned_number("scratch_backing_memory_byte_size", queue.scratch_backing_memory_byte_size);
  printer.unsigned_number("scratch_wave64_lane_byte_size", queue.scratch_wave64_lane_byte_size);
  printer.hex("queue_properties", queue.queue_properties);
  printer.unsigned_number("scratch_max_use_index", queue.scratch_max_use_index);
  printer.hex("queue_inactive_signal", queue.queue_inactive_signal);
}

}  // namespace mockgpu::isa::amd::aql
