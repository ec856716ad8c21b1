#pragma once
// Makes handlers of lane bodies. A body is a captureless lambda over the values of one lane; its parameter
// types say how its operands are read, its result type how the result is written. The loops over slots and
// lanes, EXEC and the floating-point environment are here and nowhere else.
#include "emu/amd/wave/lanes/lane_types.h"
#include "isa/amd/op.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

using isa::amd::Op;

template <unsigned... kNumbers>
struct Numbers {};
template <unsigned kCount>
struct NumbersUpTo;
template <>
struct NumbersUpTo<0> {
  using Type = Numbers<>;
};
template <>
struct NumbersUpTo<1> {
  using Type = Numbers<0>;
};
template <>
struct NumbersUpTo<2> {
  using Type = Numbers<0, 1>;
};
template <>
struct NumbersUpTo<3> {
  using Type = Numbers<0, 1, 2>;
};
template <>
struct NumbersUpTo<4> {
  using Type = Numbers<0, 1, 2, 3>;
};
template <>
struct NumbersUpTo<5> {
  using Type = Numbers<0, 1, 2, 3, 4>;
};
template <>
struct NumbersUpTo<6> {
  using Type = Numbers<0, 1, 2, 3, 4, 5>;
};

// ---- parameters

template <class A, class B>
inline constexpr bool kSame = false;
template <class A>
inline constexpr bool kSame<A, A> = true;

/// Parameters that are no operands.
template <class T>
inline constexpr bool kImplied =
    kSame<T, Round> || kSame<T, Ieee> || kSame<T, LaneNumber> || kSame<T, RawBits>;

template <class... T>
inline constexpr unsigned kOperands = (0u + ... + (kImplied<T> ? 0u : 1u));

inline U32 source_offset(const Record* record, unsigned index) {
  return index < 3 ? record->src[index] : static_cast<U32>(record->aux);
}

/// A source in vector rows.
template <class T, unsigned kIndex, bool kUniform>
struct Source {
  const U32* at;
  Source(const Record* record, Gang* gang)
      : at(static_cast<const U32*>(__builtin_assume_aligned(row(gang, source_offset(record, kIndex)), 64))) {}
  void begin(const Gang*, unsigned) {}
  T get(unsigned slot, unsigned lane, const Common& common) const {
    const U32* word = at + slot * kLanes + lane;
    if constexpr (Lane<T>::wide) {
      return Lane<T>::get(word[0], word[kRowWords], common);
    } else {
      return Lane<T>::get(word[0], 0, common);
    }
  }
};

/// A scalar or constant source.
template <class T, unsigned kIndex>
struct Source<T, kIndex, true> {
  const U32* at;
  U32 step, high_step;
  U32 low = 0, high = 0;
  Source(const Record* record, Gang* gang) {
    const U32 offset = source_offset(record, kIndex);
    const Uniform source = uniform(record, gang, offset);
    at = source.at;
    step = source.step;
    high_step = step != 0 ? kSlots : 1;
  }
  void begin(const Gang*, unsigned slot) {
    low = at[slot * step];
    if constexpr (Lane<T>::wide) high = at[slot * step + high_step];
  }
  /// The same for slots 0, 1, 2... in turn, which needs fewer registers.
  void begin_next() {
    low = at[0];
    if constexpr (Lane<T>::wide) high = at[high_step];
    at += step;
  }
  T get(unsigned, unsigned, const Common& common) const { return Lane<T>::get(low, high, common); }
};

template <unsigned kIndex>
struct Source<Bit, kIndex, false> {
  U32 offset;
  U32 bits = 0;
  Source(const Record* record, Gang*) : offset(source_offset(record, kIndex)) {}
  void begin(const Gang* gang, unsigned slot) { bits = mask_of(gang, offset, slot); }
  Bit get(unsigned, unsigned lane, const Common&) const { return {((bits >> lane) & 1) != 0}; }
};

template <unsigned kIndex>
struct Source<Round, kIndex, false> {
  Source(const Record*, Gang*) {}
  void begin(const Gang*, unsigned) {}
  Round get(unsigned, unsigned, const Common& common) const { return common.round; }
};
template <unsigned kIndex>
struct Source<Ieee, kIndex, false> {
  Source(const Record*, Gang*) {}
  void begin(const Gang*, unsigned) {}
  Ieee get(unsigned, unsigned, const Common& common) const { return common.ieee; }
};
template <unsigned kIndex>
struct Source<RawBits, kIndex, false> {
  Source(const Record*, Gang*) {}
  void begin(const Gang*, unsigned) {}
  RawBits get(unsigned, unsigned, const Common& common) const { return common.raw; }
};
template <unsigned kIndex>
struct Source<LaneNumber, kIndex, false> {
  U32 first = 0;
  Source(const Record*, Gang*) {}
  void begin(const Gang* gang, unsigned slot) { first = (gang->wave64 & slot & 1) * kLanes; }
  LaneNumber get(unsigned, unsigned lane, const Common&) const { return {first + lane}; }
};

