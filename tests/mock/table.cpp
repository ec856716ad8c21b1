// Every ioctl number and every packet opcode, sent for real: what works, what is refused and how, and that
// nothing unknown succeeds. Prints the table.
#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <set>

#include "isa/amd/commands/pm4.h"
#include "isa/amd/commands/sdma.h"
#include "tests/mock/client.h"
#include "tests/mock/queue_fixture.h"

namespace mockgpu::test::table_tests {

using Words = std::vector<std::uint32_t>;

void print_row(const char* kind, std::uint32_t number, const std::string& name, const std::string& answer) {
  std::printf("%-6s 0x%02x  %-40s %s\n", kind, number, name.c_str(), answer.c_str());
}

/// A first line of a report.
std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// A descriptor of memory of the client.
std::uint32_t export_memory(Client& client) {
  kfd::ExportDmabufArgs args{client.allocate(0x1000, kVram).handle, 0, ~0u};
  EXPECT_EQ(client.call(kfd::kExportDmabuf, args), 0);
  return args.dmabuf_fd;
}

/// A good request of each kind that the driver grants; 0 or the errno.
const std::map<std::string, std::function<int(Client&)>>& good_requests() {
  static const std::map<std::string, std::function<int(Client&)>> requests = {
      {"GET_VERSION",
       [](Client& c) {
         kfd::GetVersionArgs a{};
         return c.call(kfd::kGetVersion, a);
       }},
      {"CREATE_QUEUE",
       [](Client& c) {
         UserQueue queue;
         kfd::CreateQueueArgs a = c.queue_args(queue, false);
         return c.call(kfd::kCreateQueue, a);
       }},
      {"DESTROY_QUEUE",
       [](Client& c) {
         kfd::DestroyQueueArgs a{c.create_queue(true).id, 0};
         return c.call(kfd::kDestroyQueue, a);
       }},
      {"SET_MEMORY_POLICY",
       [](Client& c) {
         kfd::SetMemoryPolicyArgs a{0, 0, c.gpu_id, 1, 0, 0};
         return c.call(kfd::kSetMemoryPolicy, a);
       }},
      {"GET_CLOCK_COUNTERS",
       [](Client& c) {
         kfd::GetClockCountersArgs a{};
         return c.call(kfd::kGetClockCounters, a);
       }},
      {"GET_PROCESS_APERTURES",
       [](Client& c) {
         kfd::GetProcessAperturesArgs a{};
         return c.call(kfd::kGetProcessApertures, a);
       }},
      {"UPDATE_QUEUE",
       [](Client& c) {
         const UserQueue queue = c.create_queue(true);
         kfd::UpdateQueueArgs a{queue.ring.va, queue.id, 0x10000, 50, 7};
         return c.call(kfd::kUpdateQueue, a);
       }},
      {"CREATE_EVENT",
       [](Client& c) {
         kfd::CreateEventArgs a{};
         return c.call(kfd::kCreateEvent, a);
       }},
      {"DESTROY_EVENT",
       [](Client& c) {
         kfd::DestroyEventArgs a{c.create_event(kfd::kEventSignal, true), 0};
         return c.call(kfd::kDestroyEvent, a);
       }},
      {"SET_EVENT",
       [](Client& c) {
         kfd::SetEventArgs a{c.create_event(kfd::kEventSignal, true), 0};
         return c.call(kfd::kSetEvent, a);
       }},
      {"RESET_EVENT",
       [](Client& c) {
         kfd::ResetEventArgs a{c.create_event(kfd::kEventSignal, true), 0};
         return c.call(kfd::kResetEvent, a);
       }},
      {"WAIT_EVENTS", [](Client& c) { return c.wait({c.create_event(kfd::kEventSignal, true)}, 0).error; }},
      {"SET_SCRATCH_BACKING_VA",
       [](Client& c) {
         kfd::SetScratchBackingVaArgs a{0x10, c.gpu_id, 0};
         return c.call(kfd::kSetScratchBackingVa, a);
       }},
      {"GET_TILE_CONFIG",
       [](Client& c) {
         kfd::GetTileConfigArgs a{};
         a.gpu_id = c.gpu_id;
         return c.call(kfd::kGetTileConfig, a);
       }},
      {"SET_TRAP_HANDLER",
       [](Client& c) {
         kfd::SetTrapHandlerArgs a{0, 0, c.gpu_id, 0};
         return c.call(kfd::kSetTrapHandler, a);
       }},
      {"GET_PROCESS_APERTURES_NEW",
       [](Client& c) {
         kfd::GetProcessAperturesNewArgs a{};
         return c.call(kfd::kGetProcessAperturesNew, a);
       }},
      {"ACQUIRE_VM", [](Client& c) { return c.acquire(); }},
      {"ALLOC_MEMORY_OF_GPU",
       [](Client& c) {
         kfd::AllocMemoryOfGpuArgs a{0x1000000, 0x1000, 0, 0, c.gpu_id, kVram};
         return c.call(kfd::kAllocMemoryOfGpu, a);
       }},
      {"FREE_MEMORY_OF_GPU",
       [](Client& c) {
         const Memory memory = c.allocate(0x1000, kVram);
         return c.unmap(memory) != 0 ? -1 : c.free(memory);
       }},
      {"MAP_MEMORY_TO_GPU", [](Client& c) { return c.map(c.allocate(0x1000, kVram)); }},
      {"UNMAP_MEMORY_FROM_GPU", [](Client& c) { return c.unmap(c.allocate(0x1000, kVram)); }},
      {"SET_CU_MASK",
       [](Client& c) {
         const std::uint32_t mask = ~0u;
         kfd::SetCuMaskArgs a{c.create_queue(false).id, 32, reinterpret_cast<std::uint64_t>(&mask)};
         return c.call(kfd::kSetCuMask, a);
       }},
      {"GET_QUEUE_WAVE_STATE",
       [](Client& c) {
         const UserQueue queue = c.create_queue(false);
         kfd::UpdateQueueArgs stop{queue.ring.va, queue.id, 0x10000, 0, 7};
         std::uint32_t header[4];
         kfd::GetQueueWaveStateArgs a{reinterpret_cast<std::uint64_t>(header), 0, 0, queue.id, 0};
         return c.call(kfd::kUpdateQueue, stop) != 0 ? -1 : c.call(kfd::kGetQueueWaveState, a);
       }},
      {"GET_DMABUF_INFO",
       [](Client& c) {
         kfd::GetDmabufInfoArgs a{};
         a.dmabuf_fd = export_memory(c);
         const int answer = c.call(kfd::kGetDmabufInfo, a);
         close(static_cast<int>(a.dmabuf_fd));
         return answer;
       }},
      {"IMPORT_DMABUF",
       [](Client& c) {
         kfd::ImportDmabufArgs a{0, 0, c.gpu_id, export_memory(c)};
         const int answer = c.call(kfd::kImportDmabuf, a);
         close(static_cast<int>(a.dmabuf_fd));
         return answer;
       }},
      {"ALLOC_QUEUE_GWS",
       [](Client& c) {
         kfd::AllocQueueGwsArgs a{c.create_queue(false).id, 1, 0, 0};
         return c.call(kfd::kAllocQueueGws, a);
       }},
      {"SMI_EVENTS",
       [](Client& c) {
         kfd::SmiEventsArgs a{c.gpu_id, ~0u};
         const int answer = c.call(kfd::kSmiEvents, a);
         close(static_cast<int>(a.anon_fd));
         return answer;
       }},
      {"SVM",
       [](Client& c) {
         kfd::SvmArgs a{0x1000000, 0x1000, 0, 0};
         return c.call(kfd::kSvm, a);
       }},
      {"SET_XNACK_MODE",
       [](Client& c) {
         kfd::SetXnackModeArgs a{-1};
         return c.call(kfd::kSetXnackMode, a);
       }},
      {"AVAILABLE_MEMORY",
       [](Client& c) {
         kfd::GetAvailableMemoryArgs a{};
         a.gpu_id = c.gpu_id;
         return c.call(kfd::kAvailableMemory, a);
       }},
      {"EXPORT_DMABUF",
       [](Client& c) {
         kfd::ExportDmabufArgs a{c.allocate(0x1000, kVram).handle, 0, ~0u};
         const int answer = c.call(kfd::kExportDmabuf, a);
         close(static_cast<int>(a.dmabuf_fd));
         return answer;
       }},
      {"RUNTIME_ENABLE",
       [](Client& c) {
         kfd::RuntimeEnableArgs a{};
         return c.call(kfd::kRuntimeEnable, a);
       }},
  };
  return requests;
}

TEST(Table, Ioctls) {
  std::map<std::string, int> zero;  // the answers to zero arguments
  std::set<std::string> implemented, lacking;
  for (std::uint32_t number = 0; number < 256; ++number) {
    Client client;
    ASSERT_EQ(client.acquire(), 0);
    const isa::amd::IoctlInfo* info =
        kfd::find_ioctl(isa::amd::IoctlRequest::make(0, kfd::kIoctlType, number, 0));
    const std::uint32_t request =
        info ? info->request
             : isa::amd::IoctlRequest::make(isa::amd::IoctlRequest::kRead | isa::amd::IoctlRequest::kWrite,
                                            kfd::kIoctlType, number, 16);
    std::uint64_t args[64] = {};
    const int error = client.call(request, args);
    if (!info) {
      EXPECT_EQ(error, ENOTTY) << "an unknown number succeeds: " << number;
      EXPECT_TRUE(client.machine.reports().empty());
      continue;
    }
    const std::string name(info->name.substr(std::strlen("AMDKFD_IOC_")));
    zero[name] = error;
    const auto good = good_requests().find(name);
    const int answer = good == good_requests().end() ? error : good->second(client);
    const bool lacks = !client.machine.reports().empty();
    if (answer == 0) implemented.insert(name);
    if (lacks) lacking.insert(name);
    print_row("ioctl", number, name,
              lacks         ? "not implemented: a finding, ENOTTY"
              : answer == 0 ? "implemented"
                            : fmt::format("refused as the driver refuses it: {}", std::strerror(answer)));
  }
  EXPECT_THAT(lacking, testing::IsEmpty());
  EXPECT_EQ(implemented.size(), 31u);
  // With zeroes only those succeed that need nothing else.
  std::set<std::string> without_arguments;
  for (const auto& [name, error] : zero) {
    if (error == 0) without_arguments.insert(name);
  }
  EXPECT_THAT(without_arguments,
              testing::ElementsAre("CREATE_EVENT", "GET_CLOCK_COUNTERS", "GET_PROCESS_APERTURES",
                                   "GET_PROCESS_APERTURES_NEW", "GET_VERSION", "RUNTIME_ENABLE",
                                   "SET_XNACK_MODE", "WAIT_EVENTS"));
  EXPECT_EQ(zero.at("DBG_REGISTER_DEPRECATED"), EPERM);
  EXPECT_EQ(zero.at("SVM"), EPERM);
  EXPECT_EQ(zero.at("CRIU_OP"), EACCES);
  EXPECT_EQ(zero.at("DBG_TRAP"), EINVAL);
  for (const char* name : {"CREATE_PROCESS", "IPC_IMPORT_HANDLE", "IPC_EXPORT_HANDLE", "DBG_TRAP_OLD",
                           "CROSS_MEMORY_COPY", "RLC_SPM", "PC_SAMPLE", "PROFILER"}) {
    EXPECT_EQ(zero.at(name), ENOTTY) << name;
  }
}

/// Sends single packets to fresh queues.
class PacketTables : public QueueTest {
 protected:
  template <typename Queue, typename... Rest>
  std::string send(const Words& words, unsigned unit, Rest&&... rest) {
    host_ = {};
    put_ = 0;
    doorbell_.store(0);
    std::fill(data_.begin(), data_.end(), 0);
    std::fill(pointers_.begin(), pointers_.end(), 0);
    data_[0x40] = 0xc0002300, data_[0x41] = 0x01000000;  // PRED_EXEC of XCC 0
    Queue queue(setup_, memory_, scheduler_, host_, std::forward<Rest>(rest)...);
    put(words, unit);
    for (int i = 0; i < 3; ++i) queue.turn(kTurn);
    return host_.reports.empty() ? "" : first_line(format_error(host_.reports[0]));
  }
  std::string send_pm4(const Words& words) {
    return send<emu::amd::ComputeQueue>(words, 1, engine_, *emu::amd::find_model("gfx1100"));
  }
  std::string send_sdma(const Words& words) { return send<emu::amd::SdmaQueue>(words, 4); }
  bool consumed(std::uint64_t count) const { return read_pointer() == count; }

