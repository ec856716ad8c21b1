#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#include "portable.h"
#include "integers.inc"
#include "floats.inc"
#include "control.inc"

#define KERNEL(name, from, to) \
  kernel void name(global const from *x, global to *o) { name##_body(GID_X(), x, o); }

KERNEL(integer8, uint, uint)
KERNEL(integer16, uint, uint)
KERNEL(integer32, uint, uint)
KERNEL(integer64, ulong, ulong)
KERNEL(float_arithmetic, uint, uint)
KERNEL(double_arithmetic, ulong, ulong)
KERNEL(rounding, uint, uint)
KERNEL(double_rounding, ulong, ulong)
KERNEL(from_int, ulong, ulong)
KERNEL(to_int, uint, ulong)
KERNEL(nested, uint, uint)
KERNEL(collatz, uint, uint)
KERNEL(recursion, uint, uint)
KERNEL(pointers, uint, uint)
KERNEL(sort, uint, uint)
