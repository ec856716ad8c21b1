// Vector ALU, compares. v_cmpx has the bodies of v_cmp: its result goes to EXEC.
#include "emu/amd/wave/lanes/vector_chapters.h"
#include "emu/amd/wave/numerics/exponent.h"

namespace mockgpu::emu::amd::MOCKGPU_LEVEL {

template <class T>
struct Compare {
  static constexpr auto never = [](T, T) { return false; };
  static constexpr auto lt = [](T a, T b) -> bool { return a < b; };
  static constexpr auto eq = [](T a, T b) -> bool { return a == b; };
  static constexpr auto le = [](T a, T b) -> bool { return a <= b; };
  static constexpr auto gt = [](T a, T b) -> bool { return a > b; };
  static constexpr auto ge = [](T a, T b) -> bool { return a >= b; };
  static constexpr auto ne = [](T a, T b) -> bool { return a != b; };
  static constexpr auto always = [](T, T) { return true; };
  // Floats: "less or greater", ordered, unordered, and the negations.
  static constexpr auto lg = [](T a, T b) -> bool { return (a < b) | (a > b); };
  static constexpr auto o = [](T a, T b) -> bool { return (a == a) & (b == b); };
  static constexpr auto u = [](T a, T b) -> bool { return (a != a) | (b != b); };
  static constexpr auto nge = [](T a, T b) -> bool { return !(a >= b); };
  static constexpr auto nlg = [](T a, T b) -> bool { return !((a < b) | (a > b)); };
  static constexpr auto ngt = [](T a, T b) -> bool { return !(a > b); };
  static constexpr auto nle = [](T a, T b) -> bool { return !(a <= b); };
  static constexpr auto nlt = [](T a, T b) -> bool { return !(a < b); };
};

/// The same on f16, whose values are compared as f32.
template <class F>
struct AsF32 {
  bool operator()(F16 a, F16 b) const { return F{}(to_f32(a), to_f32(b)); }
};
template <class F>
static constexpr AsF32<F> as_f32(F) {
  return {};
}

#define MOCKGPU_COMPARE(make, name, type, body) \
  make(Op::v_cmp_##name##_##type, body), make(Op::v_cmpx_##name##_##type, body)

template <class F>
static constexpr VectorRow plain(Op op, F body) {
  return {op, body};
}

#define MOCKGPU_COMPARE_INTEGERS(make, type, T)                                                         \
  MOCKGPU_COMPARE(make, lt, type, Compare<T>::lt), MOCKGPU_COMPARE(make, eq, type, Compare<T>::eq),     \
      MOCKGPU_COMPARE(make, le, type, Compare<T>::le), MOCKGPU_COMPARE(make, gt, type, Compare<T>::gt), \
      MOCKGPU_COMPARE(make, ne, type, Compare<T>::ne), MOCKGPU_COMPARE(make, ge, type, Compare<T>::ge)

// There are no 16-bit forms of these two.
#define MOCKGPU_COMPARE_CONSTANTS(type, T) \
  MOCKGPU_COMPARE(plain, f, type, Compare<T>::never), MOCKGPU_COMPARE(plain, t, type, Compare<T>::always)

#define MOCKGPU_COMPARE_FLOATS(make, type, T, of)             \
  MOCKGPU_COMPARE(plain, f, type, of(Compare<T>::never)),     \
      MOCKGPU_COMPARE(make, lt, type, of(Compare<T>::lt)),    \
      MOCKGPU_COMPARE(make, eq, type, of(Compare<T>::eq)),    \
      MOCKGPU_COMPARE(make, le, type, of(Compare<T>::le)),    \
      MOCKGPU_COMPARE(make, gt, type, of(Compare<T>::gt)),    \
      MOCKGPU_COMPARE(make, lg, type, of(Compare<T>::lg)),    \
      MOCKGPU_COMPARE(make, ge, type, of(Compare<T>::ge)),    \
      MOCKGPU_COMPARE(plain, o, type, of(Compare<T>::o)),     \
      MOCKGPU_COMPARE(plain, u, type, of(Compare<T>::u)),     \
      MOCKGPU_COMPARE(make, nge, type, of(Compare<T>::nge)),  \
      MOCKGPU_COMPARE(plain, nlg, type, of(Compare<T>::nlg)), \
      MOCKGPU_COMPARE(make, ngt, type, of(Compare<T>::ngt)),  \
      MOCKGPU_COMPARE(make, nle, type, of(Compare<T>::nle)),  \
      MOCKGPU_COMPARE(make, neq, type, of(Compare<T>::ne)),   \
      MOCKGPU_COMPARE(make, nlt, type, of(Compare<T>::nlt)),  \
      MOCKGPU_COMPARE(plain, t, type, of(Compare<T>::always))

#define MOCKGPU_AS_IS(body) body

// Classes are of the bits: denormals are denormals whatever MODE says.
static constexpr auto kClassF16 = [](U16 a, U16 mask) { return is_class(F16{a}, U32{mask}); };
static constexpr auto kClassF32 = [](U32 a, U32 mask) { return is_class(f32_of(a), mask); };
static constexpr auto kClassF64 = [](U64 a, U32 mask) { return is_class(f64_of(a), mask); };

static constexpr VectorRow kCompareRows[] = {
    MOCKGPU_COMPARE_INTEGERS(hot, i32, I32),
    MOCKGPU_COMPARE_INTEGERS(hot, u32, U32),
    MOCKGPU_COMPARE_INTEGERS(plain, i16, I16),
    MOCKGPU_COMPARE_INTEGERS(plain, u16, U16),
    MOCKGPU_COMPARE_INTEGERS(plain, i64, I64),
    MOCKGPU_COMPARE_INTEGERS(plain, u64, U64),
    MOCKGPU_COMPARE_CONSTANTS(i32, I32),
    MOCKGPU_COMPARE_CONSTANTS(u32, U32),
    MOCKGPU_COMPARE_CONSTANTS(i64, I64),
    MOCKGPU_COMPARE_CONSTANTS(u64, U64),
    MOCKGPU_COMPARE_FLOATS(hot, f32, F32, MOCKGPU_AS_IS),
    MOCKGPU_COMPARE_FLOATS(plain, f64, F64, MOCKGPU_AS_IS),
    MOCKGPU_COMPARE_FLOATS(plain, f16, F32, as_f32),
    MOCKGPU_COMPARE(plain, class, f16, kClassF16),
    MOCKGPU_COMPARE(plain, class, f32, kClassF32),
    MOCKGPU_COMPARE(plain, class, f64, kClassF64),
};
const VectorChapter kCompareOps = chapter(kCompareRows);

}  // namespace mockgpu::emu::amd::MOCKGPU_LEVEL
