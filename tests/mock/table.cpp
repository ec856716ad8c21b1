// Every ioctl number and every packet opcode, sent for real: what works, what is refused and how, and that
// nothing unknown succeeds. Prints the table.
#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
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

TEST(Table, Ioctls) {
  // Good arguments where the driver needs them: all others are zero.
  Client client;
  ASSERT_EQ(client.acquire(), 0);
  std::map<std::string, int> answers;
  for (std::uint32_t number = 0; number < 256; ++number) {
    const isa::amd::IoctlInfo* info =
        kfd::find_ioctl(isa::amd::IoctlRequest::make(0, kfd::kIoctlType, number, 0));
    const std::uint32_t request =
        info ? info->request
             : isa::amd::IoctlRequest::make(isa::amd::IoctlRequest::kRead | isa::amd::IoctlRequest::kWrite,
                                            kfd::kIoctlType, number, 16);
    std::uint64_t args[64] = {};
    const std::size_t findings = client.machine.reports().size();
    const int error = client.call(request, args);
    const bool lacks = client.machine.reports().size() > findings;
    const std::string name = info ? std::string(info->name) : "";
    if (!info) {
      EXPECT_EQ(error, ENOTTY) << "an unknown number succeeds: " << number;
      EXPECT_FALSE(lacks);
      continue;
    }
    answers[name] = error;
    print_row("ioctl", number, name,
              lacks             ? "not implemented, finding"
              : error == 0      ? "implemented"
              : error == ENOTTY ? "refused: the driver of this version has none"
                                : std::string("zero arguments refused: ") + std::strerror(error));
  }
  // The requests that need no argument beside zeroes. SET_XNACK_MODE with 0 keeps what is.
  std::set<std::string> succeed;
  for (const auto& [name, error] : answers) {
    if (error == 0) succeed.insert(name.substr(std::strlen("AMDKFD_IOC_")));
  }
  EXPECT_THAT(succeed, testing::ElementsAre("CREATE_EVENT", "GET_CLOCK_COUNTERS", "GET_PROCESS_APERTURES",
                                            "GET_PROCESS_APERTURES_NEW", "GET_VERSION", "RUNTIME_ENABLE",
                                            "SET_XNACK_MODE", "WAIT_EVENTS"));
  EXPECT_EQ(answers.at("AMDKFD_IOC_DBG_REGISTER_DEPRECATED"), EPERM);
  EXPECT_EQ(answers.at("AMDKFD_IOC_SVM"), EPERM);
  EXPECT_EQ(answers.at("AMDKFD_IOC_CRIU_OP"), EACCES);
  for (const char* name : {"CREATE_PROCESS", "IPC_IMPORT_HANDLE", "IPC_EXPORT_HANDLE", "DBG_TRAP_OLD",
                           "CROSS_MEMORY_COPY", "RLC_SPM", "PC_SAMPLE", "PROFILER"}) {
    EXPECT_EQ(answers.at(std::string("AMDKFD_IOC_") + name), ENOTTY) << name;
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
  // PRED_EXEC is only for indirect buffers.
  const Words pred{0xc0002300, 0x01000000};
  std::copy(pred.begin(), pred.end(), data_.begin());
  EXPECT_NE(send_pm4(pred), "");
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