// ---- results

/// Writes results of type T. `kMasked`: lanes without EXEC keep what they had.
template <class T>
struct Result {
  U32* at;
  Result(const Record* record, Gang* gang)
      : at(static_cast<U32*>(__builtin_assume_aligned(row(gang, record->dst), 64))) {}
  template <bool kMasked>
  [[gnu::always_inline]] void put(unsigned slot, unsigned lane, U32 exec, T value, const Common& common) {
    U32* word = at + slot * kLanes + lane;
    [[maybe_unused]] const U32 mask = 0u - ((exec >> lane) & 1);
    if constexpr (Lane<T>::wide) {
      const Pair pair = Lane<T>::put(value, common);
      word[0] = kMasked ? (word[0] & ~mask) | (pair.low & mask) : pair.low;
      word[kRowWords] = kMasked ? (word[kRowWords] & ~mask) | (pair.high & mask) : pair.high;
    } else {
      const U32 bits = Lane<T>::put(value, word[0], common);
      word[0] = kMasked ? (word[0] & ~mask) | (bits & mask) : bits;
    }
  }
  void end(Gang*, unsigned, U32) {}
};

template <>
struct Result<bool> {
  U32 offset;
  U32 bits = 0;
  Result(const Record* record, Gang*) : offset(record->dst) {}
  template <bool>
  [[gnu::always_inline]] void put(unsigned, unsigned lane, U32, bool value, const Common&) {
    bits |= static_cast<U32>(value) << lane;
  }
  void end(Gang* gang, unsigned slot, U32 exec) { set_mask(gang, offset, slot, bits & exec); }
};

template <class T>
struct Result<WithBit<T>> {
  Result<T> value;
  U32 offset;
  U32 bits = 0;
  Result(const Record* record, Gang* gang)
      : value(record, gang), offset(static_cast<U32>(record->aux >> 32)) {}
  template <bool kMasked>
  [[gnu::always_inline]] void put(unsigned slot, unsigned lane, U32 exec, WithBit<T> both,
                                  const Common& common) {
    value.template put<kMasked>(slot, lane, exec, both.value, common);
    bits |= static_cast<U32>(both.bit) << lane;
  }
  void end(Gang* gang, unsigned slot, U32 exec) { set_mask(gang, offset, slot, bits & exec); }
};

template <class R>
struct ResultShape {
  static constexpr LaneType dst = Lane<R>::type;
  static constexpr LaneType second = LaneType::none;
  static constexpr ClampType clamp = Lane<R>::clamp;
};
template <>
struct ResultShape<bool> {
  static constexpr LaneType dst = LaneType::mask;
  static constexpr LaneType second = LaneType::none;
  static constexpr ClampType clamp = ClampType::none;
};
template <class T>
struct ResultShape<WithBit<T>> {
  static constexpr LaneType dst = Lane<T>::type;
  static constexpr LaneType second = LaneType::mask;
  static constexpr ClampType clamp = Lane<T>::clamp;
};

// ---- the loops

template <unsigned kIndex, class T, bool kUniform>
struct Held : Source<T, kIndex, kUniform> {
  using Source<T, kIndex, kUniform>::Source;
};

/// `kTypical`: MODE is known to be typical, so that what depends on it is constant.
template <class F, unsigned kUniform, bool kTypical, class R, class Indices, class... T>
struct LaneLoops;

template <class F, unsigned kUniform, bool kTypical, class R, unsigned... kIndices, class... T>
struct LaneLoops<F, kUniform, kTypical, R, Numbers<kIndices...>, T...>
    : Held<kIndices, T, ((kUniform >> kIndices) & 1) != 0>... {
  template <unsigned kIndex, class P>
  using At = Held<kIndex, P, ((kUniform >> kIndex) & 1) != 0>;

  const Common common;
  Result<R> result;

  LaneLoops(const Record* record, Gang* gang)
      : At<kIndices, T>(record, gang)...,
        common(kTypical ? typical_common(record) : common_of(record, gang)),
        result(record, gang) {}

  template <bool kMasked>
  [[gnu::always_inline]] inline void slot(Gang* gang, unsigned slot, U32 exec) {
    (At<kIndices, T>::begin(gang, slot), ...);
    // A copy of its own, which lies in registers: a mask that grew in memory would be a dependence between
    // lanes, and the loop says that there is none.
    Result<R> out = result;
    MOCKGPU_LANE_LOOP
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      out.template put<kMasked>(slot, lane, exec, F{}(At<kIndices, T>::get(slot, lane, common)...), common);
    }
    out.end(gang, slot, exec);
  }

  /// Every slot is active and has all its lanes.
  [[gnu::always_inline]] inline void run_full(Gang* gang) {
    const unsigned count = gang->slots;
    unsigned s = 0;
    do {
      slot<false>(gang, s, ~0u);
    } while (++s < count);
  }

  [[gnu::always_inline]] inline void run_masked(Gang* gang) {
    for (U32 left = gang->active; left != 0; left &= left - 1) {
      const unsigned s = static_cast<unsigned>(__builtin_ctz(left));
      slot<true>(gang, s, exec_of(gang, s));
    }
  }

  [[gnu::always_inline]] inline void run(Gang* gang) {
    // Rare modes do without the loop for full gangs, for the sake of size.
    if (kTypical && gang->full) {
      run_full(gang);
    } else {
      run_masked(gang);
    }
  }
};

