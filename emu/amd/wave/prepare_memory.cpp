// Vector memory instructions to records: which handler, which rows, which offset. What is not understood in
// full is refused, so that it is reported by name.
#include <array>
#include <optional>

#include "emu/amd/wave/lane_kernels.h"
#include "emu/amd/wave/memory_table.h"
#include "emu/amd/wave/prepare.h"

namespace mockgpu::emu::amd {

namespace {

using isa::amd::Instruction;
using isa::amd::Op;
using isa::amd::Operand;
using isa::amd::OperandKind;

/// What an op does, whatever memory it addresses.
enum class Action : std::uint8_t {
  none,  ///< not a memory op, or one without semantics
  load,
  store,
  load2,
  store2,
  atomic,
  exchange2,
  load_addtid,
  store_addtid,
  append,
  permute,
  bpermute,
  swizzle,
  typed_load,
  typed_store,
  nothing,  ///< no effect in an engine that runs in order
};

struct Meaning {
  Action action = Action::none;
  std::uint8_t kind = 0;    ///< LoadKind, StoreKind, AtomicOp, ds_consume: 1, typed: kTypedComponents...
  std::uint16_t scale = 1;  ///< bytes that a two-address offset counts
  bool wide = false;        ///< atomics: 64 bits
};

using Meanings = std::array<Meaning, static_cast<std::size_t>(Op::count)>;

Meanings all_meanings() {
  Meanings all{};
  const auto set = [&all](Op op, Action action, auto kind, unsigned scale = 1, bool wide = false) {
    all[static_cast<std::size_t>(op)] = {action, static_cast<std::uint8_t>(kind),
                                         static_cast<std::uint16_t>(scale), wide};
  };

#define MOCKGPU_LOADS(space)                                 \
  set(Op::space##_load_u8, Action::load, LoadKind::u8);      \
  set(Op::space##_load_i8, Action::load, LoadKind::i8);      \
  set(Op::space##_load_u16, Action::load, LoadKind::u16);    \
  set(Op::space##_load_i16, Action::load, LoadKind::i16);    \
  set(Op::space##_load_b32, Action::load, LoadKind::b32);    \
  set(Op::space##_load_b64, Action::load, LoadKind::b64);    \
  set(Op::space##_load_b96, Action::load, LoadKind::b96);    \
  set(Op::space##_load_b128, Action::load, LoadKind::b128);  \
  set(Op::space##_store_b8, Action::store, StoreKind::b8);   \
  set(Op::space##_store_b16, Action::store, StoreKind::b16); \
  set(Op::space##_store_b32, Action::store, StoreKind::b32); \
  set(Op::space##_store_b64, Action::store, StoreKind::b64); \
  set(Op::space##_store_b96, Action::store, StoreKind::b96); \
  set(Op::space##_store_b128, Action::store, StoreKind::b128)
#define MOCKGPU_D16(space)                                               \
  set(Op::space##_load_d16_u8, Action::load, LoadKind::d16_u8);          \
  set(Op::space##_load_d16_i8, Action::load, LoadKind::d16_i8);          \
  set(Op::space##_load_d16_b16, Action::load, LoadKind::d16_b16);        \
  set(Op::space##_load_d16_hi_u8, Action::load, LoadKind::d16_hi_u8);    \
  set(Op::space##_load_d16_hi_i8, Action::load, LoadKind::d16_hi_i8);    \
  set(Op::space##_load_d16_hi_b16, Action::load, LoadKind::d16_hi_b16);  \
  set(Op::space##_store_d16_hi_b8, Action::store, StoreKind::d16_hi_b8); \
  set(Op::space##_store_d16_hi_b16, Action::store, StoreKind::d16_hi_b16)
#define MOCKGPU_ATOMIC(name, op, wide) set(Op::name, Action::atomic, AtomicOp::op, 1, wide)
#define MOCKGPU_ATOMICS(space)                                      \
  MOCKGPU_ATOMIC(space##_atomic_swap_b32, swap, false);             \
  MOCKGPU_ATOMIC(space##_atomic_cmpswap_b32, cmpswap, false);       \
  MOCKGPU_ATOMIC(space##_atomic_add_u32, add, false);               \
  MOCKGPU_ATOMIC(space##_atomic_sub_u32, sub, false);               \
  MOCKGPU_ATOMIC(space##_atomic_min_i32, smin, false);              \
  MOCKGPU_ATOMIC(space##_atomic_min_u32, umin, false);              \
  MOCKGPU_ATOMIC(space##_atomic_max_i32, smax, false);              \
  MOCKGPU_ATOMIC(space##_atomic_max_u32, umax, false);              \
  MOCKGPU_ATOMIC(space##_atomic_and_b32, bit_and, false);           \
  MOCKGPU_ATOMIC(space##_atomic_or_b32, bit_or, false);             \
  MOCKGPU_ATOMIC(space##_atomic_xor_b32, bit_xor, false);           \
  MOCKGPU_ATOMIC(space##_atomic_inc_u32, inc, false);               \
  MOCKGPU_ATOMIC(space##_atomic_dec_u32, dec, false);               \
  MOCKGPU_ATOMIC(space##_atomic_cmpswap_f32, float_cmpswap, false); \
  MOCKGPU_ATOMIC(space##_atomic_min_f32, float_min, false);         \
  MOCKGPU_ATOMIC(space##_atomic_max_f32, float_max, false);         \
  MOCKGPU_ATOMIC(space##_atomic_add_f32, float_add, false);         \
  MOCKGPU_ATOMIC(space##_atomic_swap_b64, swap, true);              \
  MOCKGPU_ATOMIC(space##_atomic_cmpswap_b64, cmpswap, true);        \
  MOCKGPU_ATOMIC(space##_atomic_add_u64, add, true);                \
  MOCKGPU_ATOMIC(space##_atomic_sub_u64, sub, true);                \
  MOCKGPU_ATOMIC(space##_atomic_min_i64, smin, true);               \
  MOCKGPU_ATOMIC(space##_atomic_min_u64, umin, true);               \
  MOCKGPU_ATOMIC(space##_atomic_max_i64, smax, true);               \
  MOCKGPU_ATOMIC(space##_atomic_max_u64, umax, true);               \
  MOCKGPU_ATOMIC(space##_atomic_and_b64, bit_and, true);            \
  MOCKGPU_ATOMIC(space##_atomic_or_b64, bit_or, true);              \
  MOCKGPU_ATOMIC(space##_atomic_xor_b64, bit_xor, true);            \
  MOCKGPU_ATOMIC(space##_atomic_inc_u64, inc, true);                \
  MOCKGPU_ATOMIC(space##_atomic_dec_u64, dec, true)
#define MOCKGPU_DS_ATOMIC(before, after, op, wide) \
  MOCKGPU_ATOMIC(ds_##before##_##after, op, wide); \
  MOCKGPU_ATOMIC(ds_##before##_rtn_##after, op, wide)
#define MOCKGPU_DS_ATOMICS(bits, wide)                       \
  MOCKGPU_DS_ATOMIC(add, u##bits, add, wide);                \
  MOCKGPU_DS_ATOMIC(sub, u##bits, sub, wide);                \
  MOCKGPU_DS_ATOMIC(rsub, u##bits, rsub, wide);              \
  MOCKGPU_DS_ATOMIC(inc, u##bits, inc, wide);                \
  MOCKGPU_DS_ATOMIC(dec, u##bits, dec, wide);                \
  MOCKGPU_DS_ATOMIC(min, i##bits, smin, wide);               \
  MOCKGPU_DS_ATOMIC(max, i##bits, smax, wide);               \
  MOCKGPU_DS_ATOMIC(min, u##bits, umin, wide);               \
  MOCKGPU_DS_ATOMIC(max, u##bits, umax, wide);               \
  MOCKGPU_DS_ATOMIC(and, b##bits, bit_and, wide);            \
  MOCKGPU_DS_ATOMIC(or, b##bits, bit_or, wide);              \
  MOCKGPU_DS_ATOMIC(xor, b##bits, bit_xor, wide);            \
  MOCKGPU_DS_ATOMIC(mskor, b##bits, mskor, wide);            \
  MOCKGPU_DS_ATOMIC(cmpstore, b##bits, cmpswap, wide);       \
  MOCKGPU_DS_ATOMIC(cmpstore, f##bits, float_cmpswap, wide); \
  MOCKGPU_DS_ATOMIC(min, f##bits, float_min, wide);          \
  MOCKGPU_DS_ATOMIC(max, f##bits, float_max, wide);          \
  MOCKGPU_ATOMIC(ds_storexchg_rtn_b##bits, swap, wide)
#define MOCKGPU_TWO(op, action, kind, bytes)                               \
  set(Op::ds_##op##2addr_b##kind, action,                                  \
      action == Action::load2 ? static_cast<unsigned>(LoadKind::b##kind)   \
                              : static_cast<unsigned>(StoreKind::b##kind), \
      bytes);                                                              \
  set(Op::ds_##op##2addr_stride64_b##kind, action,                         \
      action == Action::load2 ? static_cast<unsigned>(LoadKind::b##kind)   \
                              : static_cast<unsigned>(StoreKind::b##kind), \
      bytes * 64)

  MOCKGPU_LOADS(global);
  MOCKGPU_LOADS(flat);
  MOCKGPU_LOADS(scratch);
  MOCKGPU_LOADS(buffer);
  MOCKGPU_LOADS(ds);
  MOCKGPU_D16(global);
  MOCKGPU_D16(flat);
  MOCKGPU_D16(scratch);
  MOCKGPU_D16(buffer);
  MOCKGPU_ATOMICS(global);
  MOCKGPU_ATOMICS(flat);
  MOCKGPU_ATOMICS(buffer);
  MOCKGPU_ATOMIC(global_atomic_csub_u32, csub, false);
  MOCKGPU_ATOMIC(buffer_atomic_csub_u32, csub, false);
  MOCKGPU_DS_ATOMICS(32, false);
  MOCKGPU_DS_ATOMICS(64, true);
  MOCKGPU_DS_ATOMIC(add, f32, float_add, false);
  MOCKGPU_ATOMIC(ds_wrap_rtn_b32, wrap, false);
  MOCKGPU_ATOMIC(ds_condxchg32_rtn_b64, condxchg, true);

  set(Op::ds_load_u8_d16, Action::load, LoadKind::d16_u8);
  set(Op::ds_load_i8_d16, Action::load, LoadKind::d16_i8);
  set(Op::ds_load_u16_d16, Action::load, LoadKind::d16_b16);
  set(Op::ds_load_u8_d16_hi, Action::load, LoadKind::d16_hi_u8);
  set(Op::ds_load_i8_d16_hi, Action::load, LoadKind::d16_hi_i8);
  set(Op::ds_load_u16_d16_hi, Action::load, LoadKind::d16_hi_b16);
  set(Op::ds_store_b8_d16_hi, Action::store, StoreKind::d16_hi_b8);
  set(Op::ds_store_b16_d16_hi, Action::store, StoreKind::d16_hi_b16);
  MOCKGPU_TWO(load_, Action::load2, 32, 4);
  MOCKGPU_TWO(load_, Action::load2, 64, 8);
  MOCKGPU_TWO(store_, Action::store2, 32, 4);
  MOCKGPU_TWO(store_, Action::store2, 64, 8);
  set(Op::ds_storexchg_2addr_rtn_b32, Action::exchange2, AtomicOp::swap, 4, false);
  set(Op::ds_storexchg_2addr_rtn_b64, Action::exchange2, AtomicOp::swap, 8, true);
  set(Op::ds_storexchg_2addr_stride64_rtn_b32, Action::exchange2, AtomicOp::swap, 4 * 64, false);
  set(Op::ds_storexchg_2addr_stride64_rtn_b64, Action::exchange2, AtomicOp::swap, 8 * 64, true);

  set(Op::global_load_addtid_b32, Action::load_addtid, LoadKind::b32);
  set(Op::global_store_addtid_b32, Action::store_addtid, StoreKind::b32);
  set(Op::ds_load_addtid_b32, Action::load_addtid, LoadKind::b32);
  set(Op::ds_store_addtid_b32, Action::store_addtid, StoreKind::b32);
  set(Op::ds_append, Action::append, 0);
  set(Op::ds_consume, Action::append, 1);
  set(Op::ds_permute_b32, Action::permute, 0);
  set(Op::ds_bpermute_b32, Action::bpermute, 0);
  set(Op::ds_swizzle_b32, Action::swizzle, 0);

  const auto typed = [&set](Op load, Op store, unsigned kind) {
    set(load, Action::typed_load, kind);
    set(store, Action::typed_store, kind);
  };
#define MOCKGPU_TYPED(space, letters, components)                                           \
  typed(Op::space##_load_format_##letters, Op::space##_store_format_##letters, components); \
  typed(Op::space##_load_d16_format_##letters, Op::space##_store_d16_format_##letters,      \
        (components) | kTypedD16)
  MOCKGPU_TYPED(buffer, x, 1);
  MOCKGPU_TYPED(buffer, xy, 2);
  MOCKGPU_TYPED(buffer, xyz, 3);
  MOCKGPU_TYPED(buffer, xyzw, 4);
  MOCKGPU_TYPED(tbuffer, x, 1);
  MOCKGPU_TYPED(tbuffer, xy, 2);
  MOCKGPU_TYPED(tbuffer, xyz, 3);
  MOCKGPU_TYPED(tbuffer, xyzw, 4);
  typed(Op::buffer_load_d16_hi_format_x, Op::buffer_store_d16_hi_format_x, 1 | kTypedD16 | kTypedHigh);

  set(Op::ds_nop, Action::nothing, 0);
  set(Op::buffer_gl0_inv, Action::nothing, 0);
  set(Op::buffer_gl1_inv, Action::nothing, 0);
  return all;
}
#undef MOCKGPU_LOADS
#undef MOCKGPU_D16
#undef MOCKGPU_ATOMIC
#undef MOCKGPU_ATOMICS
#undef MOCKGPU_DS_ATOMIC
#undef MOCKGPU_DS_ATOMICS
#undef MOCKGPU_TWO
#undef MOCKGPU_TYPED

/// The operands of an instruction, taken in order. An operand that is not what was asked for makes it fail.
class Operands {
 public:
  explicit Operands(const Instruction& instruction) : operands_(instruction.ops()) {}

  bool failed() const { return failed_; }
  bool next_is_dst() const { return at_ < operands_.size() && operands_[at_].is_dst; }

  /// Row of a VGPR operand that must be there.
  std::uint32_t vector() {
    const Operand& operand = take();
    if (operand.kind != OperandKind::vgpr) return fail();
    return Gang::vgpr_offset(operand.index);
  }
  /// Row of a VGPR operand that may be absent.
  std::optional<std::uint32_t> optional_vector() {
    if (peek().kind == OperandKind::none) return take(), std::nullopt;
    return vector();
  }
  /// Row of an SGPR operand that may be absent.
  std::optional<std::uint32_t> optional_scalar() {
    const Operand& operand = take();
    if (operand.kind == OperandKind::none) return std::nullopt;
    if (operand.kind != OperandKind::sgpr || operand.index > kRowExecHi) return fail();
    return Gang::scalar_offset(operand.index);
  }
  const Operand& take() {
    const Operand& operand = peek();
    ++at_;
    return operand;
  }

 private:
  const Operand& peek() {
    static const Operand kAbsent;
    if (at_ < operands_.size()) return operands_[at_];
    failed_ = true;
    return kAbsent;
  }
  std::uint32_t fail() {
    failed_ = true;
    return 0;
  }

  std::span<const Operand> operands_;
  std::size_t at_ = 0;
  bool failed_ = false;
};

/// A record in the making; placed only if the whole instruction was understood.
struct Draft {
  Handler handler = nullptr;
  Record record{};
};

std::uint64_t offset_of(const Instruction& instruction) {
  return static_cast<std::uint64_t>(std::int64_t{instruction.mods.offset});
}

void set_atomic(const Meaning& meaning, bool returns, Record& record) {
  record.op = meaning.kind;
  record.flags |= static_cast<std::uint8_t>((meaning.wide ? kWide : 0) | (returns ? kReturnsValue : 0));
}

bool prepare_ds(const Instruction& instruction, const Meaning& meaning, const MemoryTable& table,
                Draft& draft) {
  Operands operands(instruction);
  Record& record = draft.record;
  record.imm = offset_of(instruction);
  const auto two_offsets = [&] {
    record.imm = std::uint64_t{instruction.mods.offset0} * meaning.scale;
    record.aux = std::uint64_t{instruction.mods.offset1} * meaning.scale;
  };
  switch (meaning.action) {
    case Action::load:
    case Action::load2:
      record.dst = operands.vector();
      record.src[0] = operands.vector();
      if (meaning.action == Action::load2) two_offsets();
      draft.handler =
          meaning.action == Action::load2 ? table.lds_load2[meaning.kind] : table.lds_load[meaning.kind];
      break;
    case Action::store:
    case Action::store2:
      record.src[0] = operands.vector();
      record.src[1] = operands.vector();
      if (meaning.action == Action::store2) record.src[2] = operands.vector(), two_offsets();
      draft.handler =
          meaning.action == Action::store2 ? table.lds_store2[meaning.kind] : table.lds_store[meaning.kind];
      break;
    case Action::atomic: {
      const bool returns = operands.next_is_dst();
      if (returns) record.dst = operands.vector();
      record.src[0] = operands.vector();
      record.src[1] = operands.vector();
      const auto op = static_cast<AtomicOp>(meaning.kind);
      if (op == AtomicOp::cmpswap || op == AtomicOp::float_cmpswap || op == AtomicOp::mskor ||
          op == AtomicOp::wrap) {
        record.src[2] = operands.vector();
      }
      set_atomic(meaning, returns, record);
      draft.handler = table.lds_atomic;
      break;
    }
    case Action::exchange2:
      record.dst = operands.vector();
      record.src[0] = operands.vector();
      record.src[1] = operands.vector();
      record.src[2] = operands.vector();
      two_offsets();
      set_atomic(meaning, true, record);
      draft.handler = table.lds_exchange2;
      break;
    case Action::load_addtid:
      record.dst = operands.vector();
      draft.handler = table.lds_load_addtid;
      break;
    case Action::store_addtid:
      record.src[1] = operands.vector();
      draft.handler = table.lds_store_addtid;
      break;
    case Action::append:
      record.dst = operands.vector();
      record.op = meaning.kind;
      draft.handler = table.lds_append;
      break;
    case Action::permute:
    case Action::bpermute:
      record.dst = operands.vector();
      record.src[0] = operands.vector();
      record.src[1] = operands.vector();
      draft.handler = meaning.action == Action::permute ? table.lds_permute : table.lds_bpermute;
      break;
    case Action::swizzle:
      record.dst = operands.vector();
      record.src[0] = operands.vector();
      draft.handler = table.lds_swizzle;
      break;
    default: return false;
  }
  return !operands.failed();
}

/// FLAT, GLOBAL and SCRATCH.
bool prepare_flat(const Instruction& instruction, const Meaning& meaning, const MemoryTable& table,
                  Draft& draft) {
  using isa::amd::Encoding;
  Operands operands(instruction);
  Record& record = draft.record;
  record.imm = offset_of(instruction);
  const bool load = meaning.action == Action::load || meaning.action == Action::load_addtid;
  const bool store = meaning.action == Action::store || meaning.action == Action::store_addtid;
  const bool atomic = meaning.action == Action::atomic;
  const bool addtid = meaning.action == Action::load_addtid || meaning.action == Action::store_addtid;
  if (!load && !store && !atomic) return false;
  const bool scratch = instruction.encoding == Encoding::scratch;

  if (load) record.dst = operands.vector();
  if (atomic) {
    const auto dst = operands.optional_vector();
    if (instruction.mods.glc && !dst) return false;
    if (instruction.mods.glc) record.dst = *dst;
    set_atomic(meaning, instruction.mods.glc, record);
  }
  if (!addtid) {
    const auto address = operands.optional_vector();
    if (!address && !scratch) return false;
    record.src[0] = address.value_or(0);
    if (address) record.flags |= kHasAddress;
  }
  if (!load) record.src[1] = operands.vector();

  if (instruction.encoding == Encoding::flat) {
    draft.handler = load    ? table.flat_load[meaning.kind]
                    : store ? table.flat_store[meaning.kind]
                            : table.flat_atomic;
    return !operands.failed() && !addtid;
  }
  const auto saddr = operands.optional_scalar();
  record.src[2] = saddr.value_or(Gang::scalar_offset(kRowNull));
  if (scratch) {
    if (atomic || addtid) return false;
    draft.handler = load ? table.scratch_load[meaning.kind] : table.scratch_store[meaning.kind];
  } else if (addtid) {
    // Without an SGPR base there is no address: the null pair would be used as zero by mistake.
    if (!saddr) return false;
    draft.handler = load ? table.global_load_addtid : table.global_store_addtid;
  } else {
    const unsigned with_saddr = saddr ? 1 : 0;
    draft.handler = load    ? table.global_load[with_saddr][meaning.kind]
                    : store ? table.global_store[with_saddr][meaning.kind]
                            : table.global_atomic[with_saddr];
  }
  return !operands.failed();
}

/// MUBUF and MTBUF.
bool prepare_buffer(const Instruction& instruction, const Meaning& meaning, const MemoryTable& table,
                    Draft& draft) {
  Operands operands(instruction);
  Record& record = draft.record;
  record.imm = offset_of(instruction);
  record.op = meaning.kind;

  const std::uint32_t data = operands.vector();
  const auto address = operands.optional_vector();
  const auto descriptor = operands.optional_scalar();
  const Operand& soffset = operands.take();
  if (operands.failed() || !descriptor) return false;
  const bool addressed = instruction.mods.offen || instruction.mods.idxen;
  if (addressed && !address) return false;
  record.src[0] = address.value_or(0);
  record.src[2] = *descriptor;
  if (instruction.mods.offen) record.flags |= kOffsetEnable;
  if (instruction.mods.idxen) record.flags |= kIndexEnable;

  std::uint64_t offset_field = 0;
  if (soffset.kind == OperandKind::sgpr && soffset.index <= kRowExecHi) {
    offset_field = Gang::scalar_offset(soffset.index);
  } else if (soffset.kind == OperandKind::constant || soffset.kind == OperandKind::none) {
    offset_field = soffset.kind == OperandKind::constant ? soffset.value & 0xffffffff : 0;
    record.flags |= kSoffsetValue;
  } else {
    return false;
  }
  const std::uint32_t format =
      instruction.encoding == isa::amd::Encoding::mtbuf ? instruction.mods.format : kFormatOfDescriptor;
  record.aux = offset_field | std::uint64_t{format} << 32;

  switch (meaning.action) {
    case Action::load:
      record.dst = data;
      draft.handler = table.buffer_load[meaning.kind];
      return true;
    case Action::store:
      record.src[1] = data;
      draft.handler = table.buffer_store[meaning.kind];
      return true;
    case Action::atomic:
      record.dst = record.src[1] = data;
      set_atomic(meaning, instruction.mods.glc, record);
      draft.handler = table.buffer_atomic;
      return true;
    case Action::typed_load:
      record.dst = data;
      draft.handler = table.typed_load;
      return true;
    case Action::typed_store:
      record.src[1] = data;
      draft.handler = table.typed_store;
      return true;
    default: return false;
  }
}

}  // namespace

bool prepare_memory(const Instruction& instruction, const LaneKernels& kernels, Preparer& out) {
  using isa::amd::Encoding;
  static const Meanings meanings = all_meanings();
  if (instruction.op >= Op::count) return false;
  const Meaning& meaning = meanings[static_cast<std::size_t>(instruction.op)];
  if (meaning.action == Action::none) return false;
  if (meaning.action == Action::nothing) return true;
  const isa::amd::Modifiers& mods = instruction.mods;
  if (mods.gds || mods.tfe || mods.lwe) return false;

  Draft draft;
  bool understood = false;
  switch (instruction.encoding) {
    case Encoding::ds: understood = prepare_ds(instruction, meaning, *kernels.memory, draft); break;
    case Encoding::flat:
    case Encoding::global:
    case Encoding::scratch: understood = prepare_flat(instruction, meaning, *kernels.memory, draft); break;
    case Encoding::mubuf:
    case Encoding::mtbuf: understood = prepare_buffer(instruction, meaning, *kernels.memory, draft); break;
    default: break;
  }
  if (!understood || !draft.handler) return false;
  draft.record.run = draft.handler;
  out.emit(draft.handler) = draft.record;
  return true;
}

}  // namespace mockgpu::emu::amd
