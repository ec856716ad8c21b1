// The steps that prepare_vector puts around ops: expanding and modifying operands, DPP, clamp and omod.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/lanes/wide_words.h"
#include "emu/amd/wave/numerics/arithmetic.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// Calls body(slot) for each slot that runs.
template <class F>
[[gnu::always_inline]] static inline void for_slots(const Gang* gang, F body) {
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    body(static_cast<unsigned>(__builtin_ctz(left)));
  }
}

/// dst lane = body(low, high dword of the source), in all lanes. `kWide`: pairs of rows.
template <bool kUniform, bool kWide, class F>
[[gnu::always_inline]] static inline void fill(const Record* record, Gang* gang, F body) {
  U32* const dst = row(gang, record->dst);
  if (!kUniform && gang->active == (1u << gang->slots) - 1) {
    const U32* const from = row(gang, record->src[0]);
    const unsigned count = gang->slots * kLanes;
    MOCKGPU_LANE_LOOP
    for (unsigned i = 0; i < count; ++i) {
      const Pair value = body(from[i], kWide ? from[i + kRowWords] : 0);
      dst[i] = value.low;
      if constexpr (kWide) dst[i + kRowWords] = value.high;
    }
    return;
  }
  for_slots(gang, [&](unsigned slot) {
    U32* const to = dst + slot * kLanes;
    if constexpr (kUniform) {
      const Uniform source = uniform(record, gang, record->src[0]);
      const U32* const at = source.at + slot * source.step;
      const Pair value = body(at[0], kWide ? at[source.step != 0 ? kSlots : 1] : 0);
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        to[lane] = value.low;
        if constexpr (kWide) to[lane + kRowWords] = value.high;
      }
    } else {
      const U32* const from = row(gang, record->src[0]) + slot * kLanes;
      MOCKGPU_LANE_LOOP
      for (unsigned lane = 0; lane < kLanes; ++lane) {
        const Pair value = body(from[lane], kWide ? from[lane + kRowWords] : 0);
        to[lane] = value.low;
        if constexpr (kWide) to[lane + kRowWords] = value.high;
      }
    }
  });
}

/// ((x >> op) & low(imm)) ^ high(imm)
struct Modifier {
  U32 shift, keep, flip;
  explicit Modifier(const Record* record)
      : shift(record->op), keep(static_cast<U32>(record->imm)), flip(static_cast<U32>(record->imm >> 32)) {}
  U32 operator()(U32 x) const { return ((x >> shift) & keep) ^ flip; }
};

// A splat's constant lies in aux, as imm holds the modifier.
template <bool kUniform, bool kWide, bool kModify>
[[gnu::noinline]] static void expand_work(const Record* record, Gang* gang) {
  const Modifier modifier(record);
  fill<kUniform, kWide>(record, gang, [=](U32 low, U32 high) {
    if constexpr (!kModify) {
      return Pair{low, high};
    } else if constexpr (kWide) {
      return Pair{low, modifier(high)};
    } else {
      return Pair{modifier(low), 0};
    }
  });
}
template <bool kUniform, bool kWide, bool kModify>
static HandlerResult expand(const Record* record, Gang* gang) {
  expand_work<kUniform, kWide, kModify>(record, gang);
  MOCKGPU_NEXT(record, gang);
}

template <bool kUniform>
[[gnu::noinline]] static void select_halves_work(const Record* record, Gang* gang) {
  const U32 low_shift = (record->op & 1) * 16u;
  const U32 high_shift = ((record->op >> 1) & 1) * 16u;
  const U32 flip = static_cast<U32>(record->imm);
  fill<kUniform, false>(record, gang, [=](U32 x, U32) {
    return Pair{(((x >> low_shift) & 0xffffu) | ((x >> high_shift) << 16)) ^ flip, 0};
  });
}
template <bool kUniform>
static HandlerResult select_halves(const Record* record, Gang* gang) {
  select_halves_work<kUniform>(record, gang);
  MOCKGPU_NEXT(record, gang);
}

[[gnu::noinline]] static void f16_to_f32_work(const Record* record, Gang* gang) {
  const Common common = common_of(record, gang);
  enter<Environment::plain>(gang);
  fill<false, false>(record, gang, [=](U32 x, U32) {
    return Pair{bits_of(to_f32(Lane<F16>::get(x, 0, common))), 0};
  });
  leave<Environment::plain>(gang);
}
static HandlerResult f16_to_f32(const Record* record, Gang* gang) {
  f16_to_f32_work(record, gang);
  MOCKGPU_NEXT(record, gang);
}

