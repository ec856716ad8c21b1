#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/amd/instruction.h"

namespace mockgpu::isa::amd {

/// Bit fields of the encodings, by the names of AMD's manuals. The first group holds operands, the second
/// one modifiers; `implied` stands for an operand that no field names.
enum class Field : std::uint8_t {
  implied,
  vdst,
  sdst,
  ssrc0,
  ssrc1,
  simm16,
  src0,
  src1,
  src2,
  vsrc0,
  vsrc1,
  vsrc2,
  vsrc3,
  literal,
  sbase,
  sdata,
  soffset,
  addr,
  data0,
  data1,
  data,
  saddr,
  vaddr,
  vaddr1,
  vaddr2,
  vaddr3,
  vaddr4,
  vdata,
  srsrc,
  ssamp,
  scale_src0,
  scale_src1,
  vsrc,
  attr,
  attrchan,
  waitvdst,
  waitvsrc,
  tgt,
  srcx0,
  vsrcx1,
  vsrcx2,
  vdstx,
  srcy0,
  vsrcy1,
  vsrcy2,
  vdsty,
  op,
  op_hi,
  opx,
  opy,
  seg,
  abs,
  neg,
  neg_hi,
  opsel,
  opsel_hi,
  opsel_hi2,
  scale_opsel,
  scale_opsel_hi,
  scale_opsel_hi2,
  scale_neg,
  scale_neg_hi,
  negx0,
  negx1,
  negx2,
  negy0,
  negy1,
  negy2,
  clamp,
  omod,
  high,
  cbsz,
  abid,
  blgp,
  acc,
  acc_cd,
  dlc,
  glc,
  slc,
  scc,
  nv,
  th,
  scope,
  scale_offset,
  lds,
  imm,
  soffset_en,
  offset,
  offset0,
  offset1,
  gds,
  format,
  dfmt,
  nfmt,
  tfe,
  lwe,
  offen,
  idxen,
  nsa,
  dim,
  da,
  unorm,
  dmask,
  r128,
  a16,
  d16,
  sve,
  en,
  compr,
  vm,
  done,
  row_en,
  waitexp,
  count
};

/// What a source or destination field may hold. Decoding needs to know registers from selectors; the limits
/// on constants matter to an assembler only.
enum class Holds : std::uint8_t {
  v,    ///< VGPR number
  s,    ///< scalar register
  sI,   ///< scalar register or inline constant
  sL,   ///< or literal too
  vI,   ///< VGPR or inline constant
  vsI,  ///< VGPR, scalar register or inline constant
  vsL,  ///< or literal too
  vs,   ///< VGPR or scalar register
  a,    ///< accumulation VGPR
  av,   ///< VGPR or accumulation VGPR: bits acc and acc_cd say which (cdna1's vdst and src2 are always the
        ///< latter)
  avI,  ///< or inline constant
  immediate,     ///< the bits of the field are the value
  lit,           ///< the literal dword
  implied_vcc,   ///< VCC, whatever the bits
  implied_exec,  ///< EXEC, whatever the bits
};

/// Whether it is two values of 32 bits, which have the constants of one.
constexpr bool is_pair_of_32_bits(Format format) {
  return format == Format::pk2_f32 || format == Format::pk2_b32;
}

/// One operand of a form.
struct OperandSpec {
  Field field = Field::implied;
  Holds holds = Holds::v;
  Format format = Format::any;
  bool is_dst : 1 = false;
  bool is_src : 1 = false;
  bool is_hidden : 1 = false;     ///< not printed
  std::uint16_t bits = 0;         ///< width; 0: a lane mask, as wide as the wave
  std::uint16_t bits_wave64 = 0;  ///< width in wave64
};

/// Properties of a form: bits of Form::properties.
namespace property {
enum : std::uint64_t {
  none = 0,
  // Modifiers that it takes.
  mods = 1u << 0,  ///< neg and abs on float sources (VOP3P: neg_lo and neg_hi)
  neg = 1u << 1,   ///< neg alone
  clamp = 1u << 2,
  omod = 1u << 3,
  opsel = 1u << 4,
  opsel_hi = 1u << 5,
  dpp = 1u << 6,            ///< has DPP16 and DPP8 variants
  two_addresses = 1u << 7,  ///< DS: offset0 and offset1 are two offsets, not one
  // What it reads and writes besides its operands.
  exec = 1u << 8,
  mode = 1u << 9,
  vcc = 1u << 10,
  scc = 1u << 11,
  m0 = 1u << 12,
  w_exec = 1u << 13,
  w_mode = 1u << 14,
  w_vcc = 1u << 15,
  w_scc = 1u << 16,
  fp = exec | mode,
  // Control flow.
  branch = 1u << 17,
  term = 1u << 18,
  no_fallthrough = 1u << 19,
  call = 1u << 20,
  barrier = 1u << 21,
  // Memory, and the counters that it increments.
  load = 1u << 22,
  store = 1u << 23,
  atomic = 1u << 24,
  vm = 1u << 25,
  lgkm = 1u << 26,
  expc = 1u << 27,
  // Other.
  trans = 1u << 28,     ///< transcendental unit
  xml_only = 1u << 29,  ///< only in AMD's XML, no assembler knows it
  // Image addresses: what stands before the coordinates, and their number.
  a_offset = 1u << 30,
  a_bias = 1ull << 31,
  a_compare = 1ull << 32,
  a_gradient = 1ull << 33,
  a_g16 = 1ull << 34,
  a_lod = 1ull << 35,       ///< lod, lod clamp or mip level
  a_lod_only = 1ull << 36,  ///< a mip level and no coordinates
  gather4 = 1ull << 37,     ///< returns four components whatever dmask says
  bvh = 1ull << 38,
  // More modifiers.
  sdwa = 1ull << 39,         ///< has an SDWA variant
  byte_sel = 1ull << 40,     ///< op_sel chooses a byte
  bitop3 = 1ull << 41,       ///< a truth table stands in the modifier fields
  scale_sel = 1ull << 42,    ///< op_sel chooses a scale
  high = 1ull << 43,         ///< interpolation of the high half
  cbsz = 1ull << 44,         ///< MFMA: control broadcast size, or format of A
  abid = 1ull << 45,         ///< MFMA: broadcast block
  blgp = 1ull << 46,         ///< MFMA: B lane-group pattern, format of B, or (f64) neg
  index_key16 = 1ull << 47,  ///< SWMMAC: which 16-bit part of the index
  index_key32 = 1ull << 48,
  matrix_fmt = 1ull << 49,    ///< WMMA: formats of A and B
  matrix_scale = 1ull << 50,  ///< WMMA: scales of A and B and their formats
  matrix_reuse = 1ull << 51,  ///< WMMA: A or B is used again
  to_lds = 1ull << 52,        ///< with the lds bit, or always: memory to LDS
  // More counters.
  asynccnt = 1ull << 53,
  tensorcnt = 1ull << 54,
  op_sel3 = 1ull << 55,  ///< op_sel lists a third source, which the instruction lacks
};
}

/// A generation's cell of a form: its opcode, or absent.
struct Cell {
  static constexpr std::uint16_t kAbsent = 0xffff;

