#pragma once
// Handlers of the hot f32 arithmetic: explicit vectors, so that one test per 32 results finds NaNs. Results
// with a NaN are computed again, lane by lane, under rule NAN-1.
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "emu/amd/wave/lanes/lane_handlers.h"
#include "emu/amd/wave/numerics/minmax.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

/// a * b + c with one rounding, for bodies that serve lanes and vectors.
inline F32 fused(F32 a, F32 b, F32 c) { return __builtin_fmaf(a, b, c); }

#if defined(__AVX2__)

using Floats = F32 __attribute__((vector_size(32), may_alias));
using Words = U32 __attribute__((vector_size(32), may_alias));

[[gnu::always_inline]] inline Floats fused(Floats a, Floats b, Floats c) {
  return (Floats)_mm256_fmadd_ps((__m256)a, (__m256)b, (__m256)c);
}

/// All ones where one of the two is a NaN.
[[gnu::always_inline]] inline Words unordered(Floats a, Floats b) {
  return (Words)_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
}
[[gnu::always_inline]] inline bool any(Words signs) { return _mm256_movemask_ps((__m256)signs) != 0; }

/// The results of a slot; `nan` has signs where there may be NaNs.
struct FloatBlock {
  Floats part[4];
  Words nan;
};

/// Eight lanes of a source.
template <unsigned kIndex, bool kUniform>
struct FloatSource : Source<F32, kIndex, kUniform> {
  using Source<F32, kIndex, kUniform>::Source;
  static constexpr bool uniform_source = kUniform;
  [[gnu::always_inline]] inline Floats vector(unsigned slot, unsigned part) const {
    if constexpr (kUniform) {
      return (Floats)_mm256_set1_ps(f32_of(this->low));
    } else {
      return *reinterpret_cast<const Floats*>(this->at + slot * kLanes + part * 8);
    }
  }
};

/// Bodies of the minimum and maximum: NaNs among the sources matter, not in results, and have a rule of their
/// own.
template <class F>
inline constexpr bool kDoubtsSources = requires {
  F::doubts_sources;
};

template <class F, unsigned kUniform, class Indices>
struct FloatLoops;

template <class F, unsigned kUniform, unsigned... kIndices>
struct FloatLoops<F, kUniform, Numbers<kIndices...>>
    : FloatSource<kIndices, ((kUniform >> kIndices) & 1) != 0>... {
  template <unsigned kIndex>
  using At = FloatSource<kIndex, ((kUniform >> kIndex) & 1) != 0>;

  U32* dst;

  FloatLoops(const Record* record, Gang* gang) : At<kIndices>(record, gang)..., dst(row(gang, record->dst)) {}

  [[gnu::always_inline]] inline Floats compute(unsigned slot, unsigned part) const {
    return F{}(At<kIndices>::vector(slot, part)...);
  }

  template <bool kMasked>
  [[gnu::always_inline]] inline void put(unsigned slot, unsigned part, U32 exec, Floats value) {
    Words* at = reinterpret_cast<Words*>(dst + slot * kLanes + part * 8);
    if constexpr (kMasked) {
      const Words bit = {1, 2, 4, 8, 16, 32, 64, 128};
      const Words mask = (Words)((Words)(bit & (exec >> (part * 8))) == bit);
      *at = ((Words)value & mask) | (*at & ~mask);
    } else {
      *at = (Words)value;
    }
  }

  /// `kSequential`: slots come one after the other.
  template <bool kSequential>
  [[gnu::always_inline]] inline FloatBlock block(const Gang* gang, unsigned slot) {
    (begin<kSequential>(static_cast<At<kIndices>&>(*this), gang, slot), ...);
    FloatBlock block{{compute(slot, 0), compute(slot, 1), compute(slot, 2), compute(slot, 3)}, Words{}};
    if constexpr (kDoubtsSources<F>) {
      for (unsigned part = 0; part < 4; ++part) {
        block.nan |= unordered(At<0>::vector(slot, part), At<1>::vector(slot, part));
      }
    } else {
      block.nan = unordered(block.part[0], block.part[1]) | unordered(block.part[2], block.part[3]);
    }
    return block;
  }
  template <bool kMasked>
  [[gnu::always_inline]] inline void put(unsigned slot, U32 exec, const FloatBlock& block) {
    put<kMasked>(slot, 0, exec, block.part[0]);
    put<kMasked>(slot, 1, exec, block.part[1]);
    put<kMasked>(slot, 2, exec, block.part[2]);
    put<kMasked>(slot, 3, exec, block.part[3]);
  }

 private:
  template <bool kSequential, class S>
  static void begin(S& source, const Gang* gang, unsigned slot) {
    if constexpr (kSequential && S::uniform_source) {
      source.begin_next();
    } else {
      source.begin(gang, slot);
    }
  }
};

