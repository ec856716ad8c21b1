#pragma once
#include <cstdint>

// Programs of the wave-engine tests: gfx1100 words, made by an independent assembler from the text in the
// comments.
//   v_readfirstlane_b32 s4, v0
//   s_mov_b32 s7, 0
//   s_getpc_b64 s[10:11]
//   base:
//   s_bitcmp1_b32 s4, 5
//   s_mov_b32 s8, odd-base
//   s_cselect_b32 s6, s8, even-base
//   s_add_u32 s10, s10, s6
//   s_addc_u32 s11, s11, 0
//   s_swappc_b64 s[12:13], s[10:11]
//   v_mov_b32 v1, s7
//   v_lshlrev_b32 v2, 2, v0
//   global_store_b32 v2, v1, s[0:1]
//   s_endpgm
//   odd:
//   s_movk_i32 s7, 1001
//   s_setpc_b64 s[12:13]
//   even:
//   s_movk_i32 s7, 2000
//   s_setpc_b64 s[12:13]
inline constexpr std::uint32_t kCalls[] = {
    0x7e080500, 0xbe870080, 0xbe8a4700, 0xbf0d8504, 0xbe8800ff, 0x00000034, 0x9806ff08,
    0x0000003c, 0x800a060a, 0x820b800b, 0xbe8c490a, 0x7e020207, 0x30040082, 0xdc6a0000,
    0x00000102, 0xbfb00000, 0xb00703e9, 0xbe80480c, 0xb00707d0, 0xbe80480c,
};

//   s_mov_b32 s4, 0x200000
//   loop:
//   s_sub_u32 s4, s4, 1
//   s_xor_b32 s5, s4, s5
//   v_add_nc_u32 v1, v1, v0
//   s_cmp_lg_u32 s4, 0
//   s_cbranch_scc1 loop
//   v_lshlrev_b32 v2, 2, v0
//   global_store_b32 v2, v1, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kCountDown[] = {
    0xbe8400ff, 0x00200000, 0x80848104, 0x8d050504, 0x4a020101, 0xbf078004,
    0xbfa2fffb, 0x30040082, 0xdc6a0000, 0x00000102, 0xbfb00000,
};

//   here:
//   s_branch here
inline constexpr std::uint32_t kEndless[] = {
    0xbfa0ffff,
};

//   s_sethalt 1
//   s_endpgm
inline constexpr std::uint32_t kHalted[] = {
    0xbf820001,
    0xbfb00000,
};

//   v_readfirstlane_b32 s4, v0
//   s_bitcmp1_b32 s4, 5
//   s_cbranch_scc1 leave
//   s_barrier
//   v_mov_b32 v1, 9
//   v_lshlrev_b32 v2, 2, v0
//   global_store_b32 v2, v1, s[0:1]
//   s_endpgm
//   leave:
//   s_movk_i32 s5, 100
//   loop:
//   s_sub_u32 s5, s5, 1
//   s_cmp_lg_u32 s5, 0
//   s_cbranch_scc1 loop
//   s_endpgm
inline constexpr std::uint32_t kLeaveBarrier[] = {
    0x7e080500, 0xbf0d8504, 0xbfa20006, 0xbfbd0000, 0x7e020289, 0x30040082, 0xdc6a0000,
    0x00000102, 0xbfb00000, 0xb0050064, 0x80858105, 0xbf078005, 0xbfa2fffd, 0xbfb00000,
};

//   s_lshl_b32 s5, s3, 2
//   s_add_u32 s5, s5, s2
//   s_lshl_b32 s5, s5, 8
//   v_and_b32 v1, 0x3ff, v0
//   v_bfe_u32 v2, v0, 10, 10
//   v_lshl_add_u32 v3, v2, 3, v1
//   v_lshl_add_u32 v3, v3, 2, s5
//   global_store_b32 v3, v0, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kIds[] = {
    0x84058203, 0x80050205, 0x84058805, 0x360200ff, 0x000003ff, 0xd6100002, 0x02291500,
    0xd6460003, 0x04050702, 0xd6460003, 0x00150503, 0xdc6a0000, 0x00000003, 0xbfb00000,
};

//   v_readfirstlane_b32 s4, v0
//   v_mov_b32 v1, 1.0
//   v_mov_b32 v2, 0x33000000
//   s_bitcmp1_b32 s4, 5
//   s_cbranch_scc0 add
//   s_round_mode 0x1
//   add:
//   v_add_f32 v3, v1, v2
//   v_lshlrev_b32 v4, 2, v0
//   global_store_b32 v4, v3, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kModes[] = {
    0x7e080500, 0x7e0202f2, 0x7e0402ff, 0x33000000, 0xbf0d8504, 0xbfa10001,
    0xbf910001, 0x06060501, 0x30080082, 0xdc6a0000, 0x00000304, 0xbfb00000,
};

