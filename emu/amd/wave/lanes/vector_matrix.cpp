// Vector ALU, WMMA of gfx11. EXEC is ignored. wave64 spreads C and D over both slots: register 2v + s of the
// wave32 layout is register v of slot s.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/wmma.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

using WmmaBody = void (*)(WmmaSource a, WmmaSource b, WmmaSource c, WmmaResult d, const WmmaModifiers& mods);

/// Record::op: bits 2:0 neg, 5:3 neg_hi, 6 clamp, 7 the high halves of 16-bit C and D.
static WmmaModifiers modifiers(const Record* record) {
  const U32 bits = record->op;
  WmmaModifiers mods;
  mods.flip_a = ((bits & 1) != 0 ? 0x8000u : 0u) | ((bits & 8) != 0 ? 0x80000000u : 0u);
  mods.flip_b = ((bits & 2) != 0 ? 0x8000u : 0u) | ((bits & 16) != 0 ? 0x80000000u : 0u);
  mods.neg_c = (bits & 4) != 0;
  mods.abs_c = (bits & 32) != 0;
  mods.signed_a = (bits & 1) != 0;
  mods.signed_b = (bits & 2) != 0;
  mods.clamp = (bits & 64) != 0;
  mods.high_c = (bits & 128) != 0;
  return mods;
}

/// Register r of C or D of the wave64 whose even slot is `slot`. `c_words`: distance of C's registers, 0 for
/// a constant.
static unsigned wave64_word(unsigned slot, unsigned r, unsigned distance) {
  return (r >> 1) * distance + (slot + (r & 1)) * kLanes;
}

static void run_wave64(WmmaBody body, const Record* record, Gang* gang, unsigned slot,
                       const WmmaModifiers& mods) {
  constexpr unsigned kRegisters = 8;
  const U32 c_words = static_cast<U32>(record->aux);
  const U32* const c = row(gang, record->src[2]);
  U32* const d = row(gang, record->dst);
  U32 held_c[kRegisters][kLanes];
  U32 held_d[kRegisters][kLanes];
  for (unsigned r = 0; r < kRegisters; ++r) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      held_c[r][lane] = c[wave64_word(slot, r, c_words) + lane];
      held_d[r][lane] = d[wave64_word(slot, r, kRowWords) + lane];
    }
  }
  body({row(gang, record->src[0]) + slot * kLanes, kRowWords},
       {row(gang, record->src[1]) + slot * kLanes, kRowWords}, {held_c[0], kLanes}, {held_d[0], kLanes},
       mods);
  for (unsigned r = 0; r < kRegisters; ++r) {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      d[wave64_word(slot, r, kRowWords) + lane] = held_d[r][lane];
    }
  }
}

template <WmmaBody kBody>
[[gnu::noinline]] static void wmma_work(const Record* record, Gang* gang) {
  const WmmaModifiers mods = modifiers(record);
  enter<Environment::plain>(gang);
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctz(left));
    if (gang->wave64) {
      if ((slot & 1) == 0) run_wave64(kBody, record, gang, slot, mods);
      continue;
    }
    const unsigned at = slot * kLanes;
    kBody({row(gang, record->src[0]) + at, kRowWords}, {row(gang, record->src[1]) + at, kRowWords},
          {row(gang, record->src[2]) + at, static_cast<U32>(record->aux)},
          {row(gang, record->dst) + at, kRowWords}, mods);
  }
  leave<Environment::plain>(gang);
}
template <WmmaBody kBody>
static HandlerResult run_wmma(const Record* record, Gang* gang) {
  wmma_work<kBody>(record, gang);
  MOCKGPU_NEXT(record, gang);
}

template <WmmaBody kBody>
static constexpr VectorRow wmma(Op op) {
  return special(op, run_wmma<kBody>);
}

static constexpr VectorRow kMatrixRows[] = {
    wmma<wmma_f32_16x16x16<F16>>(Op::v_wmma_f32_16x16x16_f16),
    wmma<wmma_f32_16x16x16<BF16>>(Op::v_wmma_f32_16x16x16_bf16),
    wmma<wmma_half_16x16x16<F16>>(Op::v_wmma_f16_16x16x16_f16),
    wmma<wmma_half_16x16x16<BF16>>(Op::v_wmma_bf16_16x16x16_bf16),
    wmma<wmma_i32_16x16x16<8>>(Op::v_wmma_i32_16x16x16_iu8),
    wmma<wmma_i32_16x16x16<4>>(Op::v_wmma_i32_16x16x16_iu4),
};
const VectorChapter kMatrixOps = chapter(kMatrixRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
