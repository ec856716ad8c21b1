// Expected request words, sizes and names are those of the Linux uapi header kfd_ioctl.h and of the ROCm
// driver.
#include "isa/amd/commands/kfd.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <vector>

namespace mockgpu::isa::amd::kfd::kfd_tests {

using ::testing::HasSubstr;

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

// Request words as published by Linux and ROCm; kfd_args.h asserts those of 0x01..0x26 too.
TEST(Kfd, TableHasEveryRequest) {
  const std::pair<std::uint32_t, const char*> expected[] = {
      {0x80084b01, "AMDKFD_IOC_GET_VERSION"},
      {0xc0604b02, "AMDKFD_IOC_CREATE_QUEUE"},
      {0xc0084b03, "AMDKFD_IOC_DESTROY_QUEUE"},
      {0x40204b04, "AMDKFD_IOC_SET_MEMORY_POLICY"},
      {0xc0284b05, "AMDKFD_IOC_GET_CLOCK_COUNTERS"},
      {0x81904b06, "AMDKFD_IOC_GET_PROCESS_APERTURES"},
      {0x40184b07, "AMDKFD_IOC_UPDATE_QUEUE"},
      {0xc0204b08, "AMDKFD_IOC_CREATE_EVENT"},
      {0x40084b09, "AMDKFD_IOC_DESTROY_EVENT"},
      {0x40084b0a, "AMDKFD_IOC_SET_EVENT"},
      {0x40084b0b, "AMDKFD_IOC_RESET_EVENT"},
      {0xc0184b0c, "AMDKFD_IOC_WAIT_EVENTS"},
      {0x40084b0d, "AMDKFD_IOC_DBG_REGISTER_DEPRECATED"},
      {0x40084b0e, "AMDKFD_IOC_DBG_UNREGISTER_DEPRECATED"},
      {0x40104b0f, "AMDKFD_IOC_DBG_ADDRESS_WATCH_DEPRECATED"},
      {0x40104b10, "AMDKFD_IOC_DBG_WAVE_CONTROL_DEPRECATED"},
      {0xc0104b11, "AMDKFD_IOC_SET_SCRATCH_BACKING_VA"},
      {0xc0284b12, "AMDKFD_IOC_GET_TILE_CONFIG"},
      {0x40184b13, "AMDKFD_IOC_SET_TRAP_HANDLER"},
      {0xc0104b14, "AMDKFD_IOC_GET_PROCESS_APERTURES_NEW"},
      {0x40084b15, "AMDKFD_IOC_ACQUIRE_VM"},
      {0xc0284b16, "AMDKFD_IOC_ALLOC_MEMORY_OF_GPU"},
      {0x40084b17, "AMDKFD_IOC_FREE_MEMORY_OF_GPU"},
      {0xc0184b18, "AMDKFD_IOC_MAP_MEMORY_TO_GPU"},
      {0xc0184b19, "AMDKFD_IOC_UNMAP_MEMORY_FROM_GPU"},
      {0x40104b1a, "AMDKFD_IOC_SET_CU_MASK"},
      {0xc0184b1b, "AMDKFD_IOC_GET_QUEUE_WAVE_STATE"},
      {0xc0204b1c, "AMDKFD_IOC_GET_DMABUF_INFO"},
      {0xc0184b1d, "AMDKFD_IOC_IMPORT_DMABUF"},
      {0xc0104b1e, "AMDKFD_IOC_ALLOC_QUEUE_GWS"},
      {0xc0084b1f, "AMDKFD_IOC_SMI_EVENTS"},
      {0xc0184b20, "AMDKFD_IOC_SVM"},
      {0xc0044b21, "AMDKFD_IOC_SET_XNACK_MODE"},
      {0xc0384b22, "AMDKFD_IOC_CRIU_OP"},
      {0xc0104b23, "AMDKFD_IOC_AVAILABLE_MEMORY"},
      {0xc0104b24, "AMDKFD_IOC_EXPORT_DMABUF"},
      {0xc0104b25, "AMDKFD_IOC_RUNTIME_ENABLE"},
      {0xc0204b26, "AMDKFD_IOC_DBG_TRAP"},
      {0x00004b27, "AMDKFD_IOC_CREATE_PROCESS"},
      {0xc0304b80, "AMDKFD_IOC_IPC_IMPORT_HANDLE"},
      {0xc0204b81, "AMDKFD_IOC_IPC_EXPORT_HANDLE"},
      {0xc0284b82, "AMDKFD_IOC_DBG_TRAP_OLD"},
      {0xc0304b83, "AMDKFD_IOC_CROSS_MEMORY_COPY"},
      {0xc0204b84, "AMDKFD_IOC_RLC_SPM"},
      {0xc0204b85, "AMDKFD_IOC_PC_SAMPLE"},
      {0xc0284b86, "AMDKFD_IOC_PROFILER"},
  };
  ASSERT_EQ(ioctls().size(), std::size(expected));
  for (std::size_t i = 0; i < std::size(expected); ++i) {
    EXPECT_EQ(ioctls()[i].request, expected[i].first) << expected[i].second;
    EXPECT_EQ(ioctls()[i].name, expected[i].second);
    EXPECT_EQ(find_ioctl(expected[i].first), &ioctls()[i]);
  }
}

TEST(Kfd, RequestsAreFoundByNumberWhateverTheirSize) {
  ASSERT_NE(find_ioctl(0xc0584b02), nullptr);
  EXPECT_EQ(find_ioctl(0xc0584b02)->name, "AMDKFD_IOC_CREATE_QUEUE");
  EXPECT_EQ(find_ioctl(0xc0584b02)->least_size, 88u);
  ASSERT_NE(find_ioctl(0xc0384b20), nullptr);  // SVM with 4 attributes
  EXPECT_EQ(find_ioctl(0xc0384b20)->name, "AMDKFD_IOC_SVM");
  EXPECT_EQ(find_ioctl(0xc0084b7f), nullptr);
  EXPECT_EQ(find_ioctl(0xc0406400), nullptr);  // DRM's
}

/// The fields of every row lie in the struct, do not overlap, and leave out nothing but padding.
TEST(Kfd, FieldsCoverTheStructs) {
  for (const IoctlInfo& info : ioctls()) {
    if (info.fields.empty()) continue;
    std::uint32_t end = 0;
    std::uint32_t missing = 0;
    std::set<std::string_view> names;
    for (const FieldInfo& field : info.fields) {
      EXPECT_GE(field.offset, end) << info.name << '.' << field.name;
      missing += field.offset - end;
      end = field.offset + field.size;
      EXPECT_TRUE(names.insert(field.name).second) << info.name << '.' << field.name;
    }
    EXPECT_LE(end, info.size()) << info.name;
    EXPECT_LE(missing + info.size() - end, 4u) << info.name;
  }
}

TEST(Kfd, EveryRowPrintsEveryFieldByName) {
  std::vector<std::byte> bytes(512);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
  for (const IoctlInfo& info : ioctls()) {
    const auto args = std::span(bytes).first(info.size());
    const std::string text = format_ioctl(info.request, args, args, false);
    EXPECT_THAT(text, ::testing::StartsWith(std::string(info.name)));
    if (info.nr() == 0x26) continue;  // depends on the operation
    for (const FieldInfo& field : info.fields) {
      EXPECT_THAT(text, HasSubstr(std::string(field.name) + "=")) << info.name;
    }
  }
}

TEST(Kfd, AllocPrintsInputsThenOutputs) {
  AllocMemoryOfGpuArgs before{};
  before.va_addr = 0x7f1000000000;
  before.size = 4096;
  before.gpu_id = 50148;
  before.flags = 0xd0000001;  // plain VRAM
  AllocMemoryOfGpuArgs after = before;
  after.handle = 0xc3e400000001;
  after.mmap_offset = 0x1000;
  EXPECT_EQ(
      format_ioctl(kAllocMemoryOfGpu, bytes_of(before), bytes_of(after), false),
      "AMDKFD_IOC_ALLOC_MEMORY_OF_GPU, {va_addr=0x7f1000000000, size=4096, mmap_offset=0x0, gpu_id=50148, "
      "flags=KFD_IOC_ALLOC_MEM_FLAGS_VRAM|KFD_IOC_ALLOC_MEM_FLAGS_WRITABLE|KFD_IOC_ALLOC_MEM_FLAGS_"
      "EXECUTABLE|"
      "KFD_IOC_ALLOC_MEM_FLAGS_NO_SUBSTITUTE} => {handle=0xc3e400000001, mmap_offset=0x1000}");
  EXPECT_THAT(format_ioctl(kAllocMemoryOfGpu, bytes_of(before), {}, false), ::testing::Not(HasSubstr("=>")));
}

TEST(Kfd, AllocationFlagsAreThePublishedOnes) {
  EXPECT_EQ(kAllocVram | kAllocWritable | kAllocExecutable | kAllocNoSubstitute, 0xd0000001u);
  EXPECT_EQ(
      kAllocGtt | kAllocWritable | kAllocExecutable | kAllocNoSubstitute | kAllocCoherent | kAllocUncached,
      0xd6000002u);
  EXPECT_EQ(kAllocUserptr | kAllocPublic | kAllocWritable | kAllocExecutable | kAllocNoSubstitute,
            0xf0000004u);
}

TEST(Kfd, CreateQueueOfBothSizes) {
  CreateQueueArgs args{};
  args.queue_type = kQueueTypeCompute;
  args.ring_size = 0x1000000;
  args.queue_percentage = 100;
  args.queue_priority = 7;
  args.ctl_stack_size = 0xa000;
  const std::string full = format_ioctl(kCreateQueue, bytes_of(args), {}, false);
  EXPECT_THAT(full,
              HasSubstr("queue_type=KFD_IOC_QUEUE_TYPE_COMPUTE, queue_percentage=100, queue_priority=7"));
  EXPECT_THAT(full, HasSubstr("sdma_engine_id=0"));
  const std::string old = format_ioctl(0xc0584b02, bytes_of(args).first(kCreateQueueOldSize), {}, false);
  EXPECT_THAT(old, HasSubstr("ctl_stack_size=0xa000"));
  EXPECT_THAT(old, ::testing::Not(HasSubstr("sdma_engine_id")));
  CreateQueueArgs after = args;
  after.queue_id = 3;
  after.doorbell_offset = 0xc000000000000000;
  EXPECT_THAT(format_ioctl(kCreateQueue, bytes_of(args), bytes_of(after), false),
              HasSubstr(" => {doorbell_offset=0xc000000000000000, queue_id=3}"));
}

TEST(Kfd, EventsPrintTheirTypesAndResults) {
  CreateEventArgs create{};
  create.event_type = kEventMemory;
  EXPECT_THAT(format_ioctl(kCreateEvent, bytes_of(create), {}, false),
              HasSubstr("event_type=KFD_IOC_EVENT_MEMORY"));
  EventData events[2] = {};
  events[0].event_id = 5;
  events[1].event_id = 9;
  WaitEventsArgs wait{};
  wait.events_ptr = reinterpret_cast<std::uintptr_t>(events);
  wait.num_events = 2;
  wait.timeout = 1000;
  WaitEventsArgs done = wait;
  done.wait_result = kWaitTimeout;
  const std::string text = format_ioctl(kWaitEvents, bytes_of(wait), bytes_of(done), true);
  EXPECT_EQ(text,
            "AMDKFD_IOC_WAIT_EVENTS, {events_ptr=[{event_id=5}, {event_id=9}], num_events=2, wait_for_all=0, "
            "timeout=1000} => {wait_result=KFD_IOC_WAIT_RESULT_TIMEOUT}");
}

TEST(Kfd, MapFollowsDeviceIdsOnRequest) {
  const std::uint32_t ids[] = {50148, 50149};
  MapMemoryToGpuArgs args{};
  args.handle = 0x1;
  args.device_ids_array_ptr = reinterpret_cast<std::uintptr_t>(ids);
  args.n_devices = 2;
  EXPECT_EQ(format_ioctl(kMapMemoryToGpu, bytes_of(args), {}, true),
            "AMDKFD_IOC_MAP_MEMORY_TO_GPU, {handle=0x1, device_ids_array_ptr=[50148, 50149], n_devices=2, "
            "n_success=0}");
  EXPECT_THAT(format_ioctl(kMapMemoryToGpu, bytes_of(args), {}, false), HasSubstr("device_ids_array_ptr=0x"));
}

TEST(Kfd, SvmPrintsItsAttributes) {
  std::vector<std::byte> bytes(sizeof(SvmArgs) + 2 * sizeof(SvmAttribute));
  SvmArgs args{};
  args.start_addr = 0x1000;
  args.size = 4096;
  args.nattr = 2;
  const SvmAttribute attributes[] = {{0, 50148}, {7, 9}};
  std::memcpy(bytes.data(), &args, sizeof(args));
  std::memcpy(bytes.data() + sizeof(args), attributes, sizeof(attributes));
  EXPECT_EQ(
      format_ioctl(0xc0284b20, bytes, bytes, false),
      "AMDKFD_IOC_SVM, {start_addr=0x1000, size=4096, op=KFD_IOCTL_SVM_OP_SET_ATTR, nattr=2, "
      "attrs=[{type=KFD_IOCTL_SVM_ATTR_PREFERRED_LOC, value=0xc3e4}, {type=KFD_IOCTL_SVM_ATTR_GRANULARITY, "
      "value=0x9}]}");
  const auto cut = std::span(bytes).first(sizeof(SvmArgs) + sizeof(SvmAttribute));
  EXPECT_THAT(format_ioctl(0xc0204b20, cut, {}, false), HasSubstr("value=0xc3e4}, ...]"));
}

TEST(Kfd, DebuggerOperationsPrintTheirOwnFields) {
  DbgTrapArgs args{};
  args.pid = 77;
  args.op = 0;
  args.data[0] = 0x3f;
  EXPECT_EQ(format_ioctl(kDbgTrap, bytes_of(args), {}, false),
            "AMDKFD_IOC_DBG_TRAP, {pid=77, op=KFD_IOC_DBG_TRAP_ENABLE, exception_mask=0x3f, rinfo_ptr=0x0, "
            "rinfo_size=0, dbg_fd=0}");
  args.op = 9;
  EXPECT_THAT(format_ioctl(kDbgTrap, bytes_of(args), {}, false), HasSubstr("gpu_id=63, id=0"));
  EXPECT_TRUE(dbg_trap_fields(1).empty());
  EXPECT_TRUE(dbg_trap_fields(99).empty());
}

TEST(Kfd, UnknownRequestsPrintAsWords) {
  const std::uint32_t words[] = {1, 0x80};
  EXPECT_EQ(format_ioctl(0xc0084b7f, std::as_bytes(std::span(words)), {}, false),
            "0xc0084b7f, {words=[0x1, 0x80]}");
  EXPECT_EQ(format_ioctl(0x4b27, {}, {}, false), "AMDKFD_IOC_CREATE_PROCESS");
}

TEST(Kfd, StructsPrint) {
  GetVersionArgs version{};
  version.major_version = 1;
  version.minor_version = 17;
  EXPECT_EQ(fmt::format("{}", version), "{major_version=1, minor_version=17}");
  SetXnackModeArgs xnack{};
  xnack.xnack_enabled = -1;
  EXPECT_EQ(fmt::format("{}", xnack), "{xnack_enabled=-1}");
  ProcessDeviceApertures apertures{};
  apertures.gpuvm_limit = 0x7fffffffffff;
  EXPECT_THAT(fmt::format("{}", apertures), HasSubstr("gpuvm_limit=0x7fffffffffff, gpu_id=0"));
}

}  // namespace mockgpu::isa::amd::kfd::kfd_tests
