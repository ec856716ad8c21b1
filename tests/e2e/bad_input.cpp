// Kernels that do one wrong thing (bad.s): one clear error each, and the next good kernel runs in the same
// process.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <span>

#include "tests/e2e/launch_case.h"

namespace mockgpu::test::bad_input {

using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

class BadInput : public testing::Test {
 protected:
  void SetUp() override {
    const char* chosen = std::getenv("MOCKGPU");
    if (chosen && std::string_view(chosen) == "off") GTEST_SKIP() << "faults are for the mock machine";
    open("gfx1100;mode=inline;hang=1000000");
  }

  void open(const std::string& spec) {
    spec_ = spec;
    program_.reset();
    device_.reset();
    other_.reset();
    opened_ = emu::open_machine(spec, [this](const emu::Report& report) {
      if (!report.note) reports_.push_back(report.error);
    });
    device_ = runtime::open_device(*opened_.io);
    program_ = load("bad");
  }

  std::unique_ptr<runtime::Program> load(const std::string& name) {
    return device_->load_program(
        read_file(std::string(MOCKGPU_TEST_DATA "/kernels/gfx1100/") + name + ".co"));
  }

  void launch(const std::string& kernel_name, std::uint64_t address, const runtime::LaunchShape& shape) {
    const runtime::Kernel& kernel = program_->kernel(kernel_name);
    device_->launch(kernel, shape, std::as_bytes(std::span(&address, 1)));
    device_->synchronize();
  }

  /// The one report of a launch that must fail, and then a good kernel.
  std::string report_of(const std::string& kernel_name, std::uint64_t address) {
    runtime::LaunchShape shape;
    shape.grid = shape.group = {64, 1, 1};
    std::string thrown;
    try {
      launch(kernel_name, address, shape);
    } catch (const Error& error) {
      thrown = format_error(error);
    }
    EXPECT_NE(thrown, "") << "nothing was thrown";
    EXPECT_EQ(reports_.size(), 1u);
    const std::string report = reports_.empty() ? "" : format_error(reports_[0]);
    reports_.clear();
    good_kernel_runs();
    return report;
  }

  /// A driver's process ends with its fault, so this is another machine: the next process.
  void good_kernel_runs() {
    open(spec_);
    for (const KernelCase& one : memory_cases()) {
      if (one.name == "vecadd") {
        EXPECT_EQ(one.check(run(one, *device_)), "");
      }
    }
    EXPECT_TRUE(reports_.empty());
  }