/// Types whose handling depends on what MODE says of f32, and of f16 and f64.
template <class T>
inline constexpr bool kNarrowModal = kSame<T, BitsF32>;
template <class T>
inline constexpr bool kWideModal = kSame<T, Round> || kSame<T, F16> || kSame<T, PairF16> || kSame<T, BitsF64>;

/// The environment that the types of a body ask for.
template <class R, class... T>
inline constexpr Environment kEnvironmentOf = (kSame<R, F16> || kSame<R, PairF16> || (kSame<T, F16> || ...) ||
                                               (kSame<T, PairF16> || ...))
                                                  ? Environment::plain
                                              : (kSame<R, F64> || kSame<R, BitsF64> ||
                                                 kSame<R, WithBit<F64>> || (kSame<T, F64> || ...) ||
                                                 (kSame<T, BitsF64> || ...))
                                                  ? Environment::wide
                                                  : Environment::narrow;

template <class Signature>
struct BodyTraits;
template <class C, class R, class... T>
struct BodyTraits<R (C::*)(T...) const> {
  template <class F, unsigned kUniform, bool kTypical>
  using Loops = LaneLoops<F, kUniform, kTypical, R, typename NumbersUpTo<sizeof...(T)>::Type, T...>;
  static constexpr bool narrow_modal = kNarrowModal<R> || (kNarrowModal<T> || ...);
  static constexpr bool wide_modal = kWideModal<R> || (kWideModal<T> || ...);
  static constexpr bool ieee_modal = (kSame<T, Ieee> || ...);
  static constexpr bool modal = narrow_modal || wide_modal || ieee_modal;
  static bool typical(const Gang* gang) { return typical_mode<narrow_modal, wide_modal, ieee_modal>(gang); }
  static constexpr Environment environment = kEnvironmentOf<R, T...>;
  static constexpr unsigned operands = kOperands<T...>;
  /// Bits of the sources that may be uniform.
  static constexpr unsigned uniformable() {
    unsigned bits = 0;
    unsigned index = 0;
    ((bits |= (!kImplied<T> && !kSame<T, Bit>) ? 1u << index++ : 0u * index++), ...);
    return bits & 7;
  }

  /// An entry without handlers.
  static constexpr VectorEntry shape() {
    VectorEntry entry{};
    entry.dst = ResultShape<R>::dst;
    entry.second_dst = ResultShape<R>::second;
    entry.clamp = ResultShape<R>::clamp;
    (add<T>(entry), ...);
    return entry;
  }

 private:
  template <class P>
  static constexpr void add(VectorEntry& entry) {
    if constexpr (!kImplied<P>) entry.src[entry.sources++] = Lane<P>::type;
    if constexpr (kSame<P, RawBits>) entry.raw_bits = true;
  }
};
template <class F>
using Traits = BodyTraits<decltype(&F::operator())>;

// ---- handlers

/// The work is a function of its own, so that the handler itself has no frame and ends in a jump. All of a
/// body is inlined into its loop, which could not vectorise otherwise.
template <class F, unsigned kUniform, Environment kEnvironment>
[[gnu::noinline, gnu::flatten]] void lane_work(const Record* record, Gang* gang) {
  enter<kEnvironment>(gang);
  typename Traits<F>::template Loops<F, kUniform, true> loops(record, gang);
  loops.run(gang);
  leave<kEnvironment>(gang);
}
/// In a mode that is not typical. Flushed f32 is common enough to be fast; other modes of f16 and f64 are
/// small instead.
template <class F, unsigned kUniform, Environment kEnvironment>
[[gnu::noinline, gnu::flatten]] void flushing_lane_work(const Record* record, Gang* gang) {
  enter<kEnvironment>(gang);
  typename Traits<F>::template Loops<F, kUniform, false> loops(record, gang);
  loops.run(gang);
  leave<kEnvironment>(gang);
}
template <class F, unsigned kUniform, Environment kEnvironment>
[[gnu::noinline, gnu::cold]] void rare_lane_work(const Record* record, Gang* gang) {
  enter<kEnvironment>(gang);
  typename Traits<F>::template Loops<F, kUniform, false> loops(record, gang);
  loops.run(gang);
  leave<kEnvironment>(gang);
}
template <class F, unsigned kUniform, Environment kEnvironment>
HandlerResult run_lanes(const Record* record, Gang* gang) {
  if constexpr (Traits<F>::modal) {
    if (Traits<F>::typical(gang)) {
      lane_work<F, kUniform, kEnvironment>(record, gang);
    } else if constexpr (Traits<F>::wide_modal) {
      rare_lane_work<F, kUniform, kEnvironment>(record, gang);
    } else {
      flushing_lane_work<F, kUniform, kEnvironment>(record, gang);
    }
  } else {
    lane_work<F, kUniform, kEnvironment>(record, gang);
  }
  MOCKGPU_NEXT(record, gang);
}

