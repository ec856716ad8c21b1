#pragma once
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <vector>

#include "emu/amd/wave/gang.h"
#include "emu/amd/wave/launch.h"

namespace mockgpu::emu::amd {

class LaunchRun;

/// Whole workgroups that are resident together and the gangs that run them: several small groups in one gang,
/// or one group in several. A batch runs on one thread at a time.
struct Batch {
  struct Group {
    Dim3 id{0, 0, 0};
    Dim3 dims{0, 0, 0};  ///< work-items
    std::uint32_t items = 0;
    std::uint64_t linear = 0;   ///< number in launch order
    std::uint32_t live = 0;     ///< slots that have not ended
    std::uint32_t waiting = 0;  ///< slots at the barrier
  };
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };

  LaunchRun* run = nullptr;
  std::vector<Group> groups;
  std::vector<std::unique_ptr<Gang, Free>> gangs;
  std::vector<std::byte> lds;        ///< of all its groups, one behind the other
  std::uint32_t vgpr_rows = 0;       ///< capacity of each gang
  std::uint32_t scratch_slot = 0;    ///< first scratch wave slot
  std::uint64_t map_generation = 0;  ///< of the address space when its cached ranges were filled
  std::uint64_t map_user = 0;        ///< run() call that prepared it last
  unsigned first_gang = 0;           ///< the one whose turn is next
  bool stuck = false;                ///< no slot could run when it was looked at last

  std::uint32_t live_groups() const {
    std::uint32_t n = 0;
    for (const Group& group : groups) n += group.live != 0;
    return n;
  }

  /// Makes `count` gangs with at least `rows` vector registers, keeping what is large enough.
  void reserve(unsigned count, std::uint32_t rows);
};

}  // namespace mockgpu::emu::amd