/// A body of lanes under NAN-1.
template <class F>
struct Careful2 {
  F32 operator()(F32 a, F32 b) const {
    if constexpr (kDoubtsSources<F>) {
      return F{}(a, b);
    } else {
      return fix_nan(F{}(a, b), a, b);
    }
  }
};
template <class F>
struct Careful3 {
  F32 operator()(F32 a, F32 b, F32 c) const { return fix_nan(F{}(a, b, c), a, b, c); }
};

/// Where a handler that met NaNs leaves the number of the slot: writes to null go there, nobody reads it. A
/// call that comes back would make the hot loop save registers.
inline U32& met_nans_at(Gang* gang) { return gang->sgpr[kRowSink][0]; }

/// The slots from met_nans_at on.
template <class F, unsigned kUniform>
[[gnu::noinline, gnu::flatten, gnu::hot]] void careful_work(const Record* record, Gang* gang) {
  typename Traits<F>::template Loops<F, kUniform, true> loops(record, gang);
  for (U32 left = gang->active & (~0u << met_nans_at(gang)); left != 0; left &= left - 1) {
    const unsigned slot = static_cast<unsigned>(__builtin_ctz(left));
    const U32 exec = exec_of(gang, slot);
    if (exec == ~0u) {
      loops.template slot<false>(gang, slot, exec);
    } else {
      loops.template slot<true>(gang, slot, exec);
    }
  }
}
/// Cold, so that hot loops are laid out without it; its work is not, as there is code with many NaNs.
template <class F, unsigned kUniform>
[[gnu::noinline, gnu::cold]] HandlerResult run_careful(const Record* record, Gang* gang) {
  careful_work<F, kUniform>(record, gang);
  MOCKGPU_NEXT(record, gang);
}

template <class F, class Careful, unsigned kUniform>
using FloatLoopsOf = FloatLoops<F, kUniform, typename NumbersUpTo<Traits<Careful>::operands>::Type>;

/// A function of its own, so that the one for full gangs has no registers to save.
template <class F, class Careful, unsigned kUniform>
[[gnu::noinline]] HandlerResult run_masked_float(const Record* record, Gang* gang) {
  FloatLoopsOf<F, Careful, kUniform> loops(record, gang);
  for (U32 left = gang->active; left != 0; left &= left - 1) {
    const unsigned s = static_cast<unsigned>(__builtin_ctz(left));
    const FloatBlock block = loops.template block<false>(gang, s);
    if (__builtin_expect(any(block.nan), 0)) {
      met_nans_at(gang) = s;
      MOCKGPU_MUSTTAIL return run_careful<Careful, kUniform>(record, gang);
    }
    loops.template put<true>(s, exec_of(gang, s), block);
  }
  MOCKGPU_NEXT(record, gang);
}

template <class F, class Careful, unsigned kUniform>
HandlerResult run_float(const Record* record, Gang* gang) {
  if (!gang->full) MOCKGPU_MUSTTAIL return run_masked_float<F, Careful, kUniform>(record, gang);
  FloatLoopsOf<F, Careful, kUniform> loops(record, gang);
  const unsigned slots = gang->slots;
  for (unsigned s = 0; s < slots; ++s) {
    const FloatBlock block = loops.template block<true>(gang, s);
    if (__builtin_expect(any(block.nan), 0)) {
      met_nans_at(gang) = s;
      MOCKGPU_MUSTTAIL return run_careful<Careful, kUniform>(record, gang);
    }
    loops.template put<false>(s, ~0u, block);
  }
  MOCKGPU_NEXT(record, gang);
}

