#include "isa/amd/commands/drm.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace mockgpu::isa::amd::drm::drm_tests {

using ::testing::HasSubstr;

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

TEST(Drm, VersionPrintsWhatTheDriverFilled) {
  VersionArgs before{};
  before.name_len = 64;
  before.name = 0x7f00;
  VersionArgs after = before;
  after.version_major = 3;
  after.version_minor = 57;
  after.name_len = 6;
  EXPECT_EQ(format_ioctl(0xc0406400, bytes_of(before), bytes_of(after)),
            "DRM_IOCTL_VERSION, {name_len=64, name=0x7f00, date_len=0, date=0x0, desc_len=0, desc=0x0} => "
            "{version_major=3, version_minor=57, version_patchlevel=0, name_len=6, date_len=0, desc_len=0}");
}

TEST(Drm, InfoNamesItsQuery) {
  InfoArgs args{};
  args.return_pointer = 0x1000;
  args.return_size = 368;
  args.query = 0x16;
  EXPECT_EQ(format_ioctl(0x40206445, bytes_of(args), bytes_of(args)),
            "DRM_IOCTL_AMDGPU_INFO, {return_pointer=0x1000, return_size=368, query=AMDGPU_INFO_DEV_INFO, "
            "parameters=[0x0, 0x0, 0x0, 0x0]}");
  EXPECT_EQ(fmt::format("{}", args), fmt::format("{}", InfoArgs(args)));
  EXPECT_EQ(find_ioctl(0x40206446), nullptr);
  EXPECT_EQ(format_ioctl(0x40046446, bytes_of(std::uint32_t{7}), {}), "0x40046446, {words=[0x7]}");
}

TEST(Drm, DeviceInfoPrintsItsFields) {
  DeviceInfo info{};
  info.device_id = 0x744c;
  info.family = 145;
  info.cu_bitmap[1][0] = 0xff;
  const std::string text = fmt::format("{}", info);
  EXPECT_THAT(text, HasSubstr("device_id=0x744c"));
  EXPECT_THAT(text, HasSubstr("family=145"));
  EXPECT_THAT(text, HasSubstr("cu_bitmap=[0x0, 0x0, 0x0, 0x0, 0xff, 0x0"));
}

}  // namespace mockgpu::isa::amd::drm::drm_tests
