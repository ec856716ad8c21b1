// Code that OpenCL C and C++ both understand: the kernels' bodies, which the tests also compile for the host as
// references (tests/e2e/portable_cases.cpp). No signed overflow, no conversion out of range, NaNs folded.
#pragma once
#ifdef __OPENCL_C_VERSION__
#include "base.h"
#define GLOBAL global
#define BODY static
#define CALLED __attribute__((noinline)) static
#define FLOAT_BITS(x) as_uint(x)
#define DOUBLE_BITS(x) as_ulong(x)
#define BITS_FLOAT(x) as_float(x)
#define BITS_DOUBLE(x) as_double(x)
#else
#include <cstring>
#define GLOBAL
#define BODY [[maybe_unused]] static
#define CALLED [[maybe_unused]] static
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
template <class To, class From>
static inline To mockgpu_same_bits(From from) {
  To to;
  static_assert(sizeof to == sizeof from);
  std::memcpy(&to, &from, sizeof to);
  return to;
}
#define FLOAT_BITS(x) mockgpu_same_bits<uint>(static_cast<float>(x))
#define DOUBLE_BITS(x) mockgpu_same_bits<ulong>(static_cast<double>(x))
#define BITS_FLOAT(x) mockgpu_same_bits<float>(static_cast<uint>(x))
#define BITS_DOUBLE(x) mockgpu_same_bits<double>(static_cast<ulong>(x))
#endif

// The bits of a result: every NaN is the same.
#define FOLD_FLOAT(x) ((x) != (x) ? 0x7fc00000u : FLOAT_BITS(x))
#define FOLD_DOUBLE(x) ((x) != (x) ? 0x7ff8000000000000ul : DOUBLE_BITS(x))
