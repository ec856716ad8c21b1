#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/mman.h>

#include <cerrno>

#include "runtime/io/posix_file_io.h"
#include "runtime/io/tracing_file_io.h"
#include "runtime/platform.h"
#include "tests/runtime/fake_gpu.h"

namespace mockgpu::runtime::tracing_tests {

using testing::HasSubstr;
using testing::MatchesRegex;

struct Log {
  std::vector<std::string> lines;
  TracingFileIo::Sink sink() {
    return [this](std::string_view line) { lines.emplace_back(line); };
  }
  const std::string& last() const { return lines.back(); }
};

TEST(Tracing, PrintsIoctlsWithTheirFields) {
  FakeGpu gpu;
  Log log;
  TracingFileIo io(gpu, log.sink());
  { const auto device = open_device(io); }
  const auto has = [&](const std::string& pattern) {
    EXPECT_THAT(log.lines, testing::Contains(MatchesRegex(pattern))) << pattern;
  };
  has(R"(openat\(AT_FDCWD, "/dev/kfd", O_RDWR\|O_CLOEXEC\) = 3)");
  has(R"(ioctl\(3, AMDKFD_IOC_GET_VERSION, .*major_version=1, minor_version=17\}\) = 0)");
  has(R"(ioctl\(3, AMDKFD_IOC_ACQUIRE_VM, \{drm_fd=4, gpu_id=.*\}\) = 0)");
  has(R"(mmap\(NULL, 16777216, PROT_NONE, MAP_PRIVATE\|MAP_ANONYMOUS\|MAP_NORESERVE, -1, 0\) = 0x[0-9a-f]+)");
  has(R"(mmap\(0x[0-9a-f]+, 16777216, PROT_READ\|PROT_WRITE, MAP_SHARED\|MAP_FIXED, 4, 0x200000\) = 0x[0-9a-f]+)");
  has(R"(mmap\(NULL, 8192, PROT_READ\|PROT_WRITE, MAP_SHARED, 3, 0xc000000000004000\) = 0x[0-9a-f]+)");
  has(R"(ioctl\(3, AMDKFD_IOC_DESTROY_QUEUE, \{queue_id=0.*\}\) = 0)");
  has(R"(munmap\(0x[0-9a-f]+, 8192\) = 0)");
  has(R"(close\(3\) = 0)");
}

TEST(Tracing, PrintsFailuresWithTheirNames) {
  FakeGpu gpu;
  gpu.refuse_event_page = true;
  Log log;
  TracingFileIo io(gpu, log.sink());
  errno = 0;
  EXPECT_EQ(io.open("/dev/nothing", O_RDONLY), nullptr);
  EXPECT_EQ(errno, ENOENT);
  EXPECT_EQ(
      log.last(),
      R"(openat(AT_FDCWD, "/dev/nothing", O_RDONLY|O_CLOEXEC) = -1 ENOENT (No such file or directory))");
  const auto device = open_device(io);
  EXPECT_THAT(log.lines, testing::Contains(HasSubstr(") = -1 EINVAL (Invalid argument)")));
}

// Both machines over the real kernel: the traced one answers what the plain one does.
TEST(Tracing, PlainFiles) {
  PosixFileIo posix;
  Log log;
  TracingFileIo io(posix, log.sink());
  EXPECT_TRUE(io.exists("/proc/self/stat"));
  EXPECT_EQ(log.last(), R"(access("/proc/self/stat", F_OK) = 0)");
  EXPECT_FALSE(io.exists("/nothing"));
  EXPECT_EQ(io.list("/nothing"), std::nullopt);
  EXPECT_THAT(log.last(), HasSubstr("-1 ENOENT"));
  const auto entries = io.list("/proc/self/ns");
  ASSERT_TRUE(entries);
  EXPECT_THAT(*entries, testing::Contains("pid"));
  EXPECT_THAT(io.readlink("/proc/self/ns/pid").value_or(""), HasSubstr("pid:["));
  EXPECT_EQ(io.readlink("/proc/self/stat"), std::nullopt);
  EXPECT_EQ(io.read_text("/proc/sys/kernel/ostype"), "Linux\n");
  EXPECT_THAT(log.lines, testing::Contains(MatchesRegex(R"(pread64\([0-9]+, "Linux\\n", 4096, 0\) = 6)")));

  const auto event = io.eventfd(0, EFD_NONBLOCK);
  ASSERT_NE(event, nullptr);
  EXPECT_EQ(event->poll(POLLIN, 0), 0);
  EXPECT_THAT(log.last(), HasSubstr("0 (Timeout)"));
  EXPECT_EQ(event->poll(POLLOUT, 0), POLLOUT);
  EXPECT_THAT(
      log.last(),
      MatchesRegex(
          R"(poll\(\[\{fd=([0-9]+), events=POLLOUT\}\], 1, 0\) = 1 \(\[\{fd=([0-9]+), revents=POLLOUT\}\]\))"));

  void* memory = io.anon_mmap(8192);
  ASSERT_NE(memory, nullptr);
  static_cast<char*>(memory)[8191] = 1;
  EXPECT_EQ(io.munmap(memory, 8192), 0);
  void* reserved = io.reserve(std::size_t{1} << 32);
  ASSERT_NE(reserved, nullptr);
  const auto file = io.open("/proc/self/exe", O_RDONLY);
  ASSERT_NE(file, nullptr);
  const Mapping mapping = file->mmap(reserved, 4096, PROT_READ, MAP_PRIVATE | MAP_FIXED, 0);
  EXPECT_EQ(mapping.data, reserved);
  EXPECT_EQ(mapping.hook, nullptr);
  EXPECT_EQ(std::to_integer<int>(mapping.data[0]), 0x7f);
  EXPECT_EQ(io.munmap(reserved, std::size_t{1} << 32), 0);
  std::uint64_t version = 0;
  EXPECT_EQ(file->ioctl(0x80084b01, &version), -1);
  EXPECT_EQ(errno, ENOTTY);
}

}  // namespace mockgpu::runtime::tracing_tests
