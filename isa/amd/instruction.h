#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "isa/amd/op.h"
#include "isa/amd/target.h"

namespace mockgpu::isa::amd {

/// The op's name as in ops.inc: the LLVM mnemonic of gfx11, or of the newest generation that has it, without
/// an encoding suffix. What a generation calls it otherwise is in spellings.inc (DecodeIndex::spelling).
std::string_view op_name(Op op);

/// Encoding families. GLOBAL and SCRATCH are FLAT with another segment. gfx12's VFLAT, VGLOBAL, VSCRATCH,
/// VIMAGE, VDSDIR and VEXPORT go by the older names, VBUFFER by mubuf or mtbuf.
enum class Encoding : std::uint8_t {
  sop2,
  sopk,
  sop1,
  sopc,
  sopp,
  smem,
  vop2,
  vop1,
  vopc,
  vop3,
  vop3sd,
  vop3p,
  vinterp,
  ldsdir,
  vopd,
  ds,
  mubuf,
  mtbuf,
  mimg,
  exp,
  flat,
  global,
  scratch,
  vop3p_mai,  ///< MFMA and moves of accumulation VGPRs (CDNA)
  vop3px2,    ///< matrix operations with scales (gfx950, gfx1250)
  vintrp,     ///< interpolation before gfx11
  vopd3,      ///< dual instruction with three sources (gfx1250)
  vsample,    ///< images with a sampler (gfx12)
  count
};

/// How the bits of an operand are read. Names follow the tables of the facts; packed formats give lanes x
/// type.
enum class Format : std::uint8_t {
  any,
  b8,
  b16,
  b32,
  b64,
  b96,
  b128,
  b256,
  b512,
  i8,
  u8,
  i16,
  u16,
  i24,
  u24,
  i32,
  u32,
  i64,
  u64,
  f16,
  bf16,
  f32,
  f64,
  pk2_f16,
  pk2_bf16,
  pk2_i16,
  pk2_u16,
  pk2_b16,
  pk2_f32,
  pk2_b32,
  pk2_u8,
  pk4_i8,
  pk4_u8,
  pk4_iu8,
  pk8_i4,
  pk8_u4,
  pk8_iu4,
  lanemask,  ///< one bit per lane: 32 or 64 bits wide by wave size
  matrix,    ///< WMMA/MFMA operand: the op knows its layout
  resource,
  sampler,
  other,
};

/// Where an operand lives.
enum class OperandKind : std::uint8_t {
  none,      ///< absent in this instruction; its place in the list is kept
  vgpr,      ///< `index` = first VGPR
  agpr,      ///< accumulation VGPR (CDNA)
  sgpr,      ///< `index` = scalar selector 0..127 as encoded: 0..105 s (102..105 flat_scratch and xnack_mask
             ///< before gfx10), 106/107 vcc, 108..123 ttmp, null/m0 (see Scalar), 126/127 exec
  special,   ///< `index` = other scalar source selector: 230.. flat_scratch_base, 235..238 apertures, 251
             ///< vccz, 252 execz, 253 scc
  constant,  ///< inline constant or literal: `value` holds the bits at the operand's width, already extended;
             ///< packed 16-bit operands: the 32-bit pattern before op_sel (float constants of pk2_f16 and
             ///< pk2_bf16 in the low half only, integers sign-extended to 32 bits)
  immediate,  ///< an instruction field (simm16, ...): `value`, sign-extended where the field is signed
};

/// Selector numbers of OperandKind::sgpr and ::special on gfx11+ (m0 and null are swapped on gfx10: the
/// decoder normalises to these, so that code after it never sees the difference).
namespace scalar {
inline constexpr std::uint16_t vcc_lo = 106, vcc_hi = 107, ttmp0 = 108, null = 124, m0 = 125, exec_lo = 126,
                               exec_hi = 127, flat_scratch_base_lo = 230, flat_scratch_base_hi = 231,
                               shared_base = 235, shared_limit = 236, private_base = 237, private_limit = 238,
                               pops_exiting_wave_id = 239, vccz = 251, execz = 252, scc = 253,
                               lds_direct = 254;
}

/// One operand of a decoded instruction, with everything that encodes it resolved.
struct Operand {
  OperandKind kind = OperandKind::none;
  Format format = Format::any;
  std::uint8_t dwords =
      1;  ///< registers it covers (1 also for 16-bit operands; lane masks: 1 in wave32, 2 in wave64)
  std::uint8_t bits = 32;  ///< width of the value: 16, 32, 64, 96, 128; 0 if it is wider (`dwords` tells)
  bool is_dst : 1 = false;
  bool is_src : 1 = false;      ///< both: read and written (fmac, swap)
  bool neg : 1 = false;         ///< source modifier; for VOP3P: of the low half
  bool abs : 1 = false;         ///< source modifier; for VOP3P: neg_hi
  bool sext : 1 = false;        ///< SDWA
  bool high : 1 = false;        ///< 16-bit operand in the high half (true16 bit or op_sel); for VOP3P: op_sel
  bool high2 : 1 = false;       ///< VOP3P: op_sel_hi
  bool is_literal : 1 = false;  ///< constant that came from a literal dword
  bool wide_literal : 1 = false;  ///< that has 64 bits (gfx1250)
  bool tied : 1 = false;    ///< repeats a register named elsewhere or implied (vcc of a carry form), not
                            ///< printed by its own field
  std::uint16_t index = 0;  ///< first register or selector
  std::uint64_t value = 0;  ///< constant or immediate
};

/// DPP of a decoded instruction. `none` if it has none.
enum class DppKind : std::uint8_t { none, dpp16, dpp8 };

/// Decoded instruction-wide modifiers. Fields that the form lacks are zero.
struct Modifiers {
  bool clamp : 1 = false;
  std::uint8_t omod : 2 = 0;  ///< 0 none, 1 *2, 2 *4, 3 /2
  bool glc : 1 = false;
  bool slc : 1 = false;
  bool dlc : 1 = false;
  bool gds : 1 = false;
  bool tfe : 1 = false;
  bool lwe : 1 = false;
  bool offen : 1 = false;
  bool idxen : 1 = false;
  bool unorm : 1 = false;
  bool r128 : 1 = false;
  bool a16 : 1 = false;
  bool d16 : 1 = false;
  bool sve : 1 = false;           ///< SCRATCH: vaddr is used
  bool lds : 1 = false;           ///< the lds bit: memory to LDS (before gfx11)
  bool scc : 1 = false;           ///< cache policy: scc (gfx90a), sc1 (gfx942; glc is sc0 and slc nt there)
  bool nv : 1 = false;            ///< non-volatile
  bool smem_offset : 1 = false;   ///< SMEM: an immediate offset stands beside the SGPR, be it 0 (gfx9, gfx12)
  bool scale_offset : 1 = false;  ///< gfx1250: the offset register is scaled by the size of the access
  bool da : 1 = false;            ///< image array (gfx9)
  bool high : 1 = false;          ///< interpolation of the high half
  bool sdwa : 1 = false;          ///< sub-dword addressing; operands' sext, neg and abs are its too
  bool matrix_a_reuse : 1 = false;
  bool matrix_b_reuse : 1 = false;
  bool exp_compressed : 1 = false;  ///< EXP: compr
  bool exp_valid_mask : 1 = false;  ///< EXP: vm
  bool dpp_fi : 1 = false;
  bool dpp_bound_ctrl : 1 = false;
  DppKind dpp = DppKind::none;
  std::uint16_t dpp_ctrl = 0;  ///< DPP16 control, 9 bits
  std::uint8_t dpp_row_mask = 0xf;
  std::uint8_t dpp_bank_mask = 0xf;
  std::array<std::uint8_t, 8> dpp8{};  ///< DPP8 selectors
  std::uint8_t dmask = 0, dim = 0, nsa = 0;
  std::uint8_t format = 0;  ///< MTBUF: format; on gfx9 and CDNA dfmt in bits 3:0, nfmt in bits 6:4
  std::uint8_t th = 0,
               scope =
                   0;  ///< gfx12 cache policy: temporal hint and scope (glc is set where an atomic returns)
  std::uint8_t sdwa_dst_sel = 6, sdwa_dst_unused = 0;  ///< SDWA selectors: 0..3 byte, 4, 5 word, 6 dword
  std::uint8_t sdwa_src0_sel = 6, sdwa_src1_sel = 6;
  std::uint8_t cbsz = 0, abid = 0, blgp = 0;  ///< MFMA
  std::uint8_t bitop3 = 0;                    ///< truth table of v_bitop3 and v_bitop2
  std::uint8_t matrix_a_fmt = 0,
               matrix_b_fmt = 0;  ///< WMMA on gfx1250: formats, scales and formats of scales
  std::uint8_t matrix_a_scale = 0, matrix_b_scale = 0, matrix_a_scale_fmt = 0, matrix_b_scale_fmt = 0;
  std::uint8_t op_sel =
      0;  ///< raw op_sel bits, for the ops that give them their own meaning (permlane, dot, wmma)
  std::uint8_t op_sel_hi = 0;
  std::uint8_t neg = 0,
               neg_hi = 0;  ///< raw bits, for the ops that give them their own meaning (dot iu, wmma)
  std::int32_t offset = 0;  ///< memory offset in bytes (sign-extended), DS 16-bit offset
  std::uint8_t offset0 = 0, offset1 = 0;  ///< DS two-address forms, in elements (`offset` is 0 there)
  std::uint8_t wait_exp = 0;              ///< VINTERP
  std::uint8_t exp_enable = 0;            ///< EXP: enabled components
  bool exp_done : 1 = false;              ///< EXP
  bool exp_row_en : 1 = false;            ///< EXP
};

struct Form;

/// One decoded instruction: pure data, target-independent meaning.
///
/// Operands stand in assembler order, and each form has fixed positions: what an instruction lacks keeps its
/// place with kind `none` (vdst of an atomic without glc, saddr or vaddr `off`, soffset `null` of SMEM, vaddr
/// of a buffer access without offen and idxen). Only the addresses of image instructions vary in number.
///   VOP        vdst, [sdst,] src0, src1, src2        VOPC     mask, src0, src1
///   SOP        sdst, src0, src1                      SOPK     sdst, simm16 (s_setreg: simm16, sdst)
///   SMEM       sdst, sbase, soffset                  DS       [vdst,] addr, data0, data1
///   MUBUF      vdata, vaddr, srsrc, soffset          FLAT     [vdst,] vaddr, [vdata]
///   GLOBAL, SCRATCH  [vdst,] vaddr, [vdata,] saddr   MIMG     vdata, vaddr..., srsrc, [ssamp]
/// Implied operands are present too, with `tied` set: vcc of VOPC (first), of the VOP2 carry forms (second
/// and last), of cndmask and div_fmas (last), and exec as the destination of v_cmpx (first, in VOPC and
/// VOP3). VGPR addresses of GLOBAL have 2 dwords without saddr and 1 with it; of buffers as many as offen and
/// idxen ask for (index first). SGPR numbers of wide operands are aligned as hardware does (pairs to 2, wider
/// ones to 4). VOPD: operands of the X half come first, those of the Y half start at `y_begin`; `op` and
/// `form` are X's, `op_y` and `form_y` are Y's.
struct Instruction {
  const Form* form = nullptr;
  const Form* form_y = nullptr;
  Op op = Op::count;
  Op op_y = Op::count;
  Encoding encoding = Encoding::count;
  std::uint8_t size = 0;  ///< bytes: 4, 8, 12, 16 or more (NSA)
  std::uint8_t operand_count = 0;
  std::uint8_t y_begin = 0;
  std::uint32_t literal = 0;     ///< the literal dword as it stands in the code, if an operand is one
  std::uint32_t literal_hi = 0;  ///< its second dword, if it has 64 bits (gfx1250)
  std::array<Operand, 16> operands{};
  Modifiers mods{};

