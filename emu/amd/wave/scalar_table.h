#pragma once
// How SALU semantics become handlers. A body is the arithmetic of one wave; its parameter types say how
// operands are read.
#include <cstdint>
#include <tuple>
#include <type_traits>

#include "emu/amd/wave/gang.h"
#include "isa/amd/instruction.h"

#if defined(__clang__)
#define MOCKGPU_INDEPENDENT_LOOP _Pragma("clang loop vectorize(assume_safety)")
#else
#define MOCKGPU_INDEPENDENT_LOOP _Pragma("GCC ivdep")
#endif

namespace mockgpu::emu::amd {

/// SALU handlers of one op: `run[k]`, where bit i of k says that source i is a constant in the record.
struct ScalarEntry {
  Handler run[4] = {};
  std::uint8_t sources = 0;  ///< 0..2 sources read from operands
  bool has_dst = false;
  bool reads_dst = false;  ///< the destination is the last source (cmov, bitset, addk)
};

const ScalarEntry& scalar_entry(isa::amd::Op op);

namespace scalar_detail {

template <class F>
struct Signature;
template <class C, class D, class... P>
struct Signature<D (C::*)(P...) const> {
  using Result = D;
  static constexpr unsigned count = sizeof...(P);
  template <unsigned I>
  using Param = std::tuple_element_t<I, std::tuple<P...>>;
};

template <class T>
T read(const std::uint32_t* at, unsigned slot) {
  if constexpr (sizeof(T) == 8) {
    return static_cast<T>(at[slot] | static_cast<std::uint64_t>(at[slot + kSlots]) << 32);
  } else {
    return static_cast<T>(at[slot]);
  }
}

template <class T>
T constant(const Record* record, unsigned index) {
  return static_cast<T>(index == 0 ? record->imm : record->aux);
}

inline void blend(std::uint32_t* at, unsigned slot, std::uint32_t value, std::uint32_t mask) {
  at[slot] = (at[slot] & ~mask) | (value & mask);
}

/// Runs `F` for every active slot. The last parameter of F may be `std::uint32_t& scc`, read and written.
template <class F, unsigned kConstants>
HandlerResult run(const Record* record, Gang* gang) {
  using Sig = Signature<decltype(&F::operator())>;
  using D = typename Sig::Result;
  constexpr bool kScc = std::is_same_v<typename Sig::template Param<Sig::count - 1>, std::uint32_t&>;
  constexpr unsigned kSources = Sig::count - (kScc ? 1 : 0);
  const std::uint32_t* a = nullptr;
  const std::uint32_t* b = nullptr;
  if constexpr (kSources > 0 && !(kConstants & 1)) a = row(gang, record->src[0]);
  if constexpr (kSources > 1 && !(kConstants & 2)) b = row(gang, record->src[1]);
  std::uint32_t* dst = row(gang, record->dst);
  std::uint32_t* scc_row = gang->sgpr[kRowScc];
  const std::uint32_t* mask = gang->slot_mask;
  MOCKGPU_INDEPENDENT_LOOP
  for (unsigned s = 0; s < kSlots; ++s) {
    std::uint32_t scc = scc_row[s];
    auto call = [&](auto... sources) {
      if constexpr (kScc) {
        return F{}(sources..., scc);
      } else {
        return F{}(sources...);
      }
    };
    auto value = [&] {
      if constexpr (kSources == 0) {
        return call();
      } else {
        using A = typename Sig::template Param<0>;
        const A x = (kConstants & 1) ? constant<A>(record, 0) : read<A>(a, s);
        if constexpr (kSources == 1) {
          return call(x);
        } else {
          using B = typename Sig::template Param<1>;
          const B y = (kConstants & 2) ? constant<B>(record, 1) : read<B>(b, s);
          return call(x, y);
        }
      }
    };
    if constexpr (std::is_void_v<D>) {
      value();
    } else {
      const D result = value();
      blend(dst, s, static_cast<std::uint32_t>(result), mask[s]);
      if constexpr (sizeof(D) == 8) {
        blend(dst, s + kSlots, static_cast<std::uint32_t>(static_cast<std::uint64_t>(result) >> 32), mask[s]);
      }
    }
    if constexpr (kScc) blend(scc_row, s, scc, mask[s]);
  }
  MOCKGPU_NEXT(record, gang);
}

template <class F>
ScalarEntry entry(bool reads_dst) {
  using Sig = Signature<decltype(&F::operator())>;
  constexpr bool kScc = std::is_same_v<typename Sig::template Param<Sig::count - 1>, std::uint32_t&>;
  ScalarEntry made;
  made.sources = Sig::count - (kScc ? 1 : 0);
  made.has_dst = !std::is_void_v<typename Sig::Result>;
  made.reads_dst = reads_dst;
  made.run[0] = run<F, 0>;
  made.run[1] = run<F, 1>;
  if (made.sources > 1) {
    made.run[2] = run<F, 2>;
    made.run[3] = run<F, 3>;
  }
  return made;
}

}  // namespace scalar_detail
}  // namespace mockgpu::emu::amd
