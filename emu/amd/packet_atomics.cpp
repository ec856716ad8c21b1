#include "emu/amd/packet_atomics.h"

#include <cstring>
#include <type_traits>

#include "isa/amd/commands/pm4.h"

namespace mockgpu::emu::amd {
namespace {

using isa::amd::pm4::AtomicOp;

constexpr AtomicOp kind_of(std::uint32_t op) { return static_cast<AtomicOp>(op & 0x1f); }

/// The float operations: bit patterns in, bit patterns out; nothing is flushed. A NaN never replaces the old
/// value, as in the shader's own float atomics.
template <typename Float, typename Word>
Word float_result_of(AtomicOp kind, Word old, Word source, Word compare) {
  static_assert(sizeof(Float) == sizeof(Word));
  const auto value_of = [](Word bits) {
    Float value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  };
  switch (kind) {
    case AtomicOp::float_cmpswap: return value_of(old) == value_of(compare) ? source : old;
    case AtomicOp::float_min: return value_of(source) < value_of(old) ? source : old;
    default: return value_of(source) > value_of(old) ? source : old;
  }
}

template <typename Word>
Word result_of(AtomicOp kind, Word old, Word source, Word compare) {
  using Signed = std::make_signed_t<Word>;
  const auto old_s = static_cast<Signed>(old), source_s = static_cast<Signed>(source);
  switch (kind) {
    case AtomicOp::float_cmpswap:
    case AtomicOp::float_min:
    case AtomicOp::float_max:
      return float_result_of<std::conditional_t<sizeof(Word) == 4, float, double>>(kind, old, source,
                                                                                   compare);
    case AtomicOp::swap: return source;
    case AtomicOp::cmpswap: return old == compare ? source : old;
    case AtomicOp::add: return old + source;
    case AtomicOp::sub: return old - source;
    case AtomicOp::smin: return old_s < source_s ? old : source;
    case AtomicOp::umin: return old < source ? old : source;
    case AtomicOp::smax: return old_s > source_s ? old : source;
    case AtomicOp::umax: return old > source ? old : source;
    case AtomicOp::bit_and: return old & source;
    case AtomicOp::bit_or: return old | source;
    case AtomicOp::bit_xor: return old ^ source;
    case AtomicOp::inc: return old >= source ? 0 : old + 1;
    case AtomicOp::dec: return old == 0 || old > source ? source : old - 1;
    default: return old;
  }
}

template <typename Word>
Word apply(std::uint32_t op, void* address, Word source, Word compare) {
  auto* word = static_cast<Word*>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  while (true) {
    const Word next = result_of<Word>(kind_of(op), old, source, compare);
    if (__atomic_compare_exchange_n(word, &old, next, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) return old;
  }
}

}  // namespace

bool knows_atomic(std::uint32_t op) {
  if (op >= 0x80) return false;
  switch (kind_of(op)) {
    case AtomicOp::float_cmpswap:
    case AtomicOp::float_min:
    case AtomicOp::float_max:
    case AtomicOp::swap:
    case AtomicOp::cmpswap:
    case AtomicOp::add:
    case AtomicOp::sub:
    case AtomicOp::smin:
    case AtomicOp::umin:
    case AtomicOp::smax:
    case AtomicOp::umax:
    case AtomicOp::bit_and:
    case AtomicOp::bit_or:
    case AtomicOp::bit_xor:
    case AtomicOp::inc:
    case AtomicOp::dec: return true;
    default: return false;
  }
}

std::uint64_t apply_atomic(std::uint32_t op, void* word, std::uint64_t source, std::uint64_t compare) {
  if (is_atomic64(op)) return apply<std::uint64_t>(op, word, source, compare);
  return apply<std::uint32_t>(op, word, static_cast<std::uint32_t>(source),
                              static_cast<std::uint32_t>(compare));
}

}  // namespace mockgpu::emu::amd
