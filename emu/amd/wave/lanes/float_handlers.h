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

[[gnu::always_inline]] inline bool any_nan(Floats a, Floats b, Floats c, Floats d) {
  const __m256 first = _mm256_cmp_ps((__m256)a, (__m256)b, _CMP_UNORD_Q);
  const __m256 second = _mm256_cmp_ps((__m256)c, (__m256)d, _CMP_UNORD_Q);
  return _mm256_movemask_ps(_mm256_or_ps(first, second)) != 0;
}

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

  [[gnu::always_inline]] inline bool any_nan_source(unsigned slot) const {
    Floats nan{};
    for (unsigned part = 0; part < 4; ++part) {
      nan = (Floats)((Words)nan | (Words)_mm256_cmp_ps((__m256)At<0>::vector(slot, part),
                                                       (__m256)At<1>::vector(slot, part), _CMP_UNORD_Q));
    }
    return _mm256_movemask_ps((__m256)nan) != 0;
  }

  /// `kMasked`: one of some slots. Otherwise they come one after the other, full.
  template <bool kMasked>
  [[gnu::always_inline]] inline void slot(const Record* record, Gang* gang, unsigned slot, U32 exec);
  template <class S>
  static void begin(S& source, bool next, const Gang* gang, unsigned slot) {
    if constexpr (S::uniform_source) {
      if (next) return source.begin_next();
    }
    source.begin(gang, slot);
  }

  /// One slot under NAN-1.
  [[gnu::noinline, gnu::cold]] static void nan_slot(const Record* record, Gang* gang, unsigned slot,
                                                    U32 exec) {
    FloatLoops loops(record, gang);
    const Common common = typical_common(record);  // an F32 is read as it is
    (loops.At<kIndices>::begin(gang, slot), ...);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      if (((exec >> lane) & 1) == 0) continue;
      const F32 source[] = {loops.At<kIndices>::get(slot, lane, common)...};
      const F32 result = F{}(source[kIndices]...);
      if constexpr (kDoubtsSources<F>) {
        loops.dst[slot * kLanes + lane] = bits_of(result);
      } else {
        loops.dst[slot * kLanes + lane] = bits_of(fix_nan(result, source[kIndices]...));
      }
    }
  }
};

template <class F, unsigned kUniform, unsigned... kIndices>
template <bool kMasked>
inline void FloatLoops<F, kUniform, Numbers<kIndices...>>::slot(const Record* record, Gang* gang,
                                                                unsigned slot, U32 exec) {
  (begin(static_cast<At<kIndices>&>(*this), !kMasked, gang, slot), ...);
  const Floats a = compute(slot, 0);
  const Floats b = compute(slot, 1);
  const Floats c = compute(slot, 2);
  const Floats d = compute(slot, 3);
  bool doubt = false;
  if constexpr (kDoubtsSources<F>) {
    doubt = any_nan_source(slot);
  } else {
    doubt = any_nan(a, b, c, d);
  }
  if (__builtin_expect(doubt, 0)) {
    nan_slot(record, gang, slot, exec);
    return;
  }
  put<kMasked>(slot, 0, exec, a);
  put<kMasked>(slot, 1, exec, b);
  put<kMasked>(slot, 2, exec, c);
  put<kMasked>(slot, 3, exec, d);
}

template <class F, unsigned kUniform, unsigned kCount>
HandlerResult run_float(const Record* record, Gang* gang) {
  FloatLoops<F, kUniform, typename NumbersUpTo<kCount>::Type> loops(record, gang);
  if (gang->full) {
    const unsigned slots = gang->slots;
    for (unsigned s = 0; s < slots; ++s) loops.template slot<false>(record, gang, s, ~0u);
  } else {
    for (U32 left = gang->active; left != 0; left &= left - 1) {
      const unsigned s = static_cast<unsigned>(__builtin_ctz(left));
      loops.template slot<true>(record, gang, s, exec_of(gang, s));
    }
  }
  MOCKGPU_NEXT(record, gang);
}

/// For bodies that hold in the typical mode only; `Other` serves all modes.
template <class F, class Other, unsigned kUniform>
HandlerResult run_typical_float(const Record* record, Gang* gang) {
  if (Traits<Other>::typical(gang)) MOCKGPU_MUSTTAIL return run_float<F, kUniform, 2>(record, gang);
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
  entry.run[0] = run_float<F, 0, 2>;
  entry.run[1] = run_float<F, 1, 2>;
  entry.run[2] = run_float<F, 2, 2>;
  return {op, entry};
}
/// The same with three sources.
template <class F>
constexpr VectorRow float3(Op op, F) {
  VectorEntry entry = float_entry(3);
  entry.run[0] = run_float<F, 0, 3>;
  entry.run[1] = run_float<F, 1, 3>;
  entry.run[2] = run_float<F, 2, 3>;
  entry.run[3] = run_float<F, 3, 3>;
  entry.run[4] = run_float<F, 4, 3>;
  entry.run[5] = run_float<F, 5, 3>;
  entry.run[6] = run_float<F, 6, 3>;
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
