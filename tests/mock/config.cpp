#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstdio>
#include <fstream>

#include "emu/amd/topology.h"
#include "emu/machine.h"
#include "isa/amd/commands/drm.h"
#include "isa/amd/commands/kfd.h"

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
  for (const char* text : {R"({"devices": []})", R"({"devices": [{"taget": "gfx1100"}]})",
                           R"({"mode": ["inline"]})", R"({"devices": ["gfx1100"]})"}) {
    try {
      parse_machine_json(text, "test");
      ADD_FAILURE() << text;
    } catch (const Error& error) {
      EXPECT_EQ(error.tag(), Tag::bad_usage) << text;
    }
  }
}

TEST(MachineSpec, FaultPlan) {
  const MachineConfig config = parse_machine_json(
      R"({"faults": [{"call": "AMDKFD_IOC_CREATE_QUEUE", "nth": 2, "times": 0, "errno": "ENOMEM"},
                     {"call": "DRM_IOCTL_VERSION", "errno": "EACCES"}, {"call": "mmap", "errno": "EAGAIN"},
                     {"call": "open /dev/kfd", "errno": "ENOENT"}]})",
      "test");
  ASSERT_EQ(config.faults.size(), 4u);
  EXPECT_EQ(config.faults[0].call, "AMDKFD_IOC_CREATE_QUEUE");
  EXPECT_EQ(config.faults[0].nth, 2u);
  EXPECT_EQ(config.faults[0].times, 0u);
  EXPECT_EQ(config.faults[0].error, ENOMEM);
  EXPECT_EQ(config.faults[1].nth, 1u);
  EXPECT_EQ(config.faults[1].times, 1u);
  EXPECT_EQ(config.faults[1].error, EACCES);
  EXPECT_EQ(config.faults[3].call, "open /dev/kfd");
  EXPECT_TRUE(parse_machine_json(R"({"faults": []})", "test").faults.empty());

  const auto message = [](const std::string& fault) {
    try {
      parse_machine_json("{\"faults\": [" + fault + "]}", "plan.json");
    } catch (const Error& error) {
      EXPECT_EQ(error.tag(), Tag::bad_usage);
      EXPECT_THAT(format_error(error), testing::HasSubstr("plan.json"));
      return error.message();
    }
    return std::string("accepted");
  };
  using testing::HasSubstr;
  EXPECT_THAT(message("3"), HasSubstr("expected objects with call"));
  EXPECT_THAT(message(R"({"call": "mmap"})"), HasSubstr("mmap has no errno"));
  EXPECT_THAT(message(R"({"errno": "EIO"})"), HasSubstr("call \"\""));
  EXPECT_THAT(message(R"({"call": "AMDKFD_IOC_CREATE", "errno": "EIO"})"), HasSubstr("name of a request"));
  EXPECT_THAT(message(R"({"call": "open kfd", "errno": "EIO"})"), HasSubstr("open and a path"));
  EXPECT_THAT(message(R"({"call": "mmap", "errno": "EWHAT"})"), HasSubstr("errno \"EWHAT\""));
  EXPECT_THAT(message(R"({"call": "mmap", "errno": 5})"), HasSubstr("errno \"5\""));
  EXPECT_THAT(message(R"({"call": "mmap", "errno": "EIO", "nth": 0})"), HasSubstr("counted from 1"));
  EXPECT_THAT(message(R"({"call": "mmap", "errno": "EIO", "nth": -1})"), HasSubstr("whole number"));
  EXPECT_THAT(message(R"({"call": "mmap", "errno": "EIO", "count": 1})"), HasSubstr("unknown key \"count\""));
  EXPECT_THROW(parse_machine_json(R"({"faults": {"call": "mmap"}})", "test"), Error);
}

TEST(MachineSpec, PlannedFaultsHappen) {
  namespace kfd = isa::amd::kfd;
  Machine machine(parse_machine_json(
      R"({"mode": "inline", "log": "off", "faults":
          [{"call": "AMDKFD_IOC_GET_VERSION", "nth": 2, "times": 2, "errno": "EINTR"},
           {"call": "AMDKFD_IOC_GET_VERSION", "nth": 5, "times": 0, "errno": "EIO"},
           {"call": "DRM_IOCTL_VERSION", "errno": "EACCES"}, {"call": "mmap", "errno": "EAGAIN"},
           {"call": "open /dev/dri/renderD128", "errno": "EMFILE"}]})",
      "test"));
  const auto file = machine.open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(file);
  std::vector<int> errors;
  for (int i = 0; i < 7; ++i) {
    kfd::GetVersionArgs version{};
    errors.push_back(file->ioctl(kfd::kGetVersion, &version) == 0 ? 0 : errno);
    EXPECT_EQ(version.major_version, errors.back() == 0 ? 1u : 0u) << "nothing is done";
  }
  EXPECT_THAT(errors, testing::ElementsAre(0, EINTR, EINTR, 0, EIO, EIO, EIO));
  const off_t doorbells = static_cast<off_t>(std::uint64_t{3} << 62 | std::uint64_t{amd::gpu_id_of(0)} << 46);
  EXPECT_FALSE(file->mmap(nullptr, 0x2000, PROT_READ, MAP_SHARED, doorbells));
  EXPECT_EQ(errno, EAGAIN);
  const runtime::Mapping mapping = file->mmap(nullptr, 0x2000, PROT_READ, MAP_SHARED, doorbells);
  ASSERT_TRUE(mapping);
  machine.munmap(mapping.data, mapping.size);
  EXPECT_FALSE(machine.open("/dev/dri/renderD128", O_RDWR));
  EXPECT_EQ(errno, EMFILE);
  const auto render = machine.open("/dev/dri/renderD128", O_RDWR);
  ASSERT_TRUE(render);
  isa::amd::drm::VersionArgs drm{};
  EXPECT_EQ(render->ioctl(isa::amd::drm::kVersion, &drm), -1);
  EXPECT_EQ(errno, EACCES);
  EXPECT_EQ(render->ioctl(isa::amd::drm::kVersion, &drm), 0);
  EXPECT_EQ(drm.version_major, 3);
  EXPECT_TRUE(machine.reports().empty()) << "a plan is no finding";
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
