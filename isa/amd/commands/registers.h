#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "isa/amd/commands/field.h"

/// Registers that a compute queue names. All addresses are absolute **dword** addresses. Source: Linux amdgpu
/// register headers (gc_9_0, gc_9_4_3, gc_10_1, gc_11_0, gc_12_0), Mesa's register tables.
namespace mockgpu::isa::amd {

/// Bases of the packet register spaces: address = base + offset of SET_*_REG.
inline constexpr std::uint32_t kShRegBase = 0x2c00;
inline constexpr std::uint32_t kShRegEnd = 0x3000;
inline constexpr std::uint32_t kConfigRegBase = 0x2000;
inline constexpr std::uint32_t kContextRegBase = 0xa000;
inline constexpr std::uint32_t kUconfigRegBase = 0xc000;
inline constexpr std::uint32_t kUconfigRegEnd = kUconfigRegBase + 0x10000;

/// Register layouts that differ: the columns of registers.inc. gfx90a uses the gfx94x column.
enum class RegisterFile : std::uint8_t { gfx9, gfx94x, gfx10, gfx11, gfx12 };
inline constexpr std::size_t kRegisterFiles = 5;

/// Every register of registers.inc by its hardware name.
enum class Register : std::uint8_t {
#define REGISTER(name, ...) name,
#include "isa/amd/commands/registers.inc"
#undef REGISTER
};

/// One row of registers.inc; address 0 = not in that file.
struct RegisterRow {
  std::string_view name;
  std::array<std::uint16_t, kRegisterFiles> address;
};
inline constexpr RegisterRow kRegisterRows[] = {
#define REGISTER(name, ...) {#name, {__VA_ARGS__}},
#include "isa/amd/commands/registers.inc"
#undef REGISTER
};

constexpr std::string_view register_name(Register reg) {
  return kRegisterRows[static_cast<std::size_t>(reg)].name;
}
/// The dword address, or 0 when the register does not exist in `file`.
constexpr std::uint32_t register_address(Register reg, RegisterFile file) {
  return kRegisterRows[static_cast<std::size_t>(reg)].address[static_cast<std::size_t>(file)];
}
/// The offset for SET_SH_REG: address - kShRegBase.
constexpr std::uint32_t sh_offset(Register reg, RegisterFile file) {
  return register_address(reg, file) - kShRegBase;
}
constexpr std::uint32_t uconfig_offset(Register reg, RegisterFile file) {
  return register_address(reg, file) - kUconfigRegBase;
}

/// The register at a dword address, if the table knows it.
std::optional<Register> register_at(std::uint32_t address, RegisterFile file);

/// The name of the register at an address, or `reg_0x1234`.
std::string register_name_at(std::uint32_t address, RegisterFile file);

/// One bit field of a register.
struct RegisterField {
  std::string_view name;
  Bits bits;
};

/// The fields of a register in the order of the bits; empty for a plain number.
std::span<const RegisterField> register_fields(Register reg, RegisterFile file);

/// `COMPUTE_TMPRING_SIZE=0x2200 {WAVES=512, WAVESIZE=2}`: the raw value and, when the register has fields,
/// each of them that is not 0.
std::string format_register(Register reg, RegisterFile file, std::uint32_t value);

// ---- Fields that code reads, by name ----

/// COMPUTE_DISPATCH_INITIATOR; the value travels in the dispatch packet.
namespace initiator {
inline constexpr Bits kComputeShaderEn{0, 1};  ///< 0: nothing is launched
inline constexpr Bits kPartialTgEn{1, 1};
inline constexpr Bits kForceStartAt000{2,
                                       1};  ///< 0: group ids begin at START_*, and DIM_* is the exclusive end
inline constexpr Bits kUseThreadDimensions{5, 1};  ///< dimensions count work-items
inline constexpr Bits kOrderMode{6, 1};
inline constexpr Bits kCsW32En{15, 1};  ///< 1 wave32, 0 wave64 (gfx10 and later)
}  // namespace initiator

/// COMPUTE_PGM_RSRC1. The same bits are in the kernel descriptor.
namespace rsrc1 {
inline constexpr Bits kVgprs{0, 6};  ///< (field + 1) * granule registers; see `vgprs_allocated`
inline constexpr Bits kSgprs{6, 4};
inline constexpr Bits kPriority{10, 2};
inline constexpr Bits kFloatMode{12, 8};
inline constexpr Bits kRoundF32{12, 2};  ///< 0 even, 1 +inf, 2 -inf, 3 zero
inline constexpr Bits kRoundF16F64{14, 2};
inline constexpr Bits kDenormF32{16, 2};  ///< 0 flush all, 1 flush results, 2 flush sources, 3 keep
inline constexpr Bits kDenormF16F64{18, 2};
inline constexpr Bits kPriv{20, 1};
inline constexpr Bits kDx10Clamp{21, 1};  ///< gfx9..gfx11
inline constexpr Bits kIeeeMode{23, 1};   ///< gfx9..gfx11
inline constexpr Bits kFp16Ovfl{26, 1};
inline constexpr Bits kWgpMode{29, 1};     ///< gfx10 and later
inline constexpr Bits kMemOrdered{30, 1};  ///< gfx10 and later
inline constexpr Bits kFwdProgress{31, 1};
/// VGPRs of a wave on gfx10..gfx12: the encoding granule is 8 in wave32 and 4 in wave64.
constexpr std::uint32_t vgprs_allocated(std::uint32_t value, bool wave32) {
  return (kVgprs.get(value) + 1) * (wave32 ? 8 : 4);
}
}  // namespace rsrc1

/// COMPUTE_PGM_RSRC2.
namespace rsrc2 {
inline constexpr Bits kScratchEn{0, 1};
inline constexpr Bits kUserSgpr{1, 5};
inline constexpr Bits kTrapPresent{6, 1};  ///< gfx9..gfx11
inline constexpr Bits kTgidXEn{7, 1};
inline constexpr Bits kTgidYEn{8, 1};
inline constexpr Bits kTgidZEn{9, 1};
inline constexpr Bits kTgSizeEn{10, 1};
inline constexpr Bits kTidigCompCnt{11, 2};  ///< 0 x, 1 x and y, 2 x, y and z
inline constexpr Bits kExcpEnMsb{13, 2};
inline constexpr Bits kLdsSize{15, 9};  ///< granules of kLdsGranule bytes
inline constexpr Bits kExcpEn{24, 7};
inline constexpr std::uint32_t kLdsGranule = 512;  ///< gfx9..gfx12; gfx950 has 1280
}  // namespace rsrc2

/// COMPUTE_PGM_RSRC3 of gfx11.
namespace rsrc3 {
inline constexpr Bits kSharedVgprCnt{0, 4};
inline constexpr Bits kInstPrefSize{4, 6};  ///< 128-byte lines
inline constexpr Bits kTrapOnStart{10, 1};
inline constexpr Bits kTrapOnEnd{11, 1};
inline constexpr Bits kImageOp{31, 1};
}  // namespace rsrc3

/// COMPUTE_TMPRING_SIZE of gfx11: WAVES counts per shader engine; a wave's scratch is WAVESIZE * 256 bytes.
namespace tmpring {
inline constexpr Bits kWaves{0, 12};
inline constexpr Bits kWaveSize{12, 15};
inline constexpr std::uint32_t kWaveSizeUnit = 256;
}  // namespace tmpring

/// COMPUTE_NUM_THREAD_X/Y/Z.
namespace num_thread {
inline constexpr Bits kFull{0, 16};
inline constexpr Bits kPartial{16, 16};
}  // namespace num_thread

/// The compute registers of gfx11 as one struct: word n is address 0x2e00 + n. State persists between
/// dispatches.
struct ComputeState {
  static constexpr std::uint32_t kFirst = 0x2e00;  ///< address of the first word
  static constexpr std::uint32_t kWords = 0x80;

