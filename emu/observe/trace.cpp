#include "emu/observe/trace.h"

#include <fmt/format.h>

#include <iterator>

#include "isa/amd/commands/pm4.h"
#include "isa/amd/commands/sdma.h"

namespace mockgpu::emu {
namespace {

/// Joins words with blanks, equal neighbours as `word xN`.
class Words {
 public:
  explicit Words(std::string& out) : out_(out) {}
  ~Words() { flush(); }
  void add(std::string word) {
    if (count_ && word == last_) {
      ++count_;
      return;
    }
    flush();
    last_ = std::move(word);
    count_ = 1;
  }

 private:
  void flush() {
    if (count_ == 0) return;
    if (!first_) out_ += ' ';
    first_ = false;
    out_ += last_;
    if (count_ > 1) out_ += fmt::format(" x{}", count_);
    count_ = 0;
  }

  std::string& out_;
  std::string last_;
  unsigned count_ = 0;
  bool first_ = true;
};

std::string_view space_name(MemoryAccess::Space space) {
  switch (space) {
    case MemoryAccess::Space::lds: return "lds";
    case MemoryAccess::Space::scratch: return "scratch";
    default: return "global";
  }
}

void add_register(const WrittenRegister& written, std::string& line) {
  line += fmt::format(" {}=", written.name);
  if (written.lanes == 0 && written.values.size() == 1) {
    line += fmt::format("{:#x}", written.values[0]);
    return;
  }
  line += '[';
  {
    Words words(line);
    for (std::size_t lane = 0; lane < written.values.size(); ++lane)
      words.add(written.lanes >> lane & 1 ? fmt::format("{:#x}", written.values[lane]) : std::string("-"));
  }
  line += ']';
}

/// One number for up to 8 bytes; wider data as dwords, low first.
std::string data_text(const MemoryAccess& access) {
  if (access.bytes <= 4) return fmt::format("{:#x}", access.data[0]);
  if (access.bytes == 8) return fmt::format("{:#x}", access.data[0] | std::uint64_t{access.data[1]} << 32);
  std::string text;
  for (unsigned d = 0; d < access.bytes / 4u; ++d)
    text += fmt::format("{}{:#x}", d ? ":" : "", access.data[d]);
  return text;
}

/// Accesses [begin, end) of one run.
void add_run(std::span<const MemoryAccess> run, std::string& line) {
  const MemoryAccess& first = run.front();
  if (first.outside) {
    line += fmt::format(" {}[{:#x}] outside: lane", space_name(first.space), first.address);
    if (run.size() == 1) {
      line += fmt::format(" {}", first.lane);
    } else {
      line += fmt::format("s {}-{}", first.lane, run.back().lane);
    }
    return;
  }
  line += fmt::format(" {}[{:#x}]=[", space_name(first.space), first.address);
  {
    Words words(line);
    for (const MemoryAccess& access : run) words.add(data_text(access));
  }
  line += ']';
}

/// Whether `next` goes on where `last` ends. Lanes' scratch is apart, so there only the lane goes on.
bool continues(const MemoryAccess& last, const MemoryAccess& next) {
  if (next.space != last.space || next.outside != last.outside || next.kind != last.kind) return false;
  if (next.outside) return next.lane == last.lane + 1;
  if (next.space == MemoryAccess::Space::scratch)
    return next.address == last.address && next.lane == last.lane + 1;
  return next.address == last.address + last.bytes;
}

}  // namespace

void Trace::executed(const ExecutedEvent& event) {
  const WaveId& id = event.wave;
  if (options_.wave && id.wave != *options_.wave) return;
  if (options_.group && *options_.group != std::array{id.group_x, id.group_y, id.group_z}) return;
  has_instructions_.store(true, std::memory_order_relaxed);
  line_.clear();
  line_ += fmt::format("{} ({},{},{}) {} ", event.dispatch, id.group_x, id.group_y, id.group_z, id.wave);
  line_ += event.place.empty() ? fmt::format("{:#x}", event.pc) : std::string(event.place);
  line_ += fmt::format(" {} |", event.text);
  for (const WrittenRegister& written : event.registers) add_register(written, line_);
  const auto shown = [](const MemoryAccess& access) {
    return access.kind != MemoryAccess::Kind::load || access.outside;
  };
  for (std::size_t i = 0; i < event.accesses.size();) {
    if (!shown(event.accesses[i])) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < event.accesses.size() && continues(event.accesses[end - 1], event.accesses[end])) ++end;
    add_run(event.accesses.subspan(i, end - i), line_);
    i = end;
  }
  if (event.faulted) line_ += " fault";
  if (line_.back() == '|') line_.resize(line_.size() - 2);  // it wrote nothing
  sink_(line_);
}

void Trace::packet(const PacketEvent& event) {
  if (!options_.packets) return;
  sink_(fmt::format(
      "queue {} {}{} {:#x} {}", event.queue_id, event.sdma ? "SDMA" : "PM4",
      event.indirect ? " indirect" : "", event.position,
      event.sdma ? isa::amd::sdma::format_packet(event.words) : isa::amd::pm4::format_packet(event.words)));
}

void Trace::fault(const Error& error) {
  sink_(fmt::format("fault error[{}]: {}", tag_name(error.tag()), error.message()));
}

}  // namespace mockgpu::emu
