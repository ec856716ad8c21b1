#pragma once
// What atomics do to memory. Memory is updated with __atomic built-ins, so atomics of GPU and host threads
// never tear; a host address that is not aligned (its mapping is not) is updated plainly.
#include "emu/amd/wave/lanes/memory_access.h"
#include "emu/amd/wave/memory_table.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory {

/// How float atomics treat subnormals.
struct FloatMode {
  bool flush_inputs = false;
  bool flush_outputs = false;
};

template <class T>
struct FloatOf;
template <>
struct FloatOf<U32> {
  using Type = float;
  using Signed = std::int32_t;
  static constexpr U32 kExponent = 0x7f800000, kFraction = 0x007fffff, kQuiet = 0x00400000, kSign = 1u << 31;
};
template <>
struct FloatOf<U64> {
  using Type = double;
  using Signed = std::int64_t;
  static constexpr U64 kExponent = 0x7ff0000000000000, kFraction = 0x000fffffffffffff,
                       kQuiet = 0x0008000000000000, kSign = U64{1} << 63;
};

template <class T>
inline bool is_nan(T bits) {
  return (bits & FloatOf<T>::kExponent) == FloatOf<T>::kExponent && (bits & FloatOf<T>::kFraction) != 0;
}
template <class T>
inline T flush(T bits, bool wanted) {
  return wanted && (bits & FloatOf<T>::kExponent) == 0 ? bits & FloatOf<T>::kSign : bits;
}
template <class T>
inline T to_bits(typename FloatOf<T>::Type value) {
  return __builtin_bit_cast(T, value);
}
template <class T>
inline typename FloatOf<T>::Type to_float(T bits) {
  return __builtin_bit_cast(typename FloatOf<T>::Type, bits);
}
/// Order of floats as integers: -0 is below +0.
template <class T>
inline typename FloatOf<T>::Signed order(T bits) {
  const T key = bits & FloatOf<T>::kSign ? bits ^ static_cast<T>(~FloatOf<T>::kSign) : bits;
  return static_cast<typename FloatOf<T>::Signed>(key);
}

/// The result of a float addition: the first NaN, quieted (rule NAN-1), or the default NaN of inf - inf.
template <class T>
inline T float_add(T a, T b, FloatMode mode) {
  a = flush(a, mode.flush_inputs);
  b = flush(b, mode.flush_inputs);
  if (is_nan(a)) return a | FloatOf<T>::kQuiet;
  if (is_nan(b)) return b | FloatOf<T>::kQuiet;
  const T sum = to_bits<T>(to_float<T>(a) + to_float<T>(b));
  if (is_nan(sum)) return FloatOf<T>::kExponent | FloatOf<T>::kQuiet;
  return flush(sum, mode.flush_outputs);
}

/// minNum and maxNum: a number wins over a NaN; the chosen value is not flushed.
template <class T>
inline T float_pick(T old, T data, bool least, FloatMode mode) {
  if (is_nan(old)) return is_nan(data) ? old | FloatOf<T>::kQuiet : data;
  if (is_nan(data)) return old;
  const auto a = order(flush(old, mode.flush_inputs)), b = order(flush(data, mode.flush_inputs));
  return (least ? b < a : b > a) ? data : old;
}

/// The new value of memory. `data` is the first operand, `other` the second (see the cases).
template <class T>
inline T apply(AtomicOp op, T old, T data, T other, FloatMode mode) {
  using Signed = typename FloatOf<T>::Signed;
  switch (op) {
    case AtomicOp::swap: return data;
    case AtomicOp::cmpswap: return old == other ? data : old;  // other: compared with
    case AtomicOp::add: return old + data;
    case AtomicOp::sub: return old - data;
    case AtomicOp::rsub: return data - old;
    case AtomicOp::inc: return old >= data ? 0 : old + 1;
    case AtomicOp::dec: return old == 0 || old > data ? data : old - 1;
    case AtomicOp::smin: return static_cast<Signed>(data) < static_cast<Signed>(old) ? data : old;
    case AtomicOp::smax: return static_cast<Signed>(data) > static_cast<Signed>(old) ? data : old;
    case AtomicOp::umin: return data < old ? data : old;
    case AtomicOp::umax: return data > old ? data : old;
    case AtomicOp::bit_and: return old & data;
    case AtomicOp::bit_or: return old | data;
    case AtomicOp::bit_xor: return old ^ data;
    case AtomicOp::csub: return old < data ? 0 : old - data;
    case AtomicOp::mskor: return (old & ~data) | other;  // data: mask
    case AtomicOp::wrap: return old >= data ? old - data : old + other;
    case AtomicOp::condxchg: {  // each dword by itself, if its top bit is set
      U64 result = old;
      const U64 wide = data;
      for (unsigned shift = 0; shift < 8 * sizeof(T); shift += 32) {
        const U64 dword = (wide >> shift) & 0xffffffff;
        if (dword >> 31) result = (result & ~(U64{0xffffffff} << shift)) | ((dword & 0x7fffffff) << shift);
      }
      return static_cast<T>(result);
    }
    case AtomicOp::float_add: return float_add(old, data, mode);
    case AtomicOp::float_min: return float_pick(old, data, true, mode);
    case AtomicOp::float_max: return float_pick(old, data, false, mode);
    case AtomicOp::float_cmpswap: {
      const T a = flush(old, mode.flush_inputs), b = flush(other, mode.flush_inputs);
      const bool equal = !is_nan(a) && !is_nan(b) && (a == b || ((a | b) & ~FloatOf<T>::kSign) == 0);
      return equal ? flush(data, mode.flush_inputs) : old;
    }
  }
  return old;
}