  std::uint16_t opcode = kAbsent;
  std::uint16_t opcode_y = kAbsent;  ///< VOPD: as Y half

  constexpr Cell() = default;
  constexpr Cell(int op) : opcode(static_cast<std::uint16_t>(op)) {}
  constexpr Cell(int x, int y)
      : opcode(static_cast<std::uint16_t>(x)), opcode_y(static_cast<std::uint16_t>(y)) {}

  constexpr bool exists() const { return opcode != kAbsent || opcode_y != kAbsent; }
};

/// Generations with a column in the form tables, in the order of the columns.
inline constexpr std::array kColumns{Generation::gfx9,  Generation::cdna1,  Generation::cdna2,
                                     Generation::cdna3, Generation::cdna4,  Generation::rdna1,
                                     Generation::rdna2, Generation::rdna3,  Generation::rdna35,
                                     Generation::rdna4, Generation::gfx1250};

/// Whether it is one of the 32-bit vector encodings.
constexpr bool is_vop_e32(Encoding encoding) {
  return encoding == Encoding::vop1 || encoding == Encoding::vop2 || encoding == Encoding::vopc;
}

/// Whether it is one of the 64-bit ones that most of those have too.
constexpr bool is_vop_e64(Encoding encoding) {
  return encoding == Encoding::vop3 || encoding == Encoding::vop3sd || encoding == Encoding::vop3p;
}

/// Whether LLVM takes every constant of its sources for a literal.
constexpr bool has_literals_only(Op op) { return op == Op::v_cvt_pk_fp8_f16 || op == Op::v_cvt_pk_bf8_f16; }

/// Whether an SDWA instruction says which part of its result it writes, and what becomes of the rest.
constexpr bool has_sdwa_destination(Op op, Encoding encoding) {
  const bool unpacks = op == Op::v_cvt_pk_f32_fp8 || op == Op::v_cvt_pk_f32_bf8 || op == Op::v_cvt_f32_fp8 ||
                       op == Op::v_cvt_f32_bf8;
  return encoding != Encoding::vopc && !unpacks;
}

/// One form of an op: an encoding with an operand list. Other operands make another form.
struct Form {
  Op op = Op::count;
  Encoding encoding = Encoding::count;
  std::uint8_t operand_count = 0;
  std::array<OperandSpec, 6> operands{};
  std::uint64_t properties = 0;
  std::array<Cell, kColumns.size()> cells{};

  bool has(std::uint64_t property) const { return (properties & property) != 0; }
  std::span<const OperandSpec> specs() const { return {operands.data(), operand_count}; }
};

/// The form tables, one span per file forms_*.inc.
std::span<const std::span<const Form>> form_tables();

/// One row of spellings.inc: what some generations call an op otherwise than ops.inc does; or of aliases.inc:
/// what an assembler reads besides.
struct Spelling {
  Op op;
  std::uint32_t generations;  ///< bit mask by Generation
  std::string_view name;
};

std::span<const Spelling> spellings();
std::span<const Spelling> aliases();

/// One row of subsets.inc: an op that only some targets of a generation have.
struct Subset {
  Op op;
  Generation generation;
  std::string_view targets;  ///< names, separated by spaces
};

std::span<const Subset> subsets();

/// Where a field stands in an encoding; length 0 if the encoding lacks it.
struct FieldPlace {
  std::uint8_t low = 0;
  std::uint8_t length = 0;
};

/// One row of encodings.inc.
struct EncodingLayout {
  std::uint32_t generations = 0;  ///< bit mask by Generation
  Encoding encoding = Encoding::count;
  std::uint8_t bits = 0;
  std::uint32_t mask = 0, value = 0;  ///< what identifies it in the first dword
  std::array<FieldPlace, static_cast<std::size_t>(Field::count)> fields{};
};

std::span<const EncodingLayout> encoding_layouts();

}  // namespace mockgpu::isa::amd