  emu::amd::Engine engine_{{}};
};

TEST_F(PacketTables, Pm4) {
  namespace pm4 = isa::amd::pm4;
  // A small good packet of each that the queue executes.
  const std::map<std::string, Words> good = {
      {"NOP", {0xc0001000, 0}},
      {"DISPATCH_DIRECT", {0xc0031500, 0, 0, 0, 0}},
      {"DISPATCH_INDIRECT", {0xc0021600, kData, 0, 0}},
      {"ATOMIC_MEM", {0xc0071e00, 0x0f, kData, 0, 1, 0, 0, 0, 0}},
      {"COND_EXEC", {0xc0032200, kData, 0, 0, 0}},
      {"PRED_EXEC", {0xc0023f00, kData + 0x100, 0, 0x800002}},  // only works in an indirect buffer
      {"WRITE_DATA", {0xc0033700, 0x500, kData, 0, 1}},
      {"WAIT_REG_MEM", {0xc0053c00, 0x13, kData, 0, 0, 1, 4}},
      {"INDIRECT_BUFFER", {0xc0023f00, kData, 0, 0x800000}},
      {"COPY_DATA", {0xc0044000, 0x205, 1, 0, kData, 0}},
      {"EVENT_WRITE", {0xc0004600, 0x407}},
      {"RELEASE_MEM", {0xc0064900, 0x514, 0, 0, 0, 0, 0, 0}},
      {"DMA_DATA", {0xc0055000, 0, kData, 0, kData + 64, 0, 4}},
      {"ACQUIRE_MEM", {0xc0065800, 0, 0, 0, 0, 0, 0, 0}},
      {"SET_SH_REG", {0xc0017600, 0x20c, 0}},
      {"SET_UCONFIG_REG", {0xc0017900, 0x200, 0xe0000000}},
      {"SET_UCONFIG_REG_INDEX", {0xc0017a00, 0x200, 0xe0000000}},
      {"WAIT_REG_MEM64", {0xc0079300, 0x13, kData, 0, 0, 0, 1, 0, 4}},
      {"SET_SH_REG_INDEX", {0xc0019b00, 0x30000216, 0}},
  };
  std::set<std::string> executed;
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    const auto code = static_cast<pm4::Opcode>(opcode);
    const std::string name(pm4::opcode_name(static_cast<std::uint8_t>(opcode)));
    const auto found = good.find(name);
    if (found != good.end()) {
      EXPECT_EQ(send_pm4(found->second), "") << name;
      EXPECT_TRUE(consumed(found->second.size())) << name;
      executed.insert(name);
      print_row("pm4", opcode, name, "implemented");
      if (name == "NOP") continue;
      // Too short, and all ones: never accepted in silence.
      EXPECT_NE(send_pm4({pm4::make_header(code, 1), 0xffffffff}), "") << name;
      continue;
    }
    // Zeroes, ones and a longer body: whatever it says, the queue stops with an error that names the packet.
    for (const std::uint32_t body : {1u, 2u, 8u}) {
      for (const std::uint32_t word : {0u, 0xffffffffu, static_cast<std::uint32_t>(kData)}) {
        Words words(body + 1, word);
        words[0] = pm4::make_header(code, body);
        const std::string answer = send_pm4(words);
        EXPECT_NE(answer, "") << "opcode " << opcode << " is accepted in silence";
        EXPECT_TRUE(consumed(0));
        if (body == 1 && word == 0 && !name.empty()) print_row("pm4", opcode, name, answer);
      }
    }
  }
  EXPECT_EQ(executed.size(), good.size());
}

