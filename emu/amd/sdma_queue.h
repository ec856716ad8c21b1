#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "emu/amd/queue.h"

namespace mockgpu::emu::amd {

/// An SDMA copy queue (facts: amd_commands, chapter 3). Packets run in order; a long copy takes several
/// turns.
class SdmaQueue final : public Queue {
 public:
  SdmaQueue(const QueueSetup& setup, AddressSpace& memory, Scheduler& scheduler, QueueHost& host);

  Step turn(const TurnBudget& budget) override;

 private:
  enum class Result : std::uint8_t {
    done,
    jumped,       ///< done, and the position was changed
    more,         ///< did a part; go on in the next turn
    wait_memory,  ///< look again later
    none,         ///< no whole packet is there
    failed,       ///< the queue is dead
  };
  using Handler = Result (SdmaQueue::*)(const std::uint32_t* packet, std::uint32_t words);
  struct Row {
    Handler handler = nullptr;
  };
  static const std::array<Row, 256> kRows;

  /// An indirect buffer that runs. Its words are copied when it starts; SDMA prefetches them, too.
  struct Buffer {
    std::uint64_t address = 0;
    std::vector<std::uint32_t> words;
    std::uint32_t position = 0;
    bool active = false;
  };

  Result run_packet();
  void skip(std::uint32_t words);
  /// Stops the queue with a message: a format string and what it names.
  template <typename... Args>
  Result bad(Tag tag, fmt::format_string<Args...> format, const Args&... args) {
    fail_formatted(tag, format, fmt::make_format_args(args...));
    return Result::failed;
  }
  /// A packet or sub-operation without a handler.
  Result refuse(const std::uint32_t* packet);
  std::string where() const override;
  std::vector<std::uint32_t> packet_words() const override;
  std::string packet_text(std::span<const std::uint32_t> words) const override;

  // One function per packet; `words` counts the header, too.
  Result nop(const std::uint32_t*, std::uint32_t) { return Result::done; }
  Result copy(const std::uint32_t* packet, std::uint32_t words);
  Result copy_linear(const std::uint32_t* packet, std::uint32_t words);
  Result copy_sub_window(const std::uint32_t* packet);
  Result write(const std::uint32_t* packet, std::uint32_t words);
  Result const_fill(const std::uint32_t* packet, std::uint32_t words);
  Result fence(const std::uint32_t* packet, std::uint32_t words);
  Result trap(const std::uint32_t* packet, std::uint32_t words);
  Result poll_regmem(const std::uint32_t* packet, std::uint32_t words);
  Result poll_register(const std::uint32_t* packet);
  Result atomic(const std::uint32_t* packet, std::uint32_t words);
  Result timestamp(const std::uint32_t* packet, std::uint32_t words);
  Result indirect(const std::uint32_t* packet, std::uint32_t words);
  Result cond_exe(const std::uint32_t* packet, std::uint32_t words);
  Result srbm_write(const std::uint32_t* packet, std::uint32_t words);
  Result gcr_req(const std::uint32_t* packet, std::uint32_t words);

  std::uint64_t read_ = 0;      ///< words consumed from the ring, monotonic
  std::uint64_t limit_ = 0;     ///< doorbell value of this turn, in words
  std::uint64_t progress_ = 0;  ///< bytes or rows that the current packet has done
  std::uint32_t hdp_flush_ = 0;
  Buffer buffer_;
};

}  // namespace mockgpu::emu::amd
