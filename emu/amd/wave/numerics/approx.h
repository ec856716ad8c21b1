#pragma once

#include "emu/amd/wave/numerics/half.h"
#include "emu/amd/wave/numerics/nan.h"
#include "emu/amd/wave/numerics/types.h"

// The transcendental unit. Hardware's own approximations are not public; these are ours: polynomials in f64
// over add and mul (no fma, which costs a library call on hosts without it), divisions and square roots of
// IEEE, then one rounding. MXCSR must round to nearest. Bounds, tested against MPFR, are in README.md.
//
// f32 exp, log, rcp, rsq, sqrt flush denormal sources and results to zero whatever MODE says (RDNA3.5
// ISA 16.12: "denormals are flushed"); sin and cos keep them as MXCSR says. f16 and f64 forms support
// denormals. An invalid operation gives the default NaN of NAN-1; the manual's examples print the negative
// one.

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

inline constexpr F32 kInfinityF32 = __builtin_inff();

/// 1/x.
MOCKGPU_LANE F32 rcp(F32 x) {
  const F32 source = flush(x);
  return fix_nan(flush(1.0f / source), x);
}
/// Differs from rcp in the exceptions it raises only.
MOCKGPU_LANE F32 rcp_iflag(F32 x) { return rcp(x); }
MOCKGPU_LANE F32 sqrt(F32 x) { return fix_nan(__builtin_sqrtf(flush(x)), x); }
/// 1/sqrt(x); of a zero the infinity with its sign.
MOCKGPU_LANE F32 rsq(F32 x) {
  const F64 root = __builtin_sqrt(static_cast<F64>(flush(x)));
  return fix_nan(static_cast<F32>(1.0 / root), x);
}

/// 2^x for -126 <= x < 128; elsewhere something that the caller replaces.
MOCKGPU_LANE F32 exp2_inside(F32 x) {
  const F32 magic = 12582912.0f;  // 1.5 * 2^23: adding it rounds to an integer, kept in the low bits
  const F32 shifted = x + magic;
  const U32 n = bits_of(shifted) - bits_of(magic);
  const F64 f = static_cast<F64>(x - (shifted - magic));
  F64 p = 0x1.43fffc90db59p-13;
  p = p * f + 0x1.5f48c04f62e50p-10;
  p = p * f + 0x1.3b2a1b7152befp-7;
  p = p * f + 0x1.c6aecc669b6ddp-5;
  p = p * f + 0x1.ebfbe045f4d3cp-3;
  p = p * f + 0x1.62e430d034702p-1;
  p = p * f + 1.0;
  return f32_of(bits_of(static_cast<F32>(p)) + (n << 23));
}
/// 2^x.
MOCKGPU_LANE F32 exp(F32 x) {
  const F32 inside = exp2_inside(x);
  const F32 low = x < -126.0f ? 0.0f : inside;
  const F32 high = x >= 128.0f ? kInfinityF32 : low;
  return is_nan(x) ? quiet(x) : high;
}

/// log2(x) of a positive normal x. With x = m * 2^e, m in [sqrt(1/2), sqrt(2)), and s = (m - 1)/(m + 1),
/// log2(m) is odd in s.
MOCKGPU_LANE F64 log2_inside(F32 x) {
  const U32 offset = bits_of(x) - 0x3f3504f3u;
  const F64 e = static_cast<F64>(static_cast<I32>(offset) >> 23);
  const F64 m = static_cast<F64>(f32_of((offset & 0x007fffffu) + 0x3f3504f3u));
  const F64 s = (m - 1.0) / (m + 1.0);
  const F64 z = s * s;
  F64 q = 0x1.ba197eb8ea300p-2;
  q = q * z + 0x1.27471d9732e1ap-1;
  q = q * z + 0x1.ec70e5f431dbdp-1;
  q = q * z + 0x1.7154764e763e0p+1;
  return e + s * q;
}
/// log2(x) given x and whether it counts as zero.
MOCKGPU_LANE F32 log_of(F32 x, bool zero) {
  const F32 inside = static_cast<F32>(log2_inside(x));
  const F32 finite = zero ? -kInfinityF32 : x < 0.0f ? f32_of(kNanF32) : inside;
  return is_nan(x) ? quiet(x) : x == kInfinityF32 ? x : finite;
}
/// log2(x).
MOCKGPU_LANE F32 log(F32 x) { return log_of(x, (bits_of(x) & 0x7f800000u) == 0); }