  std::string spec_;
  emu::OpenedMachine opened_;
  std::unique_ptr<runtime::Device> device_, other_;
  std::unique_ptr<runtime::Program> program_;
  std::vector<Error> reports_;
};

TEST_F(BadInput, AccessesToAddressesThatAreNotMapped) {
  EXPECT_THAT(
      report_of("store_at", 0xdead0000),
      AllOf(HasSubstr(
                "error[memory-fault]: global_store_b32 writes 4 bytes at 0xdead0000, which is not mapped"),
            HasSubstr("workgroup (0,0,0), wave 1, lane 5")));
  EXPECT_THAT(report_of("load_at", 0),
              HasSubstr("global_load_b64 reads 8 bytes at 0x0, which is not mapped"));
  EXPECT_THAT(report_of("scalar_load_at", 0x1000), HasSubstr("s_load_b128 reads 16 bytes at 0x1000"));
  EXPECT_THAT(report_of("atomic_at", 0x1000), HasSubstr("at 0x1000, which is not mapped"));
}

TEST_F(BadInput, AStoreAcrossTheEndOfAnAllocation) {
  const runtime::Buffer buffer = device_->allocate(4096);
  const std::uint64_t end = buffer.address + 4096;
  // 16 bytes, the last 8 of them outside.
  const std::string report = report_of("store_block_at", end - 8);
  EXPECT_THAT(report, AllOf(HasSubstr("error[memory-fault]: global_store_b128 writes 16 bytes"),
                            HasSubstr("only partly mapped"), HasSubstr("4088 bytes into")));
}

TEST_F(BadInput, AStoreToFreedMemory) {
  const runtime::Buffer buffer = device_->allocate(1 << 22);
  device_->free(buffer);
  EXPECT_THAT(report_of("store_at", buffer.address + 64),
              HasSubstr("error[memory-fault]: global_store_b32 writes 4 bytes"));
}

TEST_F(BadInput, AStoreToTheMemoryOfAnotherDevice) {
  open("2xgfx1100;mode=inline");
  other_ = runtime::open_device(*opened_.io, 1);
  // Both devices hand out addresses of one range: take one that the first does not use.
  runtime::Buffer foreign;
  for (int i = 0; i < 8; ++i) foreign = other_->allocate(1 << 24);
  EXPECT_THAT(report_of("store_at", foreign.address + (1 << 23)),
              AllOf(HasSubstr("error[memory-fault]: global_store_b32 writes 4 bytes"),
                    HasSubstr("which is not mapped")));
}

TEST_F(BadInput, MisalignedAtomics) {
  const runtime::Buffer buffer = device_->allocate(4096);
  EXPECT_THAT(report_of("atomic_at", buffer.address + 2),
              AllOf(HasSubstr("error[memory-fault]: global_atomic_add_u32"),
                    HasSubstr("which is not aligned: atomics must be")));
  const runtime::Buffer second = device_->allocate(4096);
  EXPECT_THAT(report_of("wide_atomic_at", second.address + 4),
              AllOf(HasSubstr("error[memory-fault]: global_atomic_add_u64"),
                    HasSubstr("which is not aligned: atomics must be")));
}

TEST_F(BadInput, ABranchOutOfTheCode) {
  EXPECT_THAT(report_of("jump_to", 0xdead0000),
              AllOf(HasSubstr("error[memory-fault]"), HasSubstr("0xdead0000")));
  EXPECT_THAT(report_of("branch_out", 0), HasSubstr("error["));
  // Data is no code, even where it is mapped.
  const runtime::Buffer buffer = device_->allocate(4096);
  device_->fill(buffer.address, 0xff, 4096);
  EXPECT_THAT(report_of("jump_to", buffer.address), HasSubstr("error["));
}

TEST_F(BadInput, ARegisterThatTheKernelDoesNotHave) {
  EXPECT_THAT(report_of("register_beyond", 0),
              HasSubstr("error[bad-packet]: code that names v200 in a launch with 32 vector registers"));
}

TEST_F(BadInput, PrivateMemoryBeyondTheKernels) {
  EXPECT_THAT(report_of("private_beyond", 0),
              HasSubstr("error[memory-fault]: scratch_store_b32 writes 4 bytes"));
}

TEST_F(BadInput, GroupMemoryOutOfRangeReadsZeroAndDropsWrites) {
  runtime::LaunchShape shape;
  shape.grid = shape.group = {64, 1, 1};
  shape.dynamic_group_bytes = 512;
  const runtime::Buffer buffer = device_->allocate(512);
  launch("group_beyond", buffer.address, shape);
  std::vector<std::uint32_t> got(128), wanted;
  device_->download(got, buffer);
  for (std::uint32_t lane = 0; lane < 64; ++lane) wanted.insert(wanted.end(), {0, lane});
  EXPECT_EQ(got, wanted);
}

TEST_F(BadInput, ShapesThatNoDeviceHas) {
  const auto refusal = [&](std::uint32_t grid, std::uint32_t group, std::uint32_t bytes) -> std::string {
    runtime::LaunchShape shape;
    shape.grid = {grid, 1, 1};
    shape.group = {group, 1, 1};
    shape.dynamic_group_bytes = bytes;
    try {
      launch("endless", 0, shape);
    } catch (const Error& error) {
      return format_error(error);
    }
    return "";
  };
  program_ = load("endless");
  EXPECT_THAT(refusal(64, 64, 65537), HasSubstr("65536"));
  EXPECT_THAT(refusal(2048, 2048, 0), HasSubstr("1024"));
  EXPECT_THAT(refusal(64, 0, 0), HasSubstr("error["));
  EXPECT_TRUE(reports_.empty());
  good_kernel_runs();
}

}  // namespace mockgpu::test::bad_input