/// For bodies that hold in the typical mode only; `Other` serves all modes.
template <class F, class Other, unsigned kUniform>
HandlerResult run_typical_float(const Record* record, Gang* gang) {
  if (Traits<Other>::typical(gang)) MOCKGPU_MUSTTAIL return run_float<F, Careful2<F>, kUniform>(record, gang);
  MOCKGPU_MUSTTAIL return run_lanes<Other, kUniform, Traits<Other>::environment>(record, gang);
}

constexpr VectorEntry float_entry(std::uint8_t sources) {
  VectorEntry entry{};
  entry.dst = LaneType::b32;
  entry.clamp = ClampType::f32;
  entry.sources = sources;
  for (unsigned i = 0; i < sources; ++i) entry.src[i] = LaneType::b32;
  return entry;
}

/// A row of f32 arithmetic with two sources, whose body serves F32 and vectors alike.
template <class F>
constexpr VectorRow float2(Op op, F) {
  VectorEntry entry = float_entry(2);
  entry.run[0] = run_float<F, Careful2<F>, 0>;
  entry.run[1] = run_float<F, Careful2<F>, 1>;
  entry.run[2] = run_float<F, Careful2<F>, 2>;
  return {op, entry};
}
/// The same with three sources.
template <class F>
constexpr VectorRow float3(Op op, F) {
  VectorEntry entry = float_entry(3);
  entry.run[0] = run_float<F, Careful3<F>, 0>;
  entry.run[1] = run_float<F, Careful3<F>, 1>;
  entry.run[2] = run_float<F, Careful3<F>, 2>;
  entry.run[3] = run_float<F, Careful3<F>, 3>;
  entry.run[4] = run_float<F, Careful3<F>, 4>;
  entry.run[5] = run_float<F, Careful3<F>, 5>;
  entry.run[6] = run_float<F, Careful3<F>, 6>;
  return {op, entry};
}

template <class F, class Other>
constexpr VectorRow typical_float2(Op op, F, Other) {
  VectorEntry entry = float_entry(2);
  entry.run[0] = run_typical_float<F, Other, 0>;
  entry.run[1] = run_typical_float<F, Other, 1>;
  entry.run[2] = run_typical_float<F, Other, 2>;
  return {op, entry};
}

/// The smaller; of equal values the one with a sign. NaNs come to the other operator.
struct Smaller {
  static constexpr bool doubts_sources = true;
  F32 operator()(F32 a, F32 b) const { return min_ieee(a, b); }
  [[gnu::always_inline]] inline Floats operator()(Floats a, Floats b) const {
    const __m256 less = _mm256_min_ps((__m256)a, (__m256)b);
    return (Floats)_mm256_or_ps(less,
                                _mm256_and_ps(_mm256_cmp_ps((__m256)a, (__m256)b, _CMP_EQ_OQ), (__m256)a));
  }
};
struct Greater {
  static constexpr bool doubts_sources = true;
  F32 operator()(F32 a, F32 b) const { return max_ieee(a, b); }
  [[gnu::always_inline]] inline Floats operator()(Floats a, Floats b) const {
    const __m256 greater = _mm256_max_ps((__m256)a, (__m256)b);
    // Where they are equal, only the sign of a zero can differ.
    const __m256 unequal = _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_NEQ_UQ);
    return (Floats)_mm256_and_ps(greater, _mm256_or_ps(unequal, (__m256)a));
  }
};

#else

struct Smaller {};
struct Greater {};
template <class F, class Other>
constexpr VectorRow typical_float2(Op op, F, Other other) {
  return hot(op, other);
}

/// A body under NAN-1.
template <class F>
struct Fixed2 {
  F32 operator()(F32 a, F32 b) const { return fix_nan(F{}(a, b), a, b); }
};
template <class F>
struct Fixed3 {
  F32 operator()(F32 a, F32 b, F32 c) const { return fix_nan(F{}(a, b, c), a, b, c); }
};
template <class F>
constexpr VectorRow float2(Op op, F) {
  return hot(op, Fixed2<F>{});
}
template <class F>
constexpr VectorRow float3(Op op, F) {
  return hot(op, Fixed3<F>{});
}

#endif

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