/// sin(2 pi t) for |t| <= 1/4.
MOCKGPU_LANE F64 sine_of_quarter(F64 t) {
  const F64 z = t * t;
  F64 p = -0x1.cc9b5f3456b49p+3;
  p = p * z + 0x1.5014072bd9ca2p+5;
  p = p * z + -0x1.32d12ebe6b560p+6;
  p = p * z + 0x1.466bc06900900p+6;
  p = p * z + -0x1.4abbce51c31dap+5;
  p = p * z + 0x1.921fb54425516p+2;
  return t * p;
}
/// x minus the nearest integer, exact. Adding and taking away 2^23 rounds to an integer; from there on all
/// values are integers.
MOCKGPU_LANE F32 turn_of(F32 x) {
  const F32 magic = x < 0.0f ? -8388608.0f : 8388608.0f;
  const F32 whole = abs(x) < 8388608.0f ? (x + magic) - magic : x;
  // Values below a half are their own turn, which keeps -0.
  return abs(x) < 0.5f ? x : x - whole;
}
/// sin(2 pi x). The whole range is reduced (RDNA); infinities are invalid.
MOCKGPU_LANE F32 sin(F32 x) {
  const F64 turn = static_cast<F64>(turn_of(x));
  const F64 size = abs(turn);
  const F64 folded = size > 0.25 ? 0.5 - size : size;
  const F64 sine = sine_of_quarter(folded);
  const U32 sign = static_cast<U32>(bits_of(turn) >> 32) & 0x80000000u;
  return fix_nan(f32_of(bits_of(static_cast<F32>(sine)) ^ sign), x);
}
/// cos(2 pi x).
MOCKGPU_LANE F32 cos(F32 x) {
  const F64 turn = static_cast<F64>(turn_of(x));
  const F64 size = abs(turn);
  return fix_nan(static_cast<F32>(sine_of_quarter(0.25 - size)), x);
}
// GCN and CDNA reduce |x| <= 256 only: beyond it sin gives 0 and cos 1 (GCN3 ISA).
MOCKGPU_LANE F32 sin_256(F32 x) { return abs(x) > 256.0f && abs(x) < kInfinityF32 ? 0.0f : sin(x); }
MOCKGPU_LANE F32 cos_256(F32 x) { return abs(x) > 256.0f && abs(x) < kInfinityF32 ? 1.0f : cos(x); }

// f16: in f32 as above, then rounded once more. Every f16 is zero or a normal f32.
MOCKGPU_LANE F16 rcp(F16 x) { return to_f16(rcp(to_f32(x))); }
MOCKGPU_LANE F16 sqrt(F16 x) { return to_f16(sqrt(to_f32(x))); }
MOCKGPU_LANE F16 rsq(F16 x) { return to_f16(rsq(to_f32(x))); }
MOCKGPU_LANE F16 exp(F16 x) { return to_f16(exp(to_f32(x))); }
MOCKGPU_LANE F16 log(F16 x) { return to_f16(log(to_f32(x))); }
MOCKGPU_LANE F16 sin(F16 x) { return to_f16(sin(to_f32(x))); }
MOCKGPU_LANE F16 cos(F16 x) { return to_f16(cos(to_f32(x))); }

// f64 seeds: better than their bound of 2^-26, being exact divisions and roots.
MOCKGPU_LANE F64 rcp(F64 x) { return fix_nan(1.0 / x, x); }
MOCKGPU_LANE F64 sqrt(F64 x) { return fix_nan(__builtin_sqrt(x), x); }
MOCKGPU_LANE F64 rsq(F64 x) { return fix_nan(1.0 / __builtin_sqrt(x), x); }

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
