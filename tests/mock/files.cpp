#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <sstream>

#include "emu/host/file_tree.h"
#include "emu/machine.h"

namespace mockgpu::emu::files_tests {

using testing::ElementsAre;

std::map<std::string, std::uint64_t> properties(Machine& machine, const std::string& path) {
  std::map<std::string, std::uint64_t> values;
  std::istringstream text(machine.read_text(path).value_or(""));
  std::string key;
  std::uint64_t value = 0;
  while (text >> key >> value) values[key] = value;
  return values;
}

MachineConfig quiet(const std::string& spec) { return parse_machine(spec + ";mode=inline;log=off"); }

TEST(Topology, OneGfx1100) {
  Machine machine(quiet("on"));
  const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes";
  EXPECT_THAT(*machine.list(nodes), ElementsAre("0", "1"));
  EXPECT_EQ(machine.read_text(nodes + "/0/gpu_id"), "0\n");
  EXPECT_NE(machine.read_text(nodes + "/1/gpu_id"), "0\n");
  // A real RX 7900 XTX's dump.
  const auto gpu = properties(machine, nodes + "/1/properties");
  EXPECT_EQ(gpu.at("gfx_target_version"), 110000u);
  EXPECT_EQ(gpu.at("device_id"), 29772u);
  EXPECT_EQ(gpu.at("vendor_id"), 4098u);
  EXPECT_EQ(gpu.at("simd_count"), 192u);
  EXPECT_EQ(gpu.at("simd_per_cu"), 2u);
  EXPECT_EQ(gpu.at("array_count"), 12u);
  EXPECT_EQ(gpu.at("simd_arrays_per_engine"), 2u);
  EXPECT_EQ(gpu.at("max_slots_scratch_cu"), 32u);
  EXPECT_EQ(gpu.at("capability"), 671588992u & ~(1u << 27)) << "a real board's, without the SVM bit";
  EXPECT_EQ(gpu.at("capability") >> 12 & 3, 2u) << "doorbell type";
  EXPECT_EQ(gpu.at("drm_render_minor"), 128u);
  EXPECT_EQ(gpu.at("num_xcc"), 1u);
  EXPECT_EQ(gpu.at("lds_size_in_kb"), 64u);
  EXPECT_EQ(gpu.at("location_id"), 0x300u);
  EXPECT_EQ(gpu.at("caches_count"), machine.list(nodes + "/1/caches")->size());
  EXPECT_EQ(gpu.at("io_links_count"), machine.list(nodes + "/1/io_links")->size());
  const auto bank = properties(machine, nodes + "/1/mem_banks/0/properties");
  EXPECT_EQ(bank.at("heap_type"), 1u);
  EXPECT_EQ(bank.at("size_in_bytes"), 25753026560u);
  EXPECT_GT(properties(machine, nodes + "/0/properties").at("cpu_cores_count"), 0u);
}

TEST(Topology, IpDiscoveryThroughTheClassLink) {
  Machine machine(quiet("on"));
  const std::string device = "/sys/class/drm/renderD128/device";
  EXPECT_EQ(machine.read_text(device + "/vendor"), "0x1002\n");
  EXPECT_EQ(machine.read_text(device + "/device"), "0x744c\n");
  const auto version = [&](const std::string& block) {
    std::string text;
    for (const char* part : {"major", "minor", "revision"}) {
      text += machine.read_text(device + "/ip_discovery/die/0/" + block + "/0/" + part).value_or("?");
    }
    return text;
  };
  EXPECT_EQ(version("11"), "11\n0\n0\n");
  EXPECT_EQ(version("GC"), "11\n0\n0\n");
  EXPECT_EQ(version("42"), "6\n0\n0\n");
  EXPECT_EQ(version("108"), "4\n3\n0\n");
  EXPECT_TRUE(machine.exists("/sys/dev/char/226:128/device/drm"));
  EXPECT_TRUE(machine.exists("/sys/class/kfd/kfd/topology/generation_id"));
}

TEST(Topology, SeveralDevicesDiffer) {
  Machine machine(quiet("2xgfx1100:vram=1G"));
  const std::string nodes = "/sys/devices/virtual/kfd/kfd/topology/nodes";
  EXPECT_THAT(*machine.list(nodes), ElementsAre("0", "1", "2"));
  EXPECT_NE(machine.read_text(nodes + "/1/gpu_id"), machine.read_text(nodes + "/2/gpu_id"));
  const auto first = properties(machine, nodes + "/1/properties"),
             second = properties(machine, nodes + "/2/properties");
  EXPECT_NE(first.at("unique_id"), second.at("unique_id"));
  EXPECT_NE(first.at("location_id"), second.at("location_id"));
  EXPECT_EQ(second.at("drm_render_minor"), 129u);
  EXPECT_EQ(properties(machine, nodes + "/2/mem_banks/0/properties").at("size_in_bytes"), 1u << 30);
  EXPECT_TRUE(machine.open("/dev/dri/renderD129", O_RDWR));
  EXPECT_FALSE(machine.open("/dev/dri/renderD130", O_RDWR));
  EXPECT_EQ(errno, ENOENT);
}

TEST(Files, ErrorsAreThoseOfLinux) {
  Machine machine(quiet("on"));
  EXPECT_FALSE(machine.open("/sys/class/drm/card9", O_RDONLY));
  EXPECT_EQ(errno, ENOENT);
  EXPECT_FALSE(machine.open("/sys/module/amdgpu", O_RDONLY));
  EXPECT_EQ(errno, EISDIR);
  EXPECT_FALSE(machine.open("/sys/module/amdgpu/initstate", O_RDWR));
  EXPECT_EQ(errno, EACCES);
  EXPECT_FALSE(machine.list("/sys/module/amdgpu/initstate"));
  EXPECT_EQ(errno, ENOTDIR);
  EXPECT_FALSE(machine.readlink("/sys/module/amdgpu/initstate"));
  EXPECT_EQ(errno, EINVAL);
  EXPECT_EQ(machine.readlink("/sys/class/kfd/kfd"), "../../devices/virtual/kfd/kfd");
  const auto text = machine.open("/sys/module/amdgpu/initstate", O_RDONLY);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->ioctl(0x80084b01, nullptr), -1);
  EXPECT_EQ(errno, ENOTTY);
  char byte = 0;
  EXPECT_EQ(text->pread(&byte, 1, 2), 1);
  EXPECT_EQ(byte, 'v');
  EXPECT_EQ(text->pread(&byte, 1, 100), 0);
  EXPECT_GE(text->number(), 0);
}

