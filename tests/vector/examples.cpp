// One hand-made example per op: operand order, types and meaning as in the RDNA3 manual, chapter 16. The
// arithmetic of odd cases is tested with the numerics.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <set>

#include "tests/vector/machine.h"

namespace mockgpu::tests::examples_tests {

using wave::LaneType;
using wave::VectorEntry;

constexpr std::uint64_t f(float value) { return std::bit_cast<std::uint32_t>(value); }
constexpr std::uint64_t d(double value) { return std::bit_cast<std::uint64_t>(value); }
constexpr std::uint64_t i(std::int32_t value) { return static_cast<std::uint32_t>(value); }
/// Result of a 16-bit op: registers hold 0xabcd1234 before.
constexpr std::uint64_t h(std::uint32_t half) { return 0xabcd0000u | half; }

// f16 values
constexpr std::uint32_t kOne = 0x3c00, kTwo = 0x4000, kThree = 0x4200, kFour = 0x4400, kSix = 0x4600,
                        kSeven = 0x4700, kHalf = 0x3800, kMinusOne = 0xbc00, kMinusTwo = 0xc000,
                        kEight = 0x4800, kMinusThree = 0xc200;
constexpr std::uint64_t pk(std::uint32_t low, std::uint32_t high) { return low | std::uint64_t{high} << 16; }

struct Example {
  Op op;
  std::vector<std::uint64_t> sources;
  std::uint64_t expected;
  int bit = -1;  ///< of the second result
  bool clamp = false;
};

const Example kExamples[] = {
    // 32-bit integers
    {Op::v_mov_b32, {77}, 77},
    {Op::v_cndmask_b32, {10, 20, 1}, 20},
    {Op::v_cndmask_b32, {10, 20, 0}, 10},
    {Op::v_add_nc_u32, {0xffffffff, 3}, 2},
    {Op::v_add_nc_u32, {0xffffffff, 3}, 0xffffffff, -1, true},
    {Op::v_sub_nc_u32, {3, 5}, i(-2)},
    {Op::v_sub_nc_u32, {3, 5}, 0, -1, true},
    {Op::v_subrev_nc_u32, {3, 5}, 2},
    {Op::v_subrev_nc_u32, {5, 3}, 0, -1, true},
    {Op::v_add_nc_i32, {0x7fffffff, 1}, 0x80000000},
    {Op::v_add_nc_i32, {0x7fffffff, 1}, 0x7fffffff, -1, true},
    {Op::v_sub_nc_i32, {0x80000000, 1}, 0x7fffffff},
    {Op::v_sub_nc_i32, {0x80000000, 1}, 0x80000000, -1, true},
    {Op::v_mul_lo_u32, {0x10001, 0x10001}, 0x20001},
    {Op::v_mul_hi_u32, {0xffffffff, 0x10}, 0xf},
    {Op::v_mul_hi_i32, {i(-1), 0x10}, i(-1)},
    {Op::v_mul_u32_u24, {0xff000003, 5}, 15},
    {Op::v_mul_hi_u32_u24, {0xff800000, 0x1000}, 8},
    {Op::v_mul_i32_i24, {0x00ffffff, 5}, i(-5)},
    {Op::v_mul_hi_i32_i24, {0x00ffffff, 5}, i(-1)},
    {Op::v_mad_u32_u24, {0xff000003, 5, 100}, 115},
    {Op::v_mad_u32_u24, {0xffffff, 0xffffff, 0xffffffff}, 0xffffffff, -1, true},
    {Op::v_mad_i32_i24, {0xffffff, 5, 3}, i(-2)},
    {Op::v_mad_i32_i24, {0x7fffff, 0x7fffff, 0}, 0x7fffffff, -1, true},
    {Op::v_mad_u32_u16, {0xffff, 0xffff, 1}, 0xfffe0002},
    {Op::v_mad_u32_u16, {0xffff, 0xffff, 0xffffffff}, 0xffffffff, -1, true},
    {Op::v_mad_i32_i16, {0xffff, 7, 1}, i(-6)},
    {Op::v_mad_i32_i16, {0x8000, 0x8000, 0x7fffffff}, 0x7fffffff, -1, true},
    {Op::v_add3_u32, {1, 2, 3}, 6},
    {Op::v_lshl_add_u32, {3, 4, 5}, 53},
    {Op::v_add_lshl_u32, {3, 4, 5}, 224},
    {Op::v_xad_u32, {6, 5, 10}, 13},
    {Op::v_and_b32, {12, 10}, 8},
    {Op::v_or_b32, {12, 10}, 14},
    {Op::v_xor_b32, {12, 10}, 6},
    {Op::v_xnor_b32, {12, 10}, 0xfffffff9},
    {Op::v_not_b32, {12}, 0xfffffff3},
    {Op::v_and_or_b32, {12, 10, 1}, 9},
    {Op::v_or3_b32, {1, 2, 4}, 7},
    {Op::v_xor3_b32, {1, 3, 4}, 6},
    {Op::v_lshl_or_b32, {3, 4, 5}, 53},
    {Op::v_lshlrev_b32, {36, 3}, 48},
    {Op::v_lshrrev_b32, {36, 0x80000000}, 0x08000000},
    {Op::v_ashrrev_i32, {36, 0x80000000}, 0xf8000000},
    {Op::v_alignbit_b32, {0x12345678, 0x9abcdef0, 8}, 0x789abcde},
    {Op::v_alignbyte_b32, {0x12345678, 0x9abcdef0, 1}, 0x789abcde},
    {Op::v_bfe_u32, {0xabcd1234, 4, 8}, 0x23},
    {Op::v_bfe_i32, {0x00000f00, 8, 4}, i(-1)},
    {Op::v_bfi_b32, {0xff00, 0x1111, 0x2222}, 0x1122},
    {Op::v_bfm_b32, {4, 8}, 0xf00},
    {Op::v_bfrev_b32, {1}, 0x80000000},
    {Op::v_clz_i32_u32, {0x00010000}, 15},
    {Op::v_ctz_i32_b32, {0x00010000}, 16},
    {Op::v_cls_i32, {0xfff00000}, 12},
    {Op::v_bcnt_u32_b32, {0xff, 3}, 11},
    {Op::v_min_i32, {i(-1), 1}, i(-1)},
    {Op::v_max_i32, {i(-1), 1}, 1},
    {Op::v_min_u32, {i(-1), 1}, 1},
    {Op::v_max_u32, {i(-1), 1}, i(-1)},
    {Op::v_min3_i32, {3, i(-1), 1}, i(-1)},
    {Op::v_max3_i32, {3, i(-1), 1}, 3},
    {Op::v_med3_i32, {3, i(-1), 1}, 1},
    {Op::v_min3_u32, {3, i(-1), 1}, 1},
    {Op::v_max3_u32, {3, i(-1), 1}, i(-1)},
    {Op::v_med3_u32, {3, i(-1), 1}, 3},
    {Op::v_maxmin_i32, {i(-5), 2, 1}, 1},
    {Op::v_minmax_i32, {i(-5), 2, 1}, 1},
    {Op::v_maxmin_u32, {i(-5), 2, 1}, 1},
    {Op::v_minmax_u32, {i(-5), 2, 1}, 2},
    {Op::v_perm_b32, {0x33221100, 0x77665544, 0x0c0d0205}, 0x00ff6611},
    {Op::v_lerp_u8, {0x02040608, 0x04060809, 0x00000001}, 0x03050709},
    {Op::v_sad_u8, {0x01020304, 0x04030201, 10}, 18},
    {Op::v_sad_hi_u8, {0x01020304, 0x04030201, 10}, 0x8000a},
    {Op::v_sad_u16, {0x00010005, 0x00040002, 10}, 16},
    {Op::v_sad_u32, {5, 9, 10}, 14},
    {Op::v_msad_u8, {0x01020304, 0x04030001, 10}, 17},
    {Op::v_sat_pk_u8_i16, {0xffff0180}, h(0x00ff)},
    {Op::v_cvt_pk_u16_u32, {0x12345, 7}, pk(0xffff, 7)},
    {Op::v_cvt_pk_i16_i32, {i(-70000), 7}, pk(0x8000, 7)},
    // carry and 64 bits
    {Op::v_add_co_u32, {0xffffffff, 3}, 2, 1},
    {Op::v_sub_co_u32, {3, 5}, i(-2), 1},
    {Op::v_subrev_co_u32, {3, 5}, 2, 0},
    {Op::v_add_co_ci_u32, {0xffffffff, 0, 1}, 0, 1},
    {Op::v_add_co_ci_u32, {0xffffffff, 0xffffffff, 1}, 0xffffffff, 1},
    {Op::v_sub_co_ci_u32, {5, 5, 1}, i(-1), 1},
    {Op::v_subrev_co_ci_u32, {5, 7, 1}, 1, 0},
    {Op::v_lshlrev_b64, {68, 0x8000000180000001}, 0x0000001800000010},
    {Op::v_lshlrev_b64, {36, 0x123456789}, 0x3456789000000000 << 0},
    {Op::v_lshrrev_b64, {4, 0x8000000180000001}, 0x0800000018000000},
    {Op::v_lshrrev_b64, {33, 0x8000000180000001}, 0x40000000},
    {Op::v_ashrrev_i64, {4, 0x8000000180000001}, 0xf800000018000000},
    {Op::v_ashrrev_i64, {33, 0x8000000180000001}, 0xffffffffc0000000},
    {Op::v_mad_u64_u32, {0xffffffff, 2, 5}, 0x200000003, 0},
    {Op::v_mad_u64_u32, {0xffffffff, 0xffffffff, 0xffffffffffffffff}, 0xfffffffe00000000, 1},
    {Op::v_mad_i64_i32, {i(-3), 2, 5}, 0xffffffffffffffff, 1},
    {Op::v_qsad_pk_u16_u8, {0x0807060504030201, 0x04030201, 0x0001000200030004}, 0x000d000a00070004},
    {Op::v_mqsad_pk_u16_u8, {0x0807060504030201, 0x04030001, 0}, 0x0009000600030000},
    // 16-bit integers
    {Op::v_mov_b16, {0x5678}, h(0x5678)},
    {Op::v_cndmask_b16, {10, 20, 1}, h(20)},
    {Op::v_not_b16, {0x00ff}, h(0xff00)},
    {Op::v_and_b16, {12, 10}, h(8)},
    {Op::v_or_b16, {12, 10}, h(14)},
    {Op::v_xor_b16, {12, 10}, h(6)},
    {Op::v_lshlrev_b16, {20, 3}, h(48)},
    {Op::v_lshrrev_b16, {20, 0x8000}, h(0x0800)},
    {Op::v_ashrrev_i16, {20, 0x8000}, h(0xf800)},
    {Op::v_add_nc_u16, {0xffff, 3}, h(2)},
    {Op::v_add_nc_u16, {0xffff, 3}, h(0xffff), -1, true},
    {Op::v_sub_nc_u16, {3, 5}, h(0xfffe)},
    {Op::v_sub_nc_u16, {3, 5}, h(0), -1, true},
    {Op::v_add_nc_i16, {0x7fff, 1}, h(0x8000)},
    {Op::v_add_nc_i16, {0x7fff, 1}, h(0x7fff), -1, true},
    {Op::v_sub_nc_i16, {0x8000, 1}, h(0x7fff)},
    {Op::v_sub_nc_i16, {0x8000, 1}, h(0x8000), -1, true},
    {Op::v_mul_lo_u16, {0x101, 0x101}, h(0x0201)},
    {Op::v_mad_u16, {300, 300, 1}, h((90001) & 0xffff)},
    {Op::v_mad_u16, {300, 300, 1}, h(0xffff), -1, true},
    {Op::v_mad_i16, {0xffff, 3, 1}, h(0xfffe)},
    {Op::v_mad_i16, {300, 300, 1}, h(0x7fff), -1, true},
    {Op::v_min_u16, {0xffff, 1}, h(1)},
    {Op::v_max_u16, {0xffff, 1}, h(0xffff)},
    {Op::v_min_i16, {0xffff, 1}, h(0xffff)},
    {Op::v_max_i16, {0xffff, 1}, h(1)},
    {Op::v_min3_u16, {3, 0xffff, 1}, h(1)},
    {Op::v_max3_u16, {3, 0xffff, 1}, h(0xffff)},
    {Op::v_med3_u16, {3, 0xffff, 1}, h(3)},
    {Op::v_min3_i16, {3, 0xffff, 1}, h(0xffff)},
    {Op::v_max3_i16, {3, 0xffff, 1}, h(3)},
    {Op::v_med3_i16, {3, 0xffff, 1}, h(1)},
    {Op::v_pack_b32_f16, {0x1111, 0x2222}, 0x22221111},
    {Op::v_cvt_i32_i16, {0xffff}, i(-1)},
    {Op::v_cvt_u32_u16, {0x1ffff}, 0xffff},
    // f32
    {Op::v_add_f32, {f(1.5f), f(2)}, f(3.5f)},
    {Op::v_sub_f32, {f(1.5f), f(2)}, f(-0.5f)},
    {Op::v_subrev_f32, {f(1.5f), f(2)}, f(0.5f)},
    {Op::v_mul_f32, {f(1.5f), f(2)}, f(3)},
    {Op::v_fma_f32, {f(2), f(3), f(4)}, f(10)},
    {Op::v_fmac_f32, {f(2), f(3), f(4)}, f(10)},
    {Op::v_fmaak_f32, {f(2), f(3), f(4)}, f(10)},
    {Op::v_fmamk_f32, {f(2), f(3), f(4)}, f(10)},
    {Op::v_mul_dx9_zero_f32, {0, 0x7f800000}, 0},
    {Op::v_fma_dx9_zero_f32, {0, 0x7f800000, f(4)}, f(4)},
    {Op::v_fmac_dx9_zero_f32, {f(2), f(3), f(4)}, f(10)},
    {Op::v_mullit_f32, {f(2), f(3), f(1)}, f(6)},
    {Op::v_min_f32, {f(-1), f(2)}, f(-1)},
    {Op::v_max_f32, {0x7fc00000, f(2)}, f(2)},
    {Op::v_min3_f32, {f(3), f(1), f(2)}, f(1)},
    {Op::v_max3_f32, {f(3), f(1), f(2)}, f(3)},
    {Op::v_med3_f32, {f(3), f(1), f(2)}, f(2)},
    {Op::v_maxmin_f32, {f(1), f(5), f(3)}, f(3)},
    {Op::v_minmax_f32, {f(1), f(5), f(3)}, f(3)},
    {Op::v_trunc_f32, {f(-2.7f)}, f(-2)},
    {Op::v_floor_f32, {f(-2.2f)}, f(-3)},
    {Op::v_ceil_f32, {f(2.2f)}, f(3)},
    {Op::v_rndne_f32, {f(2.5f)}, f(2)},
    {Op::v_fract_f32, {f(-0.25f)}, f(0.75f)},
    {Op::v_frexp_exp_i32_f32, {f(8)}, 4},
    {Op::v_frexp_mant_f32, {f(12)}, f(0.75f)},
    {Op::v_ldexp_f32, {f(3), i(-2)}, f(0.75f)},
    {Op::v_cubeid_f32, {f(1), f(-5), f(2)}, f(3)},
    {Op::v_cubesc_f32, {f(1), f(-5), f(2)}, f(1)},
    {Op::v_cubetc_f32, {f(1), f(-5), f(2)}, f(-2)},
    {Op::v_cubema_f32, {f(1), f(-5), f(2)}, f(-10)},
    // f16
    {Op::v_add_f16, {kOne, kTwo}, h(kThree)},
    {Op::v_sub_f16, {kOne, kTwo}, h(kMinusOne)},
    {Op::v_subrev_f16, {kOne, kThree}, h(kTwo)},
    {Op::v_mul_f16, {kTwo, kThree}, h(kSix)},
    {Op::v_fma_f16, {kTwo, kThree, kOne}, h(kSeven)},
    {Op::v_fmac_f16, {kTwo, kThree, kOne}, h(kSeven)},
    {Op::v_fmaak_f16, {kTwo, kThree, kOne}, h(kSeven)},
    {Op::v_fmamk_f16, {kTwo, kThree, kOne}, h(kSeven)},
    {Op::v_min_f16, {kMinusOne, kTwo}, h(kMinusOne)},
    {Op::v_max_f16, {kMinusOne, kTwo}, h(kTwo)},
    {Op::v_min3_f16, {kThree, kOne, kTwo}, h(kOne)},
    {Op::v_max3_f16, {kThree, kOne, kTwo}, h(kThree)},
    {Op::v_med3_f16, {kThree, kOne, kTwo}, h(kTwo)},
    {Op::v_maxmin_f16, {kOne, kSix, kThree}, h(kThree)},
    {Op::v_minmax_f16, {kOne, kSix, kThree}, h(kThree)},
    {Op::v_trunc_f16, {0xc180}, h(kMinusTwo)},  // -2.75
    {Op::v_floor_f16, {0xc180}, h(kMinusThree)},
    {Op::v_ceil_f16, {0x4180}, h(kThree)},
    {Op::v_rndne_f16, {0x4100}, h(kTwo)},  // 2.5
    {Op::v_fract_f16, {0x4100}, h(kHalf)},
    {Op::v_frexp_exp_i16_f16, {kEight}, h(4)},
    {Op::v_frexp_mant_f16, {kEight}, h(kHalf)},
    {Op::v_ldexp_f16, {kOne, 2}, h(kFour)},
    // f64
    {Op::v_add_f64, {d(1.5), d(2)}, d(3.5)},
    {Op::v_mul_f64, {d(1.5), d(2)}, d(3)},
    {Op::v_fma_f64, {d(2), d(3), d(4)}, d(10)},
    {Op::v_min_f64, {d(-1), d(2)}, d(-1)},
    {Op::v_max_f64, {d(-1), d(2)}, d(2)},
    {Op::v_trunc_f64, {d(-2.7)}, d(-2)},
    {Op::v_floor_f64, {d(-2.2)}, d(-3)},
    {Op::v_ceil_f64, {d(2.2)}, d(3)},
    {Op::v_rndne_f64, {d(2.5)}, d(2)},
    {Op::v_fract_f64, {d(-0.25)}, d(0.75)},
    {Op::v_frexp_exp_i32_f64, {d(8)}, 4},
    {Op::v_frexp_mant_f64, {d(12)}, d(0.75)},
    {Op::v_ldexp_f64, {d(3), i(-2)}, d(0.75)},
    {Op::v_rcp_f64, {d(4)}, d(0.25)},
    {Op::v_rsq_f64, {d(16)}, d(0.25)},
    {Op::v_sqrt_f64, {d(16)}, d(4)},
    // transcendental
    {Op::v_rcp_f32, {f(4)}, f(0.25f)},
    {Op::v_rcp_iflag_f32, {f(4)}, f(0.25f)},
    {Op::v_rsq_f32, {f(16)}, f(0.25f)},
    {Op::v_sqrt_f32, {f(16)}, f(4)},
    {Op::v_exp_f32, {f(3)}, f(8)},
    {Op::v_log_f32, {f(8)}, f(3)},
    {Op::v_sin_f32, {f(0.25f)}, f(1)},
    {Op::v_cos_f32, {f(0.5f)}, f(-1)},
    {Op::v_rcp_f16, {kTwo}, h(kHalf)},
    {Op::v_rsq_f16, {kFour}, h(kHalf)},
    {Op::v_sqrt_f16, {kFour}, h(kTwo)},
    {Op::v_exp_f16, {kThree}, h(kEight)},
    {Op::v_log_f16, {kEight}, h(kThree)},
    {Op::v_sin_f16, {0x3400}, h(kOne)},  // 0.25
    {Op::v_cos_f16, {kHalf}, h(kMinusOne)},
    // division
    {Op::v_div_scale_f32, {f(3), f(3), f(12)}, f(3), 0},
    {Op::v_div_scale_f64, {d(3), d(3), d(12)}, d(3), 0},
    {Op::v_div_fmas_f32, {f(2), f(3), f(4), 0}, f(10)},
    {Op::v_div_fmas_f64, {d(2), d(3), d(4), 0}, d(10)},
    {Op::v_div_fixup_f32, {f(4), f(3), f(12)}, f(4)},
    {Op::v_div_fixup_f32, {f(4), f(0), f(-12)}, 0xff800000},
    {Op::v_div_fixup_f64, {d(4), d(3), d(12)}, d(4)},
    {Op::v_div_fixup_f16, {kFour, kOne, kFour}, h(kFour)},
    {Op::v_trig_preop_f64, {d(1), 0}, d(0x1.45f306dc9c882p-1)},
    // conversions
    {Op::v_cvt_f32_i32, {i(-3)}, f(-3)},
    {Op::v_cvt_f32_u32, {0xffffffff}, f(4294967296.0f)},
    {Op::v_cvt_i32_f32, {f(-3.9f)}, i(-3)},
    {Op::v_cvt_u32_f32, {f(-3.9f)}, 0},
    {Op::v_cvt_nearest_i32_f32, {f(2.5f)}, 3},
    {Op::v_cvt_floor_i32_f32, {f(-2.5f)}, i(-3)},
    {Op::v_cvt_off_f32_i4, {0xf}, f(-0.0625f)},
    {Op::v_cvt_f32_ubyte0, {0x04030201}, f(1)},
    {Op::v_cvt_f32_ubyte1, {0x04030201}, f(2)},
    {Op::v_cvt_f32_ubyte2, {0x04030201}, f(3)},
    {Op::v_cvt_f32_ubyte3, {0x04030201}, f(4)},
    {Op::v_cvt_f32_f64, {d(1.5)}, f(1.5f)},
    {Op::v_cvt_f64_f32, {f(1.5f)}, d(1.5)},
    {Op::v_cvt_f64_i32, {i(-3)}, d(-3)},
    {Op::v_cvt_f64_u32, {0xffffffff}, d(4294967295.0)},
    {Op::v_cvt_i32_f64, {d(-3.9)}, i(-3)},
    {Op::v_cvt_u32_f64, {d(3e9)}, 3000000000u},
    {Op::v_cvt_f16_f32, {f(3)}, h(kThree)},
    {Op::v_cvt_f32_f16, {kThree}, f(3)},
    {Op::v_cvt_f16_i16, {0xffff}, h(kMinusOne)},
    {Op::v_cvt_f16_u16, {3}, h(kThree)},
    {Op::v_cvt_i16_f16, {kMinusTwo}, h(0xfffe)},
    {Op::v_cvt_u16_f16, {kThree}, h(3)},
    {Op::v_cvt_norm_i16_f16, {kMinusOne}, h(0x8001)},
    {Op::v_cvt_norm_u16_f16, {kOne}, h(0xffff)},
    {Op::v_cvt_pk_rtz_f16_f32, {f(1), f(3)}, pk(kOne, kThree)},
    {Op::v_cvt_pk_i16_f32, {f(-2), f(1e9f)}, pk(0xfffe, 0x7fff)},
    {Op::v_cvt_pk_u16_f32, {f(-2), f(3)}, pk(0, 3)},
    {Op::v_cvt_pk_norm_i16_f32, {f(1), f(-1)}, pk(0x7fff, 0x8001)},
    {Op::v_cvt_pk_norm_u16_f32, {f(1), f(-1)}, pk(0xffff, 0)},
    {Op::v_cvt_pk_norm_i16_f16, {kOne, kMinusOne}, pk(0x7fff, 0x8001)},
    {Op::v_cvt_pk_norm_u16_f16, {kOne, kMinusOne}, pk(0xffff, 0)},
    {Op::v_cvt_pk_u8_f32, {f(5), 2, 0x11111111}, 0x11051111},
    {Op::v_cvt_i32_f32, {f(-3e9f)}, 0x80000000, -1, true},
    {Op::v_cvt_u32_f32, {f(-1)}, 0, -1, true},
    {Op::v_cvt_i32_f64, {d(3e9)}, 0x7fffffff, -1, true},
    {Op::v_cvt_u32_f64, {d(5e9)}, 0xffffffff, -1, true},
    {Op::v_cvt_i16_f16, {0x7bff}, h(0x7fff), -1, true},
    {Op::v_cvt_u16_f16, {kMinusOne}, h(0), -1, true},
    // packed
    {Op::v_pk_add_u16, {pk(1, 0xffff), pk(2, 2)}, pk(3, 1)},
    {Op::v_pk_add_u16, {pk(1, 0xffff), pk(2, 2)}, pk(3, 0xffff), -1, true},
    {Op::v_pk_add_i16, {pk(1, 0x7fff), pk(2, 2)}, pk(3, 0x8001)},
    {Op::v_pk_add_i16, {pk(1, 0x7fff), pk(2, 2)}, pk(3, 0x7fff), -1, true},
    {Op::v_pk_sub_u16, {pk(5, 1), pk(2, 2)}, pk(3, 0xffff)},
    {Op::v_pk_sub_u16, {pk(5, 1), pk(2, 2)}, pk(3, 0), -1, true},
    {Op::v_pk_sub_i16, {pk(5, 0x8000), pk(2, 1)}, pk(3, 0x7fff)},
    {Op::v_pk_sub_i16, {pk(5, 0x8000), pk(2, 1)}, pk(3, 0x8000), -1, true},
    {Op::v_pk_mul_lo_u16, {pk(5, 300), pk(2, 300)}, pk(10, 90000 & 0xffff)},
    {Op::v_pk_mul_lo_u16, {pk(5, 300), pk(2, 300)}, pk(10, 0xffff), -1, true},
    {Op::v_pk_mad_u16, {pk(5, 3), pk(2, 3), pk(1, 2)}, pk(11, 11)},
    {Op::v_pk_mad_u16, {pk(5, 300), pk(2, 300), pk(1, 2)}, pk(11, 0xffff), -1, true},
    {Op::v_pk_mad_i16, {pk(5, 0xffff), pk(2, 3), pk(1, 2)}, pk(11, 0xffff)},
    {Op::v_pk_mad_i16, {pk(5, 300), pk(2, 300), pk(1, 2)}, pk(11, 0x7fff), -1, true},
    {Op::v_pk_lshlrev_b16, {pk(4, 1), pk(3, 5)}, pk(48, 10)},
    {Op::v_pk_lshrrev_b16, {pk(4, 1), pk(0x30, 0x8000)}, pk(3, 0x4000)},
    {Op::v_pk_ashrrev_i16, {pk(4, 1), pk(0x30, 0x8000)}, pk(3, 0xc000)},
    {Op::v_pk_min_u16, {pk(0xffff, 1), pk(2, 3)}, pk(2, 1)},
    {Op::v_pk_max_u16, {pk(0xffff, 1), pk(2, 3)}, pk(0xffff, 3)},
    {Op::v_pk_min_i16, {pk(0xffff, 1), pk(2, 3)}, pk(0xffff, 1)},
    {Op::v_pk_max_i16, {pk(0xffff, 1), pk(2, 3)}, pk(2, 3)},
    {Op::v_pk_add_f16, {pk(kOne, kTwo), pk(kTwo, kFour)}, pk(kThree, kSix)},
    {Op::v_pk_mul_f16, {pk(kOne, kTwo), pk(kTwo, kFour)}, pk(kTwo, kEight)},
    {Op::v_pk_fma_f16, {pk(kTwo, kOne), pk(kThree, kTwo), pk(kOne, kFour)}, pk(kSeven, kSix)},
    {Op::v_pk_fmac_f16, {pk(kTwo, kOne), pk(kThree, kTwo), pk(kOne, kFour)}, pk(kSeven, kSix)},
    {Op::v_pk_min_f16, {pk(kOne, kFour), pk(kTwo, kTwo)}, pk(kOne, kTwo)},
    {Op::v_pk_max_f16, {pk(kOne, kFour), pk(kTwo, kTwo)}, pk(kTwo, kFour)},
    // dot products
    {Op::v_dot2_f32_f16, {pk(kOne, kTwo), pk(kThree, kFour), f(0.5f)}, f(11.5f)},
    {Op::v_dot2acc_f32_f16, {pk(kOne, kTwo), pk(kThree, kFour), f(0.5f)}, f(11.5f)},
    {Op::v_dot2_f32_bf16, {pk(0x3f80, 0x4000), pk(0x4040, 0x4080), f(0.5f)}, f(11.5f)},
    {Op::v_dot2acc_f32_bf16, {pk(0x3f80, 0x4000), pk(0x4040, 0x4080), f(0.5f)}, f(11.5f)},
    {Op::v_dot2_f16_f16, {pk(kOne, kOne), pk(kThree, kFour), kOne}, h(kEight)},
    {Op::v_dot2_bf16_bf16, {pk(0x3f80, 0x3f80), pk(0x4040, 0x4080), 0x3f80}, h(0x4100)},
    {Op::v_dot4_u32_u8, {0x01020304, 0xff000001, 10}, 255 + 4 + 10},
    {Op::v_dot4_u32_u8, {0x01020304, 0xff000001, 0xffffffff}, 0xffffffff, -1, true},
    {Op::v_dot4_i32_iu8, {0x01020304, 0xff000001, 10}, 255 + 4 + 10},  // unsigned: no neg bits
    {Op::v_dot4_i32_iu8, {0x01020304, 0xff000001, 0x7fffffff}, 0x7fffffff, -1, true},
    {Op::v_dot8_u32_u4, {0x11111111, 0x12345678, 1}, 37},
    {Op::v_dot8_u32_u4, {0x11111111, 0x12345678, 0xffffffff}, 0xffffffff, -1, true},
    {Op::v_dot8_i32_iu4, {0x11111111, 0x12345678, 1}, 37},
    {Op::v_dot8_i32_iu4, {0x11111111, 0x12345678, 0x7fffffff}, 0x7fffffff, -1, true},
};

Instruction make(const Example& example, const VectorEntry& entry) {
  std::vector<Operand> operands;
  const bool wide = entry.dst == LaneType::b64;
  operands.push_back(vgpr(0, wide ? 2 : 1));
  if (entry.second_dst == LaneType::mask) operands.push_back(sgpr(10, 2));
  for (unsigned s = 0; s < entry.sources; ++s) {
    operands.push_back(entry.src[s] == LaneType::mask
                           ? sgpr(kVcc, 2)
                           : vgpr(4 + 4 * s, entry.src[s] == LaneType::b64 ? 2 : 1));
  }
  Instruction result = instruction(example.op, operands);
  result.mods.clamp = example.clamp;
  return result;
}

TEST(Examples, OfEveryArithmeticOp) {
  for (const auto* level : levels()) {
    for (const Example& example : kExamples) {
      const unsigned index = static_cast<unsigned>(example.op);
      const VectorEntry* entry =
          example.clamp ? level->vector->saturating[index] : level->vector->entries[index];
      ASSERT_NE(entry, nullptr) << op_name(example.op);
      ASSERT_EQ(entry->sources, example.sources.size()) << op_name(example.op);
      VectorMachine machine(1);
      machine.set_v(0, 0xabcd1234);
      for (unsigned s = 0; s < entry->sources; ++s) {
        if (entry->src[s] == LaneType::mask) {
          machine.set_s(kVcc, example.sources[s] != 0 ? ~0u : 0u);
        } else {
          machine.set_v64(4 + 4 * s, example.sources[s]);
        }
      }
      ASSERT_TRUE(machine.run(make(example, *entry), *level)) << op_name(example.op);
      const std::uint64_t result = entry->dst == LaneType::b64 ? machine.v64(0, 0, 31) : machine.v(0, 0, 31);
      EXPECT_EQ(result, example.expected) << level->name << ' ' << op_name(example.op) << std::hex << ": "
                                          << result << ", expected " << example.expected;
      if (example.bit >= 0) {
        EXPECT_EQ(machine.s(10, 0), example.bit != 0 ? ~0u : 0u) << op_name(example.op);
      }
    }
  }
}

/// Ops with a file of their own.
bool tested_elsewhere(Op op, const VectorEntry& entry) {
  if (entry.dst == LaneType::none || entry.dst == LaneType::mask) return true;
  switch (op) {
    case Op::v_mbcnt_lo_u32_b32:
    case Op::v_mbcnt_hi_u32_b32:
    case Op::v_fma_mix_f32:
    case Op::v_fma_mixlo_f16:
    case Op::v_fma_mixhi_f16: return true;
    default: return false;
  }
}

TEST(Examples, AreComplete) {
  std::set<Op> plain, clamped;
  for (const Example& example : kExamples) (example.clamp ? clamped : plain).insert(example.op);
  const wave::VectorTable& table = *levels()[0]->vector;
  for (unsigned index = 0; index < static_cast<unsigned>(Op::count); ++index) {
    const Op op = static_cast<Op>(index);
    const VectorEntry* entry = table.entries[index];
    if (entry != nullptr && !tested_elsewhere(op, *entry)) {
      EXPECT_TRUE(plain.count(op) != 0) << op_name(op);
    }
    if (table.saturating[index] != nullptr) {
      EXPECT_TRUE(clamped.count(op) != 0) << op_name(op) << " with clamp";
    }
  }
}

}  // namespace mockgpu::tests::examples_tests