  std::uint32_t dispatch_initiator;
  std::uint32_t dim[3];
  std::uint32_t start[3];
  std::uint32_t num_thread[3];
  std::uint32_t pipelinestat_enable;
  std::uint32_t perfcount_enable;
  std::uint32_t pgm_lo;  ///< code address >> 8
  std::uint32_t pgm_hi;
  std::uint32_t dispatch_pkt_addr_lo;
  std::uint32_t dispatch_pkt_addr_hi;
  std::uint32_t dispatch_scratch_base_lo;  ///< scratch address >> 8
  std::uint32_t dispatch_scratch_base_hi;
  std::uint32_t pgm_rsrc1;
  std::uint32_t pgm_rsrc2;
  std::uint32_t vmid;
  std::uint32_t resource_limits;
  std::uint32_t static_thread_mgmt_se0;
  std::uint32_t static_thread_mgmt_se1;
  std::uint32_t tmpring_size;
  std::uint32_t static_thread_mgmt_se2;
  std::uint32_t static_thread_mgmt_se3;
  std::uint32_t restart[3];
  std::uint32_t thread_trace_enable;
  std::uint32_t misc_reserved;
  std::uint32_t dispatch_id;
  std::uint32_t threadgroup_id;
  std::uint32_t req_ctrl;
  std::uint32_t reserved_23;
  std::uint32_t user_accum[4];
  std::uint32_t pgm_rsrc3;
  std::uint32_t ddid_index;
  std::uint32_t shader_chksum;
  std::uint32_t static_thread_mgmt_se4_to_se7[4];
  std::uint32_t dispatch_interleave;
  std::uint32_t relaunch;
  std::uint32_t wave_restore_addr_lo;
  std::uint32_t wave_restore_addr_hi;
  std::uint32_t relaunch2;
  std::uint32_t reserved_34[12];
  std::array<std::uint32_t, 16> user_data;
  std::uint32_t reserved_50[45];
  std::uint32_t dispatch_tunnel;
  std::uint32_t dispatch_end;
  std::uint32_t nowhere;

