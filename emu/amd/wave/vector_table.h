#pragma once
// What a level offers for the vector ALU: for each op the shape of its operands and the handlers, and the
// steps that prepare_vector puts around them. Included by the level files.
#include "emu/amd/wave/record.h"
#include "isa/amd/op.h"

namespace mockgpu::emu::amd {

/// How a handler reads a source or writes a result.
enum class LaneType : std::uint8_t {
  none,
  b16,       ///< low half of a row; results keep the other half
  b32,       ///< one row
  b64,       ///< two neighbouring rows, the low dwords first
  packed16,  ///< two 16-bit halves of a row, to which op_sel and neg of VOP3P apply one by one
  mask,      ///< one bit per lane in scalar rows (mask_of, set_mask)
};

/// What CLAMP does to a float result.
enum class ClampType : std::uint8_t { none, f16, f32, f64, packed_f16 };

inline constexpr unsigned kMaxSources = 4;

/// One op. Records of its handlers hold: `dst` the result, `src[0..2]` the sources and `aux` the rest: bits
/// 31:0 the fourth source, bits 63:32 the mask that is the second result. Constants lie in `imm` and, if it
/// is free, in the low half of `aux`. `op` holds raw modifier bits for the ops that want them.
struct VectorEntry {
  /// run[k]: bit i of k says that source i (of the first three) is uniform; run[0] takes vector rows only.
  /// Null where there is no such variant.
  Handler run[8];
  LaneType dst;
  LaneType second_dst;  ///< mask or none
  LaneType src[kMaxSources];
  std::uint8_t sources;
  ClampType clamp;
  bool raw_bits;  ///< wants the raw neg bits in Record::op instead of modified sources
};

/// Steps around an op. Vector sources and results are rows; all but those that say so ignore EXEC, as they
/// write temporaries.
struct VectorSteps {
  Handler splat32;         ///< dst = uniform src[0] in all lanes
  Handler splat64;         ///< the same for a pair of rows
  Handler modify32;        ///< dst = ((src[0] >> op) & low(imm)) ^ high(imm)
  Handler splat_modify32;  ///< the same for a uniform source
  Handler modify64;        ///< dst pair = src[0] pair, its high dword modified as in modify32
  Handler splat_modify64;
  Handler select_halves;  ///< dst halves = halves of src[0] chosen by bits 0 (low) and 1 (high) of op, then ^
                          ///< low(imm)
  Handler splat_select_halves;
  Handler copy32;         ///< dst = src[0]
  Handler masked_copy32;  ///< the same under EXEC
  Handler merge_high;     ///< under EXEC: dst = low half of dst | src[0] << 16
  Handler f16_to_f32;     ///< dst = f32 value of the low half of src[0]
  Handler clamp_f16, clamp_f32, clamp_f64, clamp_packed_f16;  ///< dst in place, under EXEC
  Handler omod_f16, omod_f32, omod_f64;  ///< dst in place, under EXEC: OMOD code in op, if MODE allows it
  Handler dpp_read;  ///< dst lane = src[0] lane chosen by nibbles of imm within rows of 16 lanes; src[1] the
                     ///< lanes whose choice is valid; op: fetch inactive lanes. Else 0.
  Handler dpp_narrow;   ///< saves EXEC in src[0], then clears the bits of lanes that DPP disables: imm and
                        ///< src[1] as above; aux: enabled lanes of the even (low half) and odd slots
  Handler dpp_restore;  ///< EXEC = src[0]
  Handler update_full;  ///< after a write of EXEC
};

struct VectorTable {
  const VectorEntry* entries[static_cast<unsigned>(isa::amd::Op::count)];
  const VectorEntry* saturating[static_cast<unsigned>(isa::amd::Op::count)];  ///< with CLAMP on integers
  VectorSteps steps;
};

}  // namespace mockgpu::emu::amd
