#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

#include "emu/machine.h"

namespace mockgpu::emu::config_tests {

std::string message_of(const std::string& spec) {
  try {
    parse_machine(spec);
  } catch (const Error& error) {
    EXPECT_EQ(error.tag(), Tag::bad_usage) << spec;
    return error.message();
  }
  ADD_FAILURE() << spec << " was accepted";
  return {};
}

TEST(MachineSpec, DefaultIsOneGfx1100InAsyncMode) {
  for (const char* spec : {"", "on"}) {
    const MachineConfig config = parse_machine(spec);
    ASSERT_EQ(config.devices.size(), 1u);
    EXPECT_EQ(config.devices[0].target, "gfx1100");
    EXPECT_EQ(config.mode, Mode::async);
    EXPECT_EQ(config.kfd_major, 1u);
    EXPECT_EQ(config.kfd_minor, 17u);
    EXPECT_FALSE(config.hang);
    EXPECT_FALSE(config.real);
  }
}

TEST(MachineSpec, OffIsRealHardware) { EXPECT_TRUE(parse_machine("off").real); }

TEST(MachineSpec, DevicesAndOptions) {
  const MachineConfig config = parse_machine(
      "2xgfx1100:kfd=1.14:vram=1G,gfx1100;mode=seeded;threads=3;level=v3;seed=9;schedule=parallel;"
      "hang=1000;log=off");
  ASSERT_EQ(config.devices.size(), 3u);
  EXPECT_EQ(config.devices[0].vram_bytes, 1u << 30);
  EXPECT_EQ(config.devices[1].vram_bytes, 1u << 30);
  EXPECT_EQ(config.devices[2].vram_bytes, 0u);
  EXPECT_EQ(config.kfd_minor, 14u);
  EXPECT_EQ(config.mode, Mode::seeded);
  EXPECT_EQ(config.threads, 3u);
  EXPECT_EQ(config.level, "v3");
  EXPECT_EQ(config.seed, 9u);
  EXPECT_TRUE(config.parallel_schedule);
  EXPECT_EQ(config.hang, 1000u);
  EXPECT_EQ(config.log, "off");
}

TEST(MachineSpec, SemicolonFirstChangesTheDefaultMachine) {
  const MachineConfig config = parse_machine(";mode=inline");
  EXPECT_EQ(config.devices.size(), 1u);
  EXPECT_EQ(config.mode, Mode::on_call);
}

TEST(MachineSpec, MistakesNameWhatIsLegal) {
  using testing::HasSubstr;
  EXPECT_THAT(message_of("gfx99"), HasSubstr("unknown target \"gfx99\": legal are gfx1100"));
  EXPECT_THAT(message_of("gfx1100:color=red"),
              HasSubstr("unknown option \"color\" of gfx1100: legal are kfd and vram"));
  EXPECT_THAT(message_of("gfx1100:vram"), HasSubstr("not key=value"));
  EXPECT_THAT(message_of("gfx1100:vram=lots"), HasSubstr("expected bytes"));
  EXPECT_THAT(message_of("gfx1100:vram=99999999T"), HasSubstr("expected bytes"));
  EXPECT_THAT(message_of("gfx1100:kfd=2.0"), HasSubstr("expected a KFD interface version"));
  EXPECT_THAT(message_of(";mode=fast"), HasSubstr("expected async, inline or seeded"));
  EXPECT_THAT(message_of(";threads=0"), HasSubstr("expected 1 to 1024"));
  EXPECT_THAT(message_of(";threads=two"), HasSubstr("expected a decimal number"));
  EXPECT_THAT(message_of(";speed=9"),
              HasSubstr("legal are mode, threads, level, seed, schedule, hang and log"));
  EXPECT_THAT(message_of(";schedule=best"), HasSubstr("expected auto or parallel"));
  EXPECT_THAT(message_of("0xgfx1100"), HasSubstr("1 to 16 devices"));
  EXPECT_THAT(message_of("off;mode=inline"), HasSubstr("no options"));
}

TEST(MachineSpec, Json) {
  const MachineConfig config = parse_machine_json(
      R"({"devices": [{"target": "gfx1100", "count": 2, "vram": "64M"}], "mode": "inline", "hang": 5, "kfd": "1.12"})",
      "test");
  ASSERT_EQ(config.devices.size(), 2u);
  EXPECT_EQ(config.devices[1].vram_bytes, 64u << 20);
  EXPECT_EQ(config.mode, Mode::on_call);
  EXPECT_EQ(config.hang, 5u);
  EXPECT_EQ(config.kfd_minor, 12u);
}

TEST(MachineSpec, BadJson) {
  for (const char* text : {"", "[]", "{", "{\"devices\": [}"}) {
    try {
      parse_machine_json(text, "test");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.tag(), Tag::bad_file);
    }
  }
  for (const char* text :
       {R"({"faults": []})", R"({"devices": []})", R"({"devices": [{"taget": "gfx1100"}]})",
        R"({"mode": ["inline"]})", R"({"devices": ["gfx1100"]})"}) {
    try {
      parse_machine_json(text, "test");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.tag(), Tag::bad_usage) << text;
    }
  }
}

TEST(MachineSpec, JsonFile) {
  const std::string path = testing::TempDir() + "mockgpu_machine.json";
  std::ofstream(path) << R"({"mode": "inline", "log": "off"})";
  EXPECT_EQ(parse_machine(path).mode, Mode::on_call);
  std::remove(path.c_str());
  EXPECT_THROW(parse_machine(path), Error);
}

TEST(OpenMachine, GivesTheMockOrTheHost) {
  const OpenedMachine mock = open_machine(";mode=inline;log=off");
  ASSERT_NE(mock.machine, nullptr);
  EXPECT_TRUE(mock.io->exists("/dev/kfd"));
  const OpenedMachine real = open_machine("off");
  EXPECT_EQ(real.machine, nullptr);
  EXPECT_TRUE(real.io->exists("/proc/self"));
}

}  // namespace mockgpu::emu::config_tests