constexpr bool is_float(AtomicOp op) { return op >= AtomicOp::float_add; }

/// Performs the atomic at a host address and returns the old value.
template <class T>
inline T update(Byte* at, AtomicOp op, T data, T other, FloatMode mode) {
  if (reinterpret_cast<std::uintptr_t>(at) % sizeof(T) != 0) {
    const T old = peek<T>(at);
    poke<T>(at, apply(op, old, data, other, mode));
    return old;
  }
  typedef T __attribute__((may_alias)) Cell;
  Cell* cell = reinterpret_cast<Cell*>(at);
  if (op == AtomicOp::add) return __atomic_fetch_add(cell, data, __ATOMIC_SEQ_CST);
  if (op == AtomicOp::swap) return __atomic_exchange_n(cell, data, __ATOMIC_SEQ_CST);
  T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(cell, &old, apply(op, old, data, other, mode), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST)) {
  }
  return old;
}

/// The same in LDS, which only its own group sees.
template <class T>
inline T update_lds(Byte* at, AtomicOp op, T data, T other, FloatMode mode) {
  const T old = peek<T>(at);
  poke<T>(at, apply(op, old, data, other, mode));
  return old;
}

/// Memory's own arithmetic rounds to nearest even and keeps subnormals (unless a FloatMode says otherwise),
/// whatever the wave's mode is.
class NearestEven {
 public:
  explicit NearestEven(bool used) : used_(used) {
#if defined(__SSE__)
    if (used_) {
      saved_ = __builtin_ia32_stmxcsr();
      __builtin_ia32_ldmxcsr(0x1f80);
    }
#endif
  }
  ~NearestEven() {
#if defined(__SSE__)
    if (used_) __builtin_ia32_ldmxcsr(saved_);
#endif
  }
  NearestEven(const NearestEven&) = delete;
  NearestEven& operator=(const NearestEven&) = delete;

 private:
  bool used_;
  unsigned saved_ = 0;
};

/// One lane's operands and result in rows.
template <class T>
inline T register_value(const U32* rows, unsigned lane) {
  if constexpr (sizeof(T) == 4) {
    return rows[lane];
  } else {
    return rows[lane] | U64{rows[kRowWords + lane]} << 32;
  }
}
template <class T>
inline void set_register(U32* rows, unsigned lane, T value) {
  rows[lane] = static_cast<U32>(value);
  if constexpr (sizeof(T) == 8) rows[kRowWords + lane] = static_cast<U32>(value >> 32);
}

/// Lanes' atomics on memory, in lane order; address(l) is lane l's GPU address. The second operand follows
/// the first in the registers. False after a fault: lanes before it are done.
template <class T, class Address>
inline bool atomic_lanes(const Record* record, Gang* gang, unsigned slot, U32 lanes, Address address) {
  const auto op = static_cast<AtomicOp>(record->op);
  const U32* data = row(gang, record->src[1]) + slot * kLanes;
  const U32* other = data + sizeof(T) / 4 * kRowWords;
  const bool two = op == AtomicOp::cmpswap || op == AtomicOp::float_cmpswap;
  U32* result = record->flags & kReturnsValue ? row(gang, record->dst) + slot * kLanes : nullptr;
  const unsigned cache = store_cache(record);
  for (; lanes; lanes &= lanes - 1) {
    const unsigned lane = lowest(lanes);
    const U64 where = address(lane);
    if (where % sizeof(T) != 0) {
      stop_with_fault(gang, record, FaultKind::misaligned_atomic, true, slot, 1u << lane, sizeof(T), where);
      return false;
    }
    Byte* at = find(gang, cache, where, sizeof(T), kReadRight | kWriteRight);
    if (!at) {
      stop_with_fault(gang, record, FaultKind::memory, true, slot, 1u << lane, sizeof(T), where);
      return false;
    }
    const T old = update<T>(at, op, register_value<T>(data, lane),
                            two ? register_value<T>(other, lane) : T{0}, FloatMode{});
    if (result) set_register<T>(result, lane, old);
  }
  return true;
}

/// How float atomics of LDS treat subnormals: by MODE.
inline FloatMode lds_float_mode(Gang* gang, unsigned slot, bool wide) {
  const U32 denorm = row(gang, Gang::scalar_offset(kRowMode))[slot] >> (wide ? 6 : 4);
  return {(denorm & 1) == 0, (denorm & 2) == 0};
}

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL::memory
