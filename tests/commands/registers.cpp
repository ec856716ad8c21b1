// Addresses and fields are those of Linux's gc_11_0_0 (and, where named, other) register headers.
#include "isa/amd/commands/registers.h"

#include <gtest/gtest.h>

namespace mockgpu::isa::amd::registers_tests {

constexpr RegisterFile kGfx11 = RegisterFile::gfx11;

TEST(Registers, HaveTheirAddresses) {
  EXPECT_EQ(register_address(Register::COMPUTE_DISPATCH_INITIATOR, kGfx11), 0x2e00u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_START_X, kGfx11), 0x204u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_NUM_THREAD_X, kGfx11), 0x207u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_PGM_LO, kGfx11), 0x20cu);
  EXPECT_EQ(sh_offset(Register::COMPUTE_DISPATCH_SCRATCH_BASE_LO, kGfx11), 0x210u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_PGM_RSRC1, kGfx11), 0x212u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_RESOURCE_LIMITS, kGfx11), 0x215u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_TMPRING_SIZE, kGfx11), 0x218u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_RESTART_X, kGfx11), 0x21bu);
  EXPECT_EQ(sh_offset(Register::COMPUTE_PGM_RSRC3, kGfx11), 0x228u);
  EXPECT_EQ(sh_offset(Register::COMPUTE_USER_DATA_0, kGfx11), 0x240u);
  EXPECT_EQ(uconfig_offset(Register::GRBM_GFX_INDEX, kGfx11), 0x200u);
}

TEST(Registers, DifferBetweenGenerations) {
  EXPECT_EQ(register_address(Register::COMPUTE_PGM_RSRC3, RegisterFile::gfx9), 0u);
  EXPECT_EQ(register_address(Register::COMPUTE_PGM_RSRC3, RegisterFile::gfx94x), 0x2e2du);
  EXPECT_EQ(register_address(Register::COMPUTE_RELAUNCH, RegisterFile::gfx10), 0x2e2bu);
  EXPECT_EQ(register_address(Register::COMPUTE_RELAUNCH, RegisterFile::gfx12), 0x2e30u);
  EXPECT_EQ(register_at(0x2e27, RegisterFile::gfx94x), Register::COMPUTE_TG_CHUNK_SIZE);
  EXPECT_EQ(register_at(0x2e27, kGfx11), Register::COMPUTE_USER_ACCUM_3);
}

TEST(Registers, AreFoundByAddress) {
  EXPECT_EQ(register_at(0x2e12, kGfx11), Register::COMPUTE_PGM_RSRC1);
  EXPECT_EQ(register_at(0x2e50, kGfx11), std::nullopt);
  EXPECT_EQ(register_name_at(0x2e4f, kGfx11), "COMPUTE_USER_DATA_15");
  EXPECT_EQ(register_name_at(0x1234, kGfx11), "reg_0x1234");
}

TEST(Registers, NoTwoShareAnAddress) {
  for (std::size_t file = 0; file < kRegisterFiles; ++file) {
    for (std::size_t i = 0; i < std::size(kRegisterRows); ++i) {
      const auto address = kRegisterRows[i].address[file];
      if (address == 0) continue;
      EXPECT_EQ(register_at(address, static_cast<RegisterFile>(file)), static_cast<Register>(i))
          << kRegisterRows[i].name;
    }
  }
}

TEST(Registers, FieldsOfARegisterDoNotOverlap) {
  for (std::size_t file = 0; file < kRegisterFiles; ++file) {
    for (std::size_t i = 0; i < std::size(kRegisterRows); ++i) {
      std::uint32_t seen = 0;
      for (const RegisterField& field :
           register_fields(static_cast<Register>(i), static_cast<RegisterFile>(file))) {
        EXPECT_EQ(seen & field.bits.mask(), 0u) << kRegisterRows[i].name << '.' << field.name;
        seen |= field.bits.mask();
      }
    }
  }
}

