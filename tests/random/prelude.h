// What the programs of generate.py stand on, for a GPU (OpenCL C) and for the host (C, -DHOST).
typedef signed char schar;
#ifdef HOST
#include <stdio.h>
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
#define LOCAL
#define PRIVATE
#define HIDDEN(x)
#define BODY static
#define CALLED static
#define BITS_F(x) \
  (((union {      \
     float f;     \
     uint u;      \
   }){.f = (x)})  \
       .u)
#define BITS_D(x) \
  (((union {      \
     double d;    \
     ulong u;     \
   }){.d = (x)})  \
       .u)
#else
#define LOCAL local
#define PRIVATE private
#define BODY static
#define CALLED __attribute__((noinline)) static
/// clang-19 divides sign-extended narrow values as if they were small (README.md): it must not see them.
#define HIDDEN(x) __asm__("" : "+v"(x))
#define BITS_F(x) as_uint(x)
#define BITS_D(x) as_ulong(x)
#endif
#define FALLTHROUGH __attribute__((fallthrough))

typedef struct {
  uint u[5], a[32];
  ulong w[3];
  float f[4];
  double d[2];
} State;

static inline uint udiv(uint x, uint y) {
  HIDDEN(x);
  HIDDEN(y);
  return y == 0u ? x : x / y;
}
static inline uint umod(uint x, uint y) {
  HIDDEN(x);
  HIDDEN(y);
  return y == 0u ? x : x % y;
}
CALLED uint sdiv(uint x, uint y) { return y == 0u || y == ~0u ? x : (uint)((int)x / (int)y); }
CALLED uint smod(uint x, uint y) { return y == 0u || y == ~0u ? x : (uint)((int)x % (int)y); }
CALLED ulong wdiv(ulong x, ulong y) { return y == 0ul ? x : x / y; }
CALLED ulong wmod(ulong x, ulong y) { return y == 0ul ? x : x % y; }
CALLED ulong ldiv64(ulong x, ulong y) { return y == 0ul || y == ~0ul ? x : (ulong)((long)x / (long)y); }
CALLED ulong lmod64(ulong x, ulong y) { return y == 0ul || y == ~0ul ? x : (ulong)((long)x % (long)y); }
static inline uint mulhi(uint x, uint y) { return (uint)(((ulong)x * y) >> 32); }
static inline float fold(float x) { return x == x ? x : 0.75f; }
static inline double foldd(double x) { return x == x ? x : 0.75; }
static inline uint f2i(float x) { return x > -2.0e9f && x < 2.0e9f ? (uint)(int)x : 17u; }
static inline uint d2i(double x) { return x > -2.0e9 && x < 2.0e9 ? (uint)(int)x : 19u; }
CALLED uint mix(uint x) {
  x = (x ^ (x >> 16)) * 0x7feb352du;
  x = (x ^ (x >> 15)) * 0x846ca68bu;
  return x ^ (x >> 16);
}

CALLED void start_state(PRIVATE State* s, uint l, uint g) {
  uint id = g * ITEMS + l;
  for (uint i = 0; i < 5u; ++i) s->u[i] = mix(id * 5u + i) >> (i * 7u);
  for (uint i = 0; i < 32u; ++i) s->a[i] = mix(id + i * 977u);
  for (uint i = 0; i < 3u; ++i) s->w[i] = (ulong)mix(id * 3u + i) << 32 | mix(id + i);
  for (uint i = 0; i < 4u; ++i) s->f[i] = (float)(int)mix(id * 7u + i) * (i == 3u ? 1.0e-45f : 0.0009765625f);
  for (uint i = 0; i < 2u; ++i) s->d[i] = (double)(int)mix(id * 11u + i) * 0.001;
}

CALLED ulong end_state(PRIVATE const State* s) {
  ulong hash = 0;
  for (uint i = 0; i < 5u; ++i) hash = hash * 31ul + s->u[i];
  for (uint i = 0; i < 32u; ++i) hash = hash * 31ul + s->a[i];
  for (uint i = 0; i < 3u; ++i) hash = hash * 31ul + s->w[i];
  for (uint i = 0; i < 4u; ++i) hash = hash * 31ul + BITS_F(s->f[i]);
  for (uint i = 0; i < 2u; ++i) hash = hash * 31ul + BITS_D(s->d[i]);
  return hash ^ (hash >> 29);
}

#ifdef HOST
#define KERNEL(name) static void name(void)
#define START                                                                                  \
  static State states[GROUPS][ITEMS];                                                          \
  static uint lds[GROUPS][ITEMS * WORDS];                                                      \
  for (uint g = 0; g < GROUPS; ++g)                                                            \
    for (uint l = 0; l < ITEMS; ++l) {                                                         \
      start_state(&states[g][l], l, g);                                                        \
      for (uint i = 0; i < WORDS; ++i) lds[g][l * WORDS + i] = mix(g * 1000u + l * WORDS + i); \
    }
#define PHASE(phase)                \
  for (uint g = 0; g < GROUPS; ++g) \
    for (uint l = 0; l < ITEMS; ++l) phase(&states[g][l], l, g, lds[g]);
#define END                                  \
  for (uint g = 0; g < GROUPS; ++g)          \
    for (uint l = 0; l < ITEMS; ++l) {       \
      ulong hash = end_state(&states[g][l]); \
      fwrite(&hash, sizeof hash, 1, stdout); \
    }
#else
#define BARRIER                                          \
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"); \
  __builtin_amdgcn_s_barrier();                          \
  __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup");
#define KERNEL(name) kernel __attribute__((reqd_work_group_size(ITEMS, 1, 1))) void name(global ulong* out)
#define START                                                                           \
  local uint lds[ITEMS * WORDS];                                                        \
  State state;                                                                          \
  uint l = __builtin_amdgcn_workitem_id_x(), g = __builtin_amdgcn_workgroup_id_x();     \
  start_state(&state, l, g);                                                            \
  for (uint i = 0; i < WORDS; ++i) lds[l * WORDS + i] = mix(g * 1000u + l * WORDS + i); \
  BARRIER
#define PHASE(phase)        \
  phase(&state, l, g, lds); \
  BARRIER
#define END out[g * ITEMS + l] = end_state(&state);
#endif
