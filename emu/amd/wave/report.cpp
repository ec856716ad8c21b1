// What stopped a launch, in the words that people read.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "emu/amd/wave/launch_run.h"
#include "isa/amd/disassemble.h"

namespace mockgpu::emu::amd {
namespace {

/// Waves that a hang report names one by one.
constexpr unsigned kWavesShown = 32;

struct DecodedText {
  std::string mnemonic;
  std::string text;
  std::string bytes;
};

DecodedText decode_text(LaunchRun& run, std::uint64_t pc, bool wave64) {
  DecodedText out;
  std::byte bytes[32];
  const std::uint64_t have = run.map().read(pc, bytes, sizeof bytes);
  isa::amd::Instruction instruction;
  const bool ok =
      have >= 4 && isa::amd::decode(*run.launch().target, std::span(bytes, have), wave64, instruction);
  if (ok) {
    out.text = isa::amd::disassemble(*run.launch().target, instruction, wave64);
    out.mnemonic = out.text.substr(0, out.text.find(' '));
  }
  const std::uint64_t size = std::min<std::uint64_t>(ok ? instruction.size : 8, have);
  for (std::uint64_t i = 0; i < size; ++i) {
    out.bytes += fmt::format("{}{:02x}", i && i % 4 == 0 ? " " : "", std::to_integer<unsigned>(bytes[i]));
  }
  return out;
}

std::string place(LaunchRun& run, std::uint64_t pc) {
  const Symbolizer& symbolize = run.engine().options.symbolize;
  const std::string name = symbolize ? symbolize(pc) : std::string();
  return name.empty() ? fmt::format("{:#x}", pc) : name;
}

std::string lane_list(std::uint32_t lanes, unsigned first) {
  std::string out;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    if (!(lanes >> lane & 1)) continue;
    unsigned last = lane;
    while (last + 1 < kLanes && (lanes >> (last + 1) & 1)) ++last;
    out += fmt::format("{}{}", out.empty() ? "" : ",", lane + first);
    if (last != lane) out += fmt::format("-{}", last + first);
    lane = last;
  }
  return out;
}

std::string who(const Gang& gang, LaunchRun& run, unsigned slot) {
  const Dim3& id = gang.batch->groups[gang.group_of[slot]].id;
  std::string out = run.launch().dispatch_number ? fmt::format("dispatch {}, ", run.launch().dispatch_number)
                                                 : std::string();
  return out + fmt::format("workgroup ({},{},{}), wave {}", id.x, id.y, id.z, gang.wave_of[slot]);
}

const char* waiting_for(SlotState state) {
  switch (state) {
    case SlotState::ready: return "runs";
    case SlotState::barrier: return "waits at a barrier";
    case SlotState::halted: return "is halted";
    default: return "has ended";
  }
}

}  // namespace

Error describe_fault(const Gang& gang, LaunchRun& run, Outcome& outcome) {
  const Fault& fault = gang.fault;
  const DecodedText code = decode_text(run, fault.pc, gang.wave64);
  const std::string_view target = run.launch().target->name;
  const bool second_half = gang.wave64 && (fault.slot & 1);
  std::string by = who(gang, run, fault.slot);
  if (fault.lanes) {
    by += fmt::format(", lane{} {}", fault.lanes & (fault.lanes - 1) ? "s" : "",
                      lane_list(fault.lanes, second_half ? kLanes : 0));
  }
  const auto error = [&](Tag tag, std::string message) {
    Error made(tag, std::move(message));
    made.add("at", fmt::format("{}  {}", place(run, fault.pc), code.text.empty() ? code.bytes : code.text));
    made.add("pc", fmt::format("{:#x}", fault.pc));
    made.add("by", by);
    return made;
  };
  switch (fault.kind) {
    case FaultKind::memory: {
      outcome.fault_address = fault.address;
      outcome.fault_write = fault.write;
      if (fault.text) {
        return error(Tag::memory_fault,
                     fmt::format("{} {} memory at {:#x}, {}", code.mnemonic, fault.write ? "writes" : "reads",
                                 fault.address, fault.text));
      }
      const MappedRange* range = run.map().find(fault.address);
      Error made = error(Tag::memory_fault,
                         fmt::format("{} {} {} bytes at {:#x}, which is {}", code.mnemonic,
                                     fault.write ? "writes" : "reads", fault.bytes, fault.address,
                                     !range                                           ? "not mapped"
                                     : range->rights & (fault.write ? kWrite : kRead) ? "only partly mapped"
                                     : fault.write                                    ? "mapped read-only"
                                                   : "mapped without read access"));
      if (gang.scratch_wave_bytes == 0 && code.mnemonic.starts_with("scratch_"))
        made.add("why",
                 "the kernel has no scratch memory: its descriptor does not enable the private segment");
      made.add("near", run.map().describe(fault.address));
      return made;
    }
    case FaultKind::misaligned_atomic: {
      outcome.fault_address = fault.address;
      outcome.fault_write = true;
      return error(Tag::memory_fault,
                   fmt::format("{} of {} bytes at {:#x}, which is not aligned: atomics must be",
                               code.mnemonic, fault.bytes, fault.address));
    }
    case FaultKind::fetch: {
      outcome.fault_address = fault.pc;
      Error made(Tag::memory_fault,
                 fmt::format("instruction fetch at {:#x}, which is not mapped as code", fault.pc));
      made.add("at", place(run, fault.pc)).add("by", by).add("near", run.map().describe(fault.pc));
      return made;
    }
    case FaultKind::undecodable:
      return error(Tag::undecodable,
                   fmt::format("bytes {} at {:#x} are no instruction of {}", code.bytes, fault.pc, target));
    case FaultKind::no_semantics:
      return error(Tag::unsupported, fmt::format("{} has no semantics for {} here: bytes {}", code.mnemonic,
                                                 target, code.bytes));
    case FaultKind::trap:
      return error(Tag::trap, fmt::format("{}: the kernel trapped, and no trap handler is set", code.text));
    default:
      return error(Tag::unsupported,
                   fmt::format("{}: {}", code.mnemonic, fault.text ? fault.text : "not supported"));
  }
}

Error describe_hang(LaunchRun& run, const std::deque<std::unique_ptr<Batch>>& resident,
                    std::uint64_t instructions) {
  unsigned waves = 0, ready = 0;
  std::vector<Fact> facts;
  for (const auto& batch : resident) {
    for (const auto& gang : batch->gangs) {
      for (unsigned s = 0; s < gang->slots; s += 1 + gang->wave64) {
        if (gang->state[s] == SlotState::ended || gang->state[s] == SlotState::free) continue;
        ready += gang->state[s] == SlotState::ready;
        if (waves++ >= kWavesShown) continue;
        facts.push_back({"by", who(*gang, run, s)});
        facts.push_back({"at", fmt::format("{}  {}  ({})", place(run, gang->pc[s]),
                                           decode_text(run, gang->pc[s], gang->wave64).text,
                                           waiting_for(gang->state[s]))});
      }
    }
  }
  if (waves > kWavesShown) facts.push_back({"and", fmt::format("{} more waves", waves - kWavesShown)});
  const std::string why = ready ? fmt::format("no workgroup finished in {} wave-instructions", instructions)
                                : std::string("every resident wave waits or is halted");
  return Error(Tag::hang, fmt::format("the kernel hangs: {}; {} waves are resident", why, waves),
               std::move(facts));
}

}  // namespace mockgpu::emu::amd