// ---- steps under EXEC, written as bodies: the result's old value is `dst` read as a source

/// Body(old dst, src[0]) -> dst; records name dst in src[1].
template <class F>
static constexpr Handler step(F) {
  return run_lanes<F, 0, Traits<F>::environment>;
}

// Not through type F16: clamping and merging do not flush.
static constexpr auto kClampF16 = [](U32 x) { return (x & 0xffff0000u) | clamp(lo_f16(x)).bits; };
static constexpr auto kClampPackedF16 = [](U32 x) { return pack(clamp(lo_f16(x)), clamp(hi_f16(x))); };
static constexpr auto kClampF32 = [](F32 x) { return clamp(x); };
static constexpr auto kClampF64 = [](F64 x) { return clamp(x); };
static constexpr auto kMaskedCopy = [](U32 x) { return x; };
static constexpr auto kMergeHigh = [](U32 x, U32 old) { return (old & 0xffffu) | (x << 16); };

// OMOD applies only if MODE flushes denormal results and is not in IEEE mode.
static bool omod_applies(const Gang* gang, unsigned denormal_bit) {
  const U32 any = gang->active != 0 ? static_cast<U32>(__builtin_ctz(gang->active)) : 0;
  const U32 mode = gang->sgpr[kRowMode][any];
  return (mode & (0x200u | denormal_bit)) == 0;
}
static constexpr auto kOmodF16 = [](F16 x, RawBits code, Round round) {
  switch (round) {
    case Round::kUp: return omod<Round::kUp>(x, code.value);
    case Round::kDown: return omod<Round::kDown>(x, code.value);
    case Round::kZero: return omod<Round::kZero>(x, code.value);
    default: return omod<Round::kNearestEven>(x, code.value);
  }
};
static constexpr auto kOmodF32 = [](F32 x, RawBits code) { return omod(x, code.value); };
static constexpr auto kOmodF64 = [](F64 x, RawBits code) { return omod(x, code.value); };

template <class F, unsigned kDenormalBit>
static HandlerResult run_omod(const Record* record, Gang* gang) {
  if (omod_applies(gang, kDenormalBit)) rare_lane_work<F, 0, Traits<F>::environment>(record, gang);
  MOCKGPU_NEXT(record, gang);
}
/// Output-denormal bits of MODE: FP_DENORM is bits 5:4 for f32 and 7:6 for f16 and f64, the upper bit of each
/// says that results keep denormals.
template <unsigned kDenormalBit, class F>
static constexpr Handler omod_step(F) {
  return run_omod<F, kDenormalBit>;
}

// ---- DPP

/// Lanes of the slot whose source lane exists and may be read.
static U32 dpp_valid(const Record* record, const Gang* gang, unsigned slot) {
  const U32 exec = record->op != 0 ? ~0u : exec_of(gang, slot);
  if (exec == ~0u) return record->src[1];
  U32 valid = 0;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const unsigned from = (lane & 16) | ((record->imm >> ((lane & 15) * 4)) & 15);
    valid |= ((exec >> from) & 1) << lane;
  }
  return valid & record->src[1];
}

#if defined(__AVX2__)
/// Eight lanes chosen by the low 4 bits of `index` from the 16 in low and high.
static inline __m256i choose16(__m256i low, __m256i high, __m256i index) {
  const __m256 a = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(low, index));
  const __m256 b = _mm256_castsi256_ps(_mm256_permutevar8x32_epi32(high, index));
  return _mm256_castps_si256(_mm256_blendv_ps(a, b, _mm256_castsi256_ps(_mm256_slli_epi32(index, 28))));
}
/// The nibbles of `bits`, one per lane.
static inline __m256i nibbles_of(U32 bits) {
  const __m256i shift = _mm256_setr_epi32(0, 4, 8, 12, 16, 20, 24, 28);
  return _mm256_and_si256(_mm256_srlv_epi32(_mm256_set1_epi32(static_cast<int>(bits)), shift),
                          _mm256_set1_epi32(15));
}

