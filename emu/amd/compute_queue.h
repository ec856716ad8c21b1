#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "emu/amd/model.h"
#include "emu/amd/queue.h"
#include "emu/amd/wave/launch.h"
#include "isa/amd/commands/registers.h"

namespace mockgpu::emu::amd {

/// A PM4 compute queue: the processor of its packets (facts: amd_commands, chapter 1), its COMPUTE_*
/// registers and its dispatches in flight. A dispatch only starts waves; later packets run on until one must
/// wait for them.
class ComputeQueue final : public Queue {
 public:
  ComputeQueue(const QueueSetup& setup, AddressSpace& memory, Scheduler& scheduler, QueueHost& host,
               Engine& engine, const Model& model);
  ~ComputeQueue() override;

  Step turn(const TurnBudget& budget) override;

  /// Whether dispatches are in flight. Between turns only.
  bool has_dispatches() const { return !in_flight_.empty(); }
  const isa::amd::ComputeState& registers() const { return registers_; }

 private:
  friend struct PacketTable;

  /// What a packet did.
  enum class Result : std::uint8_t {
    done,         ///< go to the next packet
    jumped,       ///< done, and the position was changed
    wait_memory,  ///< look again later
    wait_waves,   ///< wait for the dispatches in flight
    none,         ///< no whole packet is there
    failed,       ///< the queue is dead
  };
  using Handler = Result (ComputeQueue::*)(const std::uint32_t* body, std::uint32_t words);

  /// A position in a stream of packets: the ring or an indirect buffer.
  struct Buffer {
    std::uint64_t address = 0;
    std::uint32_t words = 0;
    std::uint32_t position = 0;
    /// Null when no single range holds it, or one that can go away: then packets are copied.
    const std::uint32_t* host = nullptr;
    bool active = false;
  };

  /// Where the indirect buffer lies in host memory.
  void find_buffer();
  Result run_packets(std::uint32_t& left);
  Result run_packet(const std::uint32_t* packet, std::uint32_t words);
  void observe_packet(std::span<const std::uint32_t> packet);
  /// The packet at the current position as consecutive words, or null: `result` says why.
  const std::uint32_t* fetch(std::uint32_t& words, Result& result);
  const std::uint32_t* fetch_ring(std::uint32_t& words, Result& result);
  const std::uint32_t* fetch_buffer(std::uint32_t& words, Result& result);
  void skip(std::uint32_t words);
  /// Gives waves to the dispatches in flight; false when one failed. Takes what it used from `left`.
  bool run_waves(const AddressSpace::Pin& pin, std::uint64_t& left);
  bool can_start() const;
  /// Starts the grid that the registers and the packet describe; false when the queue died. `result` is what
  /// the packet did.
  bool start(const std::uint32_t dims[3], std::uint32_t initiator, Result& result);

  /// Stops the queue with a message: a format string and what it names.
  template <typename... Args>
  Result bad(Tag tag, fmt::format_string<Args...> format, const Args&... args) {
    fail_formatted(tag, format, fmt::make_format_args(args...));
    return Result::failed;
  }
  /// A packet without a handler, or too short for it.
  [[gnu::cold]] Result refuse(std::span<const std::uint32_t> packet, bool is_short);
  void fail_dispatch(Error report);
  std::string where() const override;
  std::vector<std::uint32_t> packet_words() const override;
  std::string packet_text(std::span<const std::uint32_t> words) const override;

  // One function per packet. `words` counts the body.
  Result nop(const std::uint32_t*, std::uint32_t) { return Result::done; }
  Result set_sh_reg(const std::uint32_t* body, std::uint32_t words);
  Result set_other_sh_reg(const std::uint32_t* body, std::uint32_t words);
  Result set_sh_reg_index(const std::uint32_t* body, std::uint32_t words);
  Result set_uconfig_reg(const std::uint32_t* body, std::uint32_t words);
  Result dispatch_direct(const std::uint32_t* body, std::uint32_t words);
  Result dispatch_indirect(const std::uint32_t* body, std::uint32_t words);
  Result acquire_mem(const std::uint32_t* body, std::uint32_t words);
  Result release_mem(const std::uint32_t* body, std::uint32_t words);
  Result event_write(const std::uint32_t* body, std::uint32_t words);
  [[gnu::cold]] Result bad_wait(std::string_view name, std::uint32_t control);
  Result wait_reg_mem(const std::uint32_t* body, std::uint32_t words);
  Result wait_reg_mem64(const std::uint32_t* body, std::uint32_t words);
  Result write_data(const std::uint32_t* body, std::uint32_t words);
  Result copy_data(const std::uint32_t* body, std::uint32_t words);
  Result atomic_mem(const std::uint32_t* body, std::uint32_t words);
  Result dma_data(const std::uint32_t* body, std::uint32_t words);
  Result indirect_buffer(const std::uint32_t* body, std::uint32_t words);
  Result cond_exec(const std::uint32_t* body, std::uint32_t words);
  Result pred_exec(const std::uint32_t* body, std::uint32_t words);

  Result dma_words(const std::uint32_t* body);
  /// One dword of a DMA_DATA with registers; false when the queue died.
  bool dma_word(bool is_register, std::uint64_t address, std::uint32_t& value, bool store);

  Result check_enables();
  Result write_register(std::uint32_t address, std::uint32_t value);
  /// The register's value, or nothing (and the queue is dead).
  bool read_register(std::uint32_t address, std::uint32_t& value);

  Engine& engine_;
  const Model& model_;
  const isa::amd::Target* target_;
  isa::amd::ComputeState registers_{};
  std::uint32_t hdp_flush_ = 0;
  std::uint64_t atomic_return_ = 0;  ///< what the last returning ATOMIC_MEM found
  std::uint64_t read_ = 0;           ///< words consumed from the ring, monotonic
  std::uint64_t limit_ = 0;          ///< doorbell value of this turn
  Buffer buffer_;                    ///< the indirect buffer that runs
  std::uint32_t chained_ = 0;        ///< jumps since the ring called a buffer
  std::vector<std::uint32_t> copy_;  ///< a packet that wraps around or lies in several ranges
  std::vector<Engine::ExecutionPtr> in_flight_;
  std::uint8_t opcode_ = 0;  ///< of the packet that runs
};

}  // namespace mockgpu::emu::amd