TEST(Files, DescriptorsAreReal) {
  Machine machine(quiet("on"));
  const auto kfd = machine.open("/dev/kfd", O_RDWR);
  ASSERT_TRUE(kfd);
  EXPECT_EQ(fcntl(kfd->number(), F_GETFD), FD_CLOEXEC);
  const auto event = machine.eventfd(0, 0);
  ASSERT_TRUE(event);
  EXPECT_GE(fcntl(event->number(), F_GETFD), 0);
  const auto adopted = machine.adopt(dup(event->number()));
  ASSERT_TRUE(adopted);
}

TEST(Files, AddressesRepeatFromMachineToMachine) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "the sanitizer maps memory of its own among them";
#endif
  const auto addresses = [] {
    Machine machine(quiet("on"));
    std::vector<void*> all{machine.reserve(0x1000), machine.anon_mmap(0x5000), machine.reserve(0x10000)};
    machine.munmap(all[0], 0x1000);
    machine.munmap(all[1], 0x5000);
    machine.munmap(all[2], 0x10000);
    return all;
  };
  EXPECT_EQ(addresses(), addresses());
}

TEST(FileTree, LinksCanLoop) {
  FileTree tree;
  tree.add_root("/a");
  tree.add_link("/a/x", "y");
  tree.add_link("/a/y", "x");
  EXPECT_FALSE(tree.exists("/a/x"));
  EXPECT_EQ(errno, ELOOP);
  EXPECT_TRUE(tree.owns("/a/x"));
  EXPECT_FALSE(tree.owns("/ab"));
}

}  // namespace mockgpu::emu::files_tests