  std::span<const Operand> ops() const { return {operands.data(), operand_count}; }
};

/// Properties of a form that execution needs (row data).
struct FormFlags {
  bool branch;          ///< may set pc: s_branch, s_cbranch_*, s_setpc_b64, s_swappc_b64, s_call_b64
  bool terminator;      ///< ends a basic block: branches and ends of the program
  bool no_fallthrough;  ///< the next instruction is not reached from here (s_branch, s_setpc_b64, s_endpgm)
  bool barrier;         ///< s_barrier
  bool call;            ///< s_swappc_b64, s_call_b64
  bool load, store, atomic;
  bool vmcnt, lgkmcnt, expcnt;  ///< counters that it increments
  bool asynccnt, tensorcnt;
  bool trans;  ///< runs in the transcendental unit
  /// Read and written by the op itself, whether a tied operand stands for it or none does.
  bool reads_vcc, writes_vcc, reads_exec, writes_exec, reads_scc, writes_scc;
  bool reads_m0, reads_mode, writes_mode;
  bool approximate;  ///< the op's result is approximate on hardware (ops.inc)
};
FormFlags form_flags(const Form& form);

/// Decodes the instruction at the start of `bytes` (little endian; at least the bytes that are left of the
/// code). wave64 chooses the width of lane masks. Returns false if the bytes are no instruction of the target
/// or end too early; `out.size` is then the number of bytes to skip: 4, or fewer if no more are left. Bits
/// that the form does not use are ignored, as hardware does. Thread-safe.
bool decode(const Target& target, std::span<const std::byte> bytes, bool wave64, Instruction& out);

}  // namespace mockgpu::isa::amd