TEST_F(PacketTables, Sdma) {
  namespace sdma = isa::amd::sdma;
  const std::map<std::uint32_t, Words> good = {
      {0x0000, {0}},
      {0x0001, {1, 3, 0, kData, 0, kData + 64, 0}},
      {0x0401, {0x401, kData, 0, 0, 0, 0, kData + 64, 0, 0, 0, 0, 0, 0}},
      {0x0002, {2, kData, 0, 0, 1}},
      {0x0004, {4, kData, 0, 0, 0, 0}},
      {0x0005, {5, kData, 0, 1}},
      {0x0006, {6, 0}},
      {0x0008, {0xb0000008, kData, 0, 0, 1, 0x0fff0004}},
      {0x0009, {9, kData, 0, 0, 0}},
      {0x000a, {0x1e00000a, kData, 0, 1, 0, 0, 0, 0}},
      {0x000b, {0x8000000b, kData, 0, 1, 3}},
      {0x010d, {0x10d, kData, 0}},
      {0x020d, {0x20d, kData, 0}},
      {0x000e, {0xf000000e, 0xe26, 1}},
      {0x0011, {0x11, 0, 0, 0, 0}},
      {0x0111, {0x111, 0, 0, 0, 0}},
      {0x0020, {0x20, 0}},
  };
  const std::set<std::uint32_t> without_sub = {0, 4, 6, 9, 10, 32};  // their header has no sub-operation
  std::size_t executed = 0;
  for (std::uint32_t opcode = 0; opcode < 256; ++opcode) {
    const std::string name(sdma::opcode_name(static_cast<std::uint8_t>(opcode)));
    for (std::uint32_t sub = 0; sub < 40; ++sub) {
      if (sub > 0 && without_sub.count(opcode)) break;
      const auto found = good.find(opcode | sub << 8);
      if (found != good.end()) {
        EXPECT_EQ(send_sdma(found->second), "") << name;
        EXPECT_TRUE(consumed(found->second.size() * 4)) << name;
        ++executed;
        print_row("sdma", opcode, fmt::format("{} sub {}", name, sub), "implemented");
        continue;
      }
      Words words(32, 0);
      words[0] = opcode | sub << 8;
      const std::string answer = send_sdma(words);
      EXPECT_NE(answer, "") << "opcode " << opcode << "." << sub << " is accepted in silence";
      if (!name.empty() && (sub == 0 || sdma::packet_words(words) != 0))
        print_row("sdma", opcode, fmt::format("{} sub {}", name, sub), answer);
    }
  }
  EXPECT_EQ(executed, good.size());
}

}  // namespace mockgpu::test::table_tests