/// A hot op where a mask matters: apart, so that the loop for full gangs needs few registers.
template <class F, unsigned kUniform>
[[gnu::flatten, gnu::noinline]] HandlerResult run_masked_lanes(const Record* record, Gang* gang) {
  typename Traits<F>::template Loops<F, kUniform, true> loops(record, gang);
  loops.run_masked(gang);
  MOCKGPU_NEXT(record, gang);
}

/// The same without the call, for hot ops, whose loops need no memory of their own.
template <class F, unsigned kUniform>
[[gnu::flatten]] HandlerResult run_hot_lanes(const Record* record, Gang* gang) {
  static_assert(!Traits<F>::modal && Traits<F>::environment == Environment::narrow);
  if (!gang->full) [[unlikely]] {
    MOCKGPU_MUSTTAIL return run_masked_lanes<F, kUniform>(record, gang);
  }
  typename Traits<F>::template Loops<F, kUniform, true> loops(record, gang);
  loops.run_full(gang);
  MOCKGPU_NEXT(record, gang);
}

/// One row of a chapter's table.
struct VectorRow {
  Op op;
  VectorEntry entry;

  /// One handler, on vector rows.
  template <class F>
  constexpr VectorRow(Op op, F) : op(op), entry(Traits<F>::shape()) {
    entry.run[0] = run_lanes<F, 0, Traits<F>::environment>;
  }
  constexpr VectorRow(Op op, const VectorEntry& entry) : op(op), entry(entry) {}
};

/// A row whose body runs in another environment than its types ask for.
template <Environment kEnvironment, class F>
constexpr VectorRow in_environment(Op op, F) {
  VectorEntry entry = Traits<F>::shape();
  entry.run[0] = run_lanes<F, 0, kEnvironment>;
  return {op, entry};
}

template <class F, unsigned kUniform>
constexpr Handler hot_handler() {
  if constexpr (Traits<F>::modal || Traits<F>::environment != Environment::narrow) {
    return run_lanes<F, kUniform, Traits<F>::environment>;
  } else {
    return run_hot_lanes<F, kUniform>;
  }
}
template <class F, unsigned kUniform>
constexpr void add_uniform_variant(VectorEntry& entry) {
  if constexpr ((kUniform & ~Traits<F>::uniformable()) == 0 && kUniform != (1u << Traits<F>::operands) - 1) {
    entry.run[kUniform] = hot_handler<F, kUniform>();
  } else if constexpr (kUniform == 1 && Traits<F>::operands == 1) {
    entry.run[kUniform] = hot_handler<F, kUniform>();
  }
}
template <class F, unsigned... kUniform>
constexpr void add_uniform(VectorEntry& entry, Numbers<kUniform...>) {
  (add_uniform_variant<F, kUniform>(entry), ...);
}

/// A row with further handlers that take uniform sources: any but all of several. Not at the level of old
/// hosts, which must only be right and is half of the build.
template <class F>
constexpr VectorRow hot(Op op, F) {
#ifdef __AVX2__
  VectorEntry entry = Traits<F>::shape();
  entry.run[0] = hot_handler<F, 0>();
  add_uniform<F>(entry, Numbers<1, 2, 3, 4, 5, 6>{});
  return {op, entry};
#else
  return {op, F{}};
#endif
}

/// A row whose operands prepare_vector places in a way of its own: `dst` is LaneType::none.
constexpr VectorRow special(Op op, Handler handler) {
  VectorEntry entry{};
  entry.run[0] = handler;
  return {op, entry};
}

/// A chapter's table.
struct VectorChapter {
  const VectorRow* rows;
  unsigned count;
};
template <unsigned kCount>
constexpr VectorChapter chapter(const VectorRow (&rows)[kCount]) {
  return {rows, kCount};
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
