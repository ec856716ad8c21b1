#include "isa/object/kernel_descriptor.h"

namespace mockgpu::isa::object {
namespace {

constexpr amd::NamedValue kPropertyNames[] = {
    {1u << 0, "PRIVATE_SEGMENT_BUFFER"}, {1u << 1, "DISPATCH_PTR"},      {1u << 2, "QUEUE_PTR"},
    {1u << 3, "KERNARG_SEGMENT_PTR"},    {1u << 4, "DISPATCH_ID"},       {1u << 5, "FLAT_SCRATCH_INIT"},
    {1u << 6, "PRIVATE_SEGMENT_SIZE"},   {1u << 10, "WAVEFRONT_SIZE32"}, {1u << 11, "USES_DYNAMIC_STACK"},
};

}  // namespace

void describe(const KernelDescriptor& descriptor, amd::FieldPrinter& printer) {
  printer.unsigned_number("group_segment_fixed_size", descriptor.group_segment_fixed_size);
  printer.unsigned_number("private_segment_fixed_size", descriptor.private_segment_fixed_size);
  printer.unsigned_number("kernarg_size", descriptor.kernarg_size);
  printer.number("kernel_code_entry_byte_offset", descriptor.kernel_code_entry_byte_offset);
  printer.hex("compute_pgm_rsrc3", descriptor.compute_pgm_rsrc3);
  printer.hex("compute_pgm_rsrc1", descriptor.compute_pgm_rsrc1);
  printer.hex("compute_pgm_rsrc2", descriptor.compute_pgm_rsrc2);
  printer.flags("kernel_code_properties", descriptor.kernel_code_properties, kPropertyNames);
  printer.rare("kernarg_preload", descriptor.kernarg_preload);
}

}  // namespace mockgpu::isa::object
