#pragma once
#include <cstdint>

#include "isa/amd/target.h"

namespace mockgpu::isa::amd {

/// What a generation does alike in all instructions, beyond what the tables say per form.
struct GenerationTraits {
  bool sdwa;               ///< SDWA in VOP1, VOP2 and VOPC
  bool dpp8;               ///< DPP8
  bool vop3_dpp;           ///< DPP in VOP3, VOP3SD, VOP3P and VOPC
  bool vop3_literal;       ///< literals in the 64-bit vector encodings
  bool literal64;          ///< 64-bit literals: selector 254
  bool true16;             ///< 16-bit operands name halves of VGPRs
  bool has_null;           ///< a null register
  bool lds_direct;         ///< LDS as a source of VALU operations
  bool th_scope;           ///< cache policy by temporal hint and scope
  bool sc_bits;            ///< cache policy by sc0, sc1 and nt
  std::uint8_t m0;         ///< selector of m0; null has the other one of 124 and 125
  std::uint8_t saddr_off;  ///< FLAT family: saddr of `off`
  std::uint8_t sgprs;      ///< numbered SGPRs; what follows up to vcc has names
};

const GenerationTraits& traits(Generation generation);

/// Whether a source selector of OperandKind::special (Scalar, instruction.h) means something there; the
/// others are reserved. As LLVM 22 has it.
bool has_special(Generation generation, unsigned selector);

constexpr bool is_gfx9(Generation g) { return g <= Generation::cdna4; }  ///< GCN 5 and CDNA
constexpr bool is_gfx10(Generation g) { return g == Generation::rdna1 || g == Generation::rdna2; }
constexpr bool is_gfx11(Generation g) { return g == Generation::rdna3 || g == Generation::rdna35; }
constexpr bool is_gfx12(Generation g) { return g == Generation::rdna4 || g == Generation::gfx1250; }

}  // namespace mockgpu::isa::amd