//   v_lshlrev_b32 v1, 2, v0
//   ds_store_b32 v1, v0
//   s_waitcnt lgkmcnt(0)
//   s_barrier
//   v_sub_nc_u32 v2, 0xffc, v1
//   ds_load_b32 v3, v2
//   s_waitcnt lgkmcnt(0)
//   global_store_b32 v1, v3, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kReverse[] = {
    0x30020082, 0xd8340000, 0x00000001, 0xbf89fc07, 0xbfbd0000, 0x4c0402ff, 0x00000ffc,
    0xd8d80000, 0x03000002, 0xbf89fc07, 0xdc6a0000, 0x00000301, 0xbfb00000,
};

//   v_mov_b32 v1, 0
//   s_cmp_eq_u32 s2, 3
//   s_cbranch_scc1 last
//   wait:
//   global_load_b32 v2, v1, s[0:1] glc
//   s_waitcnt vmcnt(0)
//   v_readfirstlane_b32 s5, v2
//   s_cmp_eq_u32 s5, 0
//   s_cbranch_scc1 wait
//   s_branch done
//   last:
//   v_mov_b32 v2, 7
//   global_store_b32 v1, v2, s[0:1]
//   done:
//   s_add_u32 s6, s2, 1
//   s_lshl_b32 s6, s6, 2
//   v_mov_b32 v3, s6
//   global_store_b32 v3, v2, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kSpinBetweenGroups[] = {
    0x7e020280, 0xbf068302, 0xbfa20007, 0xdc524000, 0x02000001, 0xbf8903f7, 0x7e0a0502,
    0xbf068005, 0xbfa2fffa, 0xbfa00003, 0x7e040287, 0xdc6a0000, 0x00000201, 0x80068102,
    0x84068206, 0x7e060206, 0xdc6a0000, 0x00000203, 0xbfb00000,
};

//   v_readfirstlane_b32 s4, v0
//   v_mov_b32 v1, 0
//   s_cmp_eq_u32 s4, 224
//   s_cbranch_scc1 last
//   wait:
//   ds_load_b32 v2, v1
//   s_waitcnt lgkmcnt(0)
//   v_readfirstlane_b32 s5, v2
//   s_cmp_eq_u32 s5, 0
//   s_cbranch_scc1 wait
//   s_branch done
//   last:
//   v_mov_b32 v3, 42
//   ds_store_b32 v1, v3
//   v_mov_b32 v2, v3
//   done:
//   v_lshlrev_b32 v4, 2, v0
//   global_store_b32 v4, v2, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kSpinInGroup[] = {
    0x7e080500, 0x7e020280, 0xbf06ff04, 0x000000e0, 0xbfa20007, 0xd8d80000, 0x02000001,
    0xbf89fc07, 0x7e0a0502, 0xbf068005, 0xbfa2fffa, 0xbfa00004, 0x7e0602aa, 0xd8340000,
    0x00000301, 0x7e040303, 0x30080082, 0xdc6a0000, 0x00000204, 0xbfb00000,
};

//   v_readfirstlane_b32 s4, v0
//   s_lshr_b32 s5, s4, 5
//   s_mov_b32 s6, 0
//   loop:
//   s_cmp_eq_u32 s5, 0
//   s_cbranch_scc1 done
//   s_add_u32 s6, s6, s5
//   s_sub_u32 s5, s5, 1
//   s_branch loop
//   done:
//   v_mov_b32 v1, s6
//   v_lshlrev_b32 v2, 2, v0
//   global_store_b32 v2, v1, s[0:1]
//   s_endpgm
inline constexpr std::uint32_t kSums[] = {
    0x7e080500, 0x85058504, 0xbe860080, 0xbf068005, 0xbfa20003, 0x80060506, 0x80858105,
    0xbfa0fffb, 0x7e020206, 0x30040082, 0xdc6a0000, 0x00000102, 0xbfb00000,
};

//   s_trap 2
//   s_endpgm
inline constexpr std::uint32_t kTrap[] = {
    0xbf900002,
    0xbfb00000,
};

//   s_nop 0
//   .long 0xbfff0000
//   s_endpgm
inline constexpr std::uint32_t kUndecodable[] = {
    0xbf800000,
    0xbfff0000,
    0xbfb00000,
};

//   v_lshlrev_b32 v1, 2, v0
//   global_load_b32 v2, v1, s[0:1] offset:4
//   s_endpgm
inline constexpr std::uint32_t kWildLoad[] = {
    0x30020082,
    0xdc520004,
    0x02000001,
    0xbfb00000,
};