TEST(Registers, NamedFieldsAreThoseOfTheTable) {
  const auto bits = [](Register reg, std::string_view name) {
    for (const RegisterField& field : register_fields(reg, kGfx11)) {
      if (field.name == name) return field.bits.mask();
    }
    return 0u;
  };
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "COMPUTE_SHADER_EN"),
            initiator::kComputeShaderEn.mask());
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "PARTIAL_TG_EN"), initiator::kPartialTgEn.mask());
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "FORCE_START_AT_000"),
            initiator::kForceStartAt000.mask());
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "USE_THREAD_DIMENSIONS"),
            initiator::kUseThreadDimensions.mask());
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "ORDER_MODE"), initiator::kOrderMode.mask());
  EXPECT_EQ(bits(Register::COMPUTE_DISPATCH_INITIATOR, "CS_W32_EN"), initiator::kCsW32En.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC1, "VGPRS"), rsrc1::kVgprs.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC1, "FLOAT_MODE"), rsrc1::kFloatMode.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC1, "IEEE_MODE"), rsrc1::kIeeeMode.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC1, "WGP_MODE"), rsrc1::kWgpMode.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC2, "USER_SGPR"), rsrc2::kUserSgpr.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC2, "TGID_X_EN"), rsrc2::kTgidXEn.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC2, "TIDIG_COMP_CNT"), rsrc2::kTidigCompCnt.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC2, "LDS_SIZE"), rsrc2::kLdsSize.mask());
  EXPECT_EQ(bits(Register::COMPUTE_PGM_RSRC3, "INST_PREF_SIZE"), rsrc3::kInstPrefSize.mask());
  EXPECT_EQ(bits(Register::COMPUTE_TMPRING_SIZE, "WAVES"), tmpring::kWaves.mask());
  EXPECT_EQ(bits(Register::COMPUTE_TMPRING_SIZE, "WAVESIZE"), tmpring::kWaveSize.mask());
  EXPECT_EQ(bits(Register::COMPUTE_NUM_THREAD_X, "NUM_THREAD_FULL"), num_thread::kFull.mask());
}

// vecadd.co of gfx1100 has rsrc1 0x60af0080 and rsrc2 0x9e; what they mean is the AMDGPU usage guide's.
TEST(Registers, DecodeAKernelsRsrc) {
  EXPECT_EQ(rsrc1::vgprs_allocated(0x60af0080, true), 8u);
  EXPECT_EQ(rsrc1::vgprs_allocated(0x60af0081, true), 16u);
  EXPECT_EQ(rsrc1::vgprs_allocated(0x60af0081, false), 8u);
  EXPECT_EQ(rsrc1::kDenormF32.get(0x60af0080), 3u);
  EXPECT_EQ(rsrc1::kRoundF32.get(0x60af0080), 0u);
  EXPECT_EQ(rsrc1::kMemOrdered.get(0x60af0080), 1u);
  EXPECT_EQ(rsrc1::kWgpMode.get(0x60af0080), 1u);
  EXPECT_EQ(rsrc2::kUserSgpr.get(0x9e), 15u);
  EXPECT_EQ(rsrc2::kTgidXEn.get(0x9e), 1u);
  EXPECT_EQ(rsrc2::kTgidYEn.get(0x9e), 0u);
}

TEST(Registers, Print) {
  EXPECT_EQ(format_register(Register::COMPUTE_TMPRING_SIZE, kGfx11, (2u << 12) | 512u),
            "COMPUTE_TMPRING_SIZE=0x2200 {WAVES=512, WAVESIZE=2}");
  EXPECT_EQ(format_register(Register::COMPUTE_PGM_LO, kGfx11, 0x12), "COMPUTE_PGM_LO=0x12");
  EXPECT_EQ(format_register(Register::GRBM_GFX_INDEX, kGfx11, 0xe0000000),
            "GRBM_GFX_INDEX=0xe0000000 {SA_BROADCAST=1, INSTANCE_BROADCAST=1, SE_BROADCAST=1}");
}

TEST(ComputeState, IsWrittenByAddress) {
  ComputeState state{};
  state.write(0x2e0c, 0x34567890);
  state.write(0x2e0d, 0x12);
  state.write(0x2e10, 0x80000000);
  state.write(0x2e40 + 15, 7);
  EXPECT_EQ(state.code_address(), 0x123456789000u);
  EXPECT_EQ(state.scratch_base(), 0x8000000000u);
  EXPECT_EQ(state.user_data[15], 7u);
  EXPECT_EQ(state.read(0x2e4f), 7u);
  EXPECT_TRUE(ComputeState::contains(0x2e7f));
  EXPECT_FALSE(ComputeState::contains(0x2e80));
  EXPECT_FALSE(ComputeState::contains(0x2dff));
  EXPECT_EQ(fmt::format("{}", state),
            "{COMPUTE_PGM_LO=0x34567890, COMPUTE_PGM_HI=0x12, COMPUTE_DISPATCH_SCRATCH_BASE_LO=0x80000000, "
            "COMPUTE_USER_DATA_15=0x7}");
}

TEST(Bits, GetSetAndReplace) {
  constexpr Bits kField{4, 8};
  EXPECT_EQ(kField.mask(), 0xff0u);
  EXPECT_EQ(kField.get(0xabcdef), 0xdeu);
  EXPECT_EQ(kField.set(0x1ff), 0xff0u);
  EXPECT_EQ(kField.replace(0xffffffff, 0x12), 0xfffff12fu);
  constexpr Bits kAll{0, 32};
  EXPECT_EQ(kAll.get(0xffffffff), 0xffffffffu);
}

}  // namespace mockgpu::isa::amd::registers_tests
