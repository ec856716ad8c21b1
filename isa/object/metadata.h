#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The NT_AMDGPU_METADATA note of code objects v3 and later: a MessagePack map that describes the kernels and
/// their arguments (LLVM AMDGPU usage guide, "Code Object Metadata").
namespace mockgpu::isa::object {

/// `.value_kind` of an argument.
enum class ValueKind : std::uint8_t {
#define VALUE_KIND(name) name,
#include "isa/object/value_kinds.inc"
#undef VALUE_KIND
  unknown,
};
/// The spelling in metadata, e.g. `hidden_block_count_x`; `unknown` for a kind that this program does not
/// know.
std::string_view value_kind_name(ValueKind kind);

/// One argument of a kernel, in the order of the metadata.
struct KernelArgument {
  std::string name;          ///< may be empty
  std::string type_name;     ///< source spelling, e.g. `float*`; may be empty
  std::uint32_t offset = 0;  ///< in the kernarg segment
  std::uint32_t size = 0;    ///< bytes
  ValueKind kind = ValueKind::unknown;
  std::string kind_name;  ///< as in the file, also for unknown kinds
  bool hidden = false;    ///< filled by the runtime, not by the caller

  bool is_pointer() const {
    return kind == ValueKind::global_buffer || kind == ValueKind::dynamic_shared_pointer;
  }
};

/// What the metadata says about one kernel. Sizes are bytes.
struct KernelMetadata {
  std::string name;    ///< `.name`, e.g. `vecadd`
  std::string symbol;  ///< `.symbol`, e.g. `vecadd.kd`
  std::vector<KernelArgument> arguments;
  std::uint32_t kernarg_segment_size = 0;
  std::uint32_t kernarg_segment_align = 0;
  std::uint32_t group_segment_fixed_size = 0;
  std::uint32_t private_segment_fixed_size = 0;
  std::uint32_t wavefront_size = 0;
  std::uint32_t max_flat_workgroup_size = 0;           ///< work-items
  std::array<std::uint32_t, 3> reqd_workgroup_size{};  ///< zeros: none required
  std::uint32_t sgpr_count = 0;
  std::uint32_t vgpr_count = 0;
  std::uint32_t agpr_count = 0;
  bool uses_dynamic_stack = false;
};

/// The whole note.
struct Metadata {
  std::uint32_t version_major = 0;
  std::uint32_t version_minor = 0;
  std::string target;  ///< `amdhsa.target`, e.g. `amdgcn-amd-amdhsa--gfx1100`
  std::vector<KernelMetadata> kernels;
};

/// Parses the note's MessagePack bytes. Throws Error(bad_file) that says what is wrong; malformed input costs
/// time and memory proportional to its size. `file` names the code object in messages.
Metadata parse_metadata(std::span<const std::byte> bytes, std::string_view file);

}  // namespace mockgpu::isa::object