[[gnu::noinline]] static void dpp_read_work(const Record* record, Gang* gang) {
  const __m256i index[] = {nibbles_of(static_cast<U32>(record->imm)),
                           nibbles_of(static_cast<U32>(record->imm >> 32))};
  for_slots(gang, [&](unsigned slot) {
    const U32 exec = record->op != 0 ? ~0u : exec_of(gang, slot);
    for (unsigned first = 0; first < kLanes; first += 16) {
      const auto* from = reinterpret_cast<const __m256i*>(row(gang, record->src[0]) + slot * kLanes + first);
      auto* to = reinterpret_cast<__m256i*>(row(gang, record->dst) + slot * kLanes + first);
      const __m256i low = _mm256_and_si256(from[0], lanes_of(exec, first / 8));
      const __m256i high = _mm256_and_si256(from[1], lanes_of(exec, first / 8 + 1));
      const U32 exists = record->src[1] >> first;
      to[0] = _mm256_and_si256(choose16(low, high, index[0]), lanes_of(exists, 0));
      to[1] = _mm256_and_si256(choose16(low, high, index[1]), lanes_of(exists, 1));
    }
  });
}
#else
[[gnu::noinline]] static void dpp_read_work(const Record* record, Gang* gang) {
  for_slots(gang, [&](unsigned slot) {
    const U32* const from = row(gang, record->src[0]) + slot * kLanes;
    U32* const to = row(gang, record->dst) + slot * kLanes;
    const U32 valid = dpp_valid(record, gang, slot);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const unsigned source = (lane & 16) | ((record->imm >> ((lane & 15) * 4)) & 15);
      to[lane] = ((valid >> lane) & 1) != 0 ? from[source] : 0;
    }
  });
}
#endif
static HandlerResult dpp_read(const Record* record, Gang* gang) {
  dpp_read_work(record, gang);
  MOCKGPU_NEXT(record, gang);
}

[[gnu::noinline]] static void dpp_narrow_work(const Record* record, Gang* gang) {
  U32* const saved = row(gang, record->src[0]);
  // Source lanes are judged by the EXEC of before, so all of it is saved first.
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    saved[slot] = gang->sgpr[kRowExecLo][slot];
    saved[slot + kSlots] = gang->sgpr[kRowExecHi][slot];
  }
  U32 narrowed[kSlots] = {};
  const bool any_source = (record->flags & 1) != 0;
  for_slots(gang, [&](unsigned slot) {
    const U32 enabled = static_cast<U32>(record->aux >> ((gang->wave64 & slot & 1) * 32));
    narrowed[slot] = exec_of(gang, slot) & enabled & (any_source ? ~0u : dpp_valid(record, gang, slot));
  });
  for_slots(gang,
            [&](unsigned slot) { set_mask(gang, Gang::scalar_offset(kRowExecLo), slot, narrowed[slot]); });
  update_full(gang);
}
static HandlerResult dpp_narrow(const Record* record, Gang* gang) {
  dpp_narrow_work(record, gang);
  MOCKGPU_NEXT(record, gang);
}

static HandlerResult dpp_restore(const Record* record, Gang* gang) {
  const U32* const saved = row(gang, record->src[0]);
  for (unsigned slot = 0; slot < kSlots; ++slot) {
    gang->sgpr[kRowExecLo][slot] = saved[slot];
    gang->sgpr[kRowExecHi][slot] = saved[slot + kSlots];
  }
  update_full(gang);
  MOCKGPU_NEXT(record, gang);
}

static HandlerResult run_update_full(const Record* record, Gang* gang) {
  update_full(gang);
  MOCKGPU_NEXT(record, gang);
}

const VectorSteps kVectorSteps = {
    .splat32 = expand<true, false, false>,
    .splat64 = expand<true, true, false>,
    .modify32 = expand<false, false, true>,
    .splat_modify32 = expand<true, false, true>,
    .modify64 = expand<false, true, true>,
    .splat_modify64 = expand<true, true, true>,
    .select_halves = select_halves<false>,
    .splat_select_halves = select_halves<true>,
    .copy32 = expand<false, false, false>,
    .masked_copy32 = step(kMaskedCopy),
    .merge_high = step(kMergeHigh),
    .f16_to_f32 = f16_to_f32,
    .clamp_f16 = step(kClampF16),
    .clamp_f32 = step(kClampF32),
    .clamp_f64 = step(kClampF64),
    .clamp_packed_f16 = step(kClampPackedF16),
    .omod_f16 = omod_step<0x80>(kOmodF16),
    .omod_f32 = omod_step<0x20>(kOmodF32),
    .omod_f64 = omod_step<0x80>(kOmodF64),
    .dpp_read = dpp_read,
    .dpp_narrow = dpp_narrow,
    .dpp_restore = dpp_restore,
    .update_full = run_update_full,
};

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