  static constexpr bool contains(std::uint32_t address) {
    return address >= kFirst && address < kFirst + kWords;
  }
  /// `address` must satisfy `contains`.
  void write(std::uint32_t address, std::uint32_t value) {
    std::memcpy(reinterpret_cast<std::byte*>(this) + (address - kFirst) * 4, &value, 4);
  }
  std::uint32_t read(std::uint32_t address) const {
    std::uint32_t value = 0;
    std::memcpy(&value, reinterpret_cast<const std::byte*>(this) + (address - kFirst) * 4, 4);
    return value;
  }
  /// Byte address of the code.
  std::uint64_t code_address() const { return join(pgm_lo, pgm_hi & 0xff) << 8; }
  /// Byte address of the scratch memory.
  std::uint64_t scratch_base() const {
    return join(dispatch_scratch_base_lo, dispatch_scratch_base_hi & 0xff) << 8;
  }
};
static_assert(sizeof(ComputeState) == ComputeState::kWords * 4);
#define MOCKGPU_ASSERT_POSITION(field, reg)                                 \
  static_assert(offsetof(ComputeState, field) / 4 + ComputeState::kFirst == \
                register_address(Register::reg, RegisterFile::gfx11))
MOCKGPU_ASSERT_POSITION(dispatch_initiator, COMPUTE_DISPATCH_INITIATOR);
MOCKGPU_ASSERT_POSITION(dim, COMPUTE_DIM_X);
MOCKGPU_ASSERT_POSITION(start, COMPUTE_START_X);
MOCKGPU_ASSERT_POSITION(num_thread, COMPUTE_NUM_THREAD_X);
MOCKGPU_ASSERT_POSITION(pipelinestat_enable, COMPUTE_PIPELINESTAT_ENABLE);
MOCKGPU_ASSERT_POSITION(perfcount_enable, COMPUTE_PERFCOUNT_ENABLE);
MOCKGPU_ASSERT_POSITION(pgm_lo, COMPUTE_PGM_LO);
MOCKGPU_ASSERT_POSITION(pgm_hi, COMPUTE_PGM_HI);
MOCKGPU_ASSERT_POSITION(dispatch_pkt_addr_lo, COMPUTE_DISPATCH_PKT_ADDR_LO);
MOCKGPU_ASSERT_POSITION(dispatch_pkt_addr_hi, COMPUTE_DISPATCH_PKT_ADDR_HI);
MOCKGPU_ASSERT_POSITION(dispatch_scratch_base_lo, COMPUTE_DISPATCH_SCRATCH_BASE_LO);
MOCKGPU_ASSERT_POSITION(dispatch_scratch_base_hi, COMPUTE_DISPATCH_SCRATCH_BASE_HI);
MOCKGPU_ASSERT_POSITION(pgm_rsrc1, COMPUTE_PGM_RSRC1);
MOCKGPU_ASSERT_POSITION(pgm_rsrc2, COMPUTE_PGM_RSRC2);
MOCKGPU_ASSERT_POSITION(vmid, COMPUTE_VMID);
MOCKGPU_ASSERT_POSITION(resource_limits, COMPUTE_RESOURCE_LIMITS);
MOCKGPU_ASSERT_POSITION(static_thread_mgmt_se0, COMPUTE_STATIC_THREAD_MGMT_SE0);
MOCKGPU_ASSERT_POSITION(static_thread_mgmt_se1, COMPUTE_STATIC_THREAD_MGMT_SE1);
MOCKGPU_ASSERT_POSITION(tmpring_size, COMPUTE_TMPRING_SIZE);
MOCKGPU_ASSERT_POSITION(static_thread_mgmt_se2, COMPUTE_STATIC_THREAD_MGMT_SE2);
MOCKGPU_ASSERT_POSITION(static_thread_mgmt_se3, COMPUTE_STATIC_THREAD_MGMT_SE3);
MOCKGPU_ASSERT_POSITION(restart, COMPUTE_RESTART_X);
MOCKGPU_ASSERT_POSITION(thread_trace_enable, COMPUTE_THREAD_TRACE_ENABLE);
MOCKGPU_ASSERT_POSITION(misc_reserved, COMPUTE_MISC_RESERVED);
MOCKGPU_ASSERT_POSITION(dispatch_id, COMPUTE_DISPATCH_ID);
MOCKGPU_ASSERT_POSITION(threadgroup_id, COMPUTE_THREADGROUP_ID);
MOCKGPU_ASSERT_POSITION(req_ctrl, COMPUTE_REQ_CTRL);
MOCKGPU_ASSERT_POSITION(user_accum, COMPUTE_USER_ACCUM_0);
MOCKGPU_ASSERT_POSITION(pgm_rsrc3, COMPUTE_PGM_RSRC3);
MOCKGPU_ASSERT_POSITION(ddid_index, COMPUTE_DDID_INDEX);
MOCKGPU_ASSERT_POSITION(shader_chksum, COMPUTE_SHADER_CHKSUM);
MOCKGPU_ASSERT_POSITION(static_thread_mgmt_se4_to_se7, COMPUTE_STATIC_THREAD_MGMT_SE4);
MOCKGPU_ASSERT_POSITION(dispatch_interleave, COMPUTE_DISPATCH_INTERLEAVE);
MOCKGPU_ASSERT_POSITION(relaunch, COMPUTE_RELAUNCH);
MOCKGPU_ASSERT_POSITION(wave_restore_addr_lo, COMPUTE_WAVE_RESTORE_ADDR_LO);
MOCKGPU_ASSERT_POSITION(wave_restore_addr_hi, COMPUTE_WAVE_RESTORE_ADDR_HI);
MOCKGPU_ASSERT_POSITION(relaunch2, COMPUTE_RELAUNCH2);
MOCKGPU_ASSERT_POSITION(user_data, COMPUTE_USER_DATA_0);
MOCKGPU_ASSERT_POSITION(dispatch_tunnel, COMPUTE_DISPATCH_TUNNEL);
MOCKGPU_ASSERT_POSITION(dispatch_end, COMPUTE_DISPATCH_END);
MOCKGPU_ASSERT_POSITION(nowhere, COMPUTE_NOWHERE);
#undef MOCKGPU_ASSERT_POSITION
void describe(const ComputeState& state, FieldPrinter& printer);

}  // namespace mockgpu::isa::amd
