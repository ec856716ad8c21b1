#include "emu/memory/host_pages.h"

#include <fcntl.h>
#include <unistd.h>

#include <charconv>
#include <string_view>

#include "isa/base/error.h"

namespace mockgpu::emu {
namespace {

std::string read_maps() {
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) throw Error(Tag::io, "cannot read /proc/self/maps, which says what host memory there is");
  std::string text;
  char buffer[16384];
  for (ssize_t got; (got = ::read(file, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  ::close(file);
  return text;
}

/// One line of /proc/self/maps: `begin-end rwxp offset device inode   name`. False if it is none.
bool parse_line(std::string_view line, bool executable, MappedRange& range) {
  const char* const end = line.data() + line.size();
  const auto first = std::from_chars(line.data(), end, range.begin, 16);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != '-') return false;
  const auto last = std::from_chars(first.ptr + 1, end, range.end, 16);
  if (last.ec != std::errc() || end - last.ptr < 5 || *last.ptr != ' ') return false;
  const std::string_view letters(last.ptr + 1, 4);
  range.rights = 0;
  if (letters[0] == 'r') range.rights |= kRead | (executable ? kExecute : 0);
  if (letters[1] == 'w') range.rights |= kWrite;
  range.host = reinterpret_cast<std::byte*>(range.begin);
  std::string_view rest(last.ptr + 5, static_cast<std::size_t>(end - last.ptr) - 5);
  for (int word = 0; word < 3 && !rest.empty(); ++word) {  // offset, device, inode
    const std::size_t blank = rest.find(' ', rest.find_first_not_of(' '));
    rest.remove_prefix(blank == std::string_view::npos ? rest.size() : blank);
  }
  const std::size_t name = rest.find_first_not_of(' ');
  range.name = name == std::string_view::npos ? std::string("host memory") : std::string(rest.substr(name));
  return true;
}

}  // namespace

const HostPages::Ranges* HostPages::look() {
  const std::string text = read_maps();
  auto made = std::make_unique<Ranges>();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t line_end = std::min(text.find('\n', at), text.size());
    MappedRange range;
    if (parse_line(std::string_view(text).substr(at, line_end - at), executable_, range) && range.rights) {
      // Neighbours with the same rights are one range: accesses across them are ordinary.
      if (!made->empty() && made->back().end == range.begin && made->back().rights == range.rights) {
        made->back().end = range.end;
      } else {
        made->push_back(std::move(range));
      }
    }
    at = line_end + 1;
  }
  all_.push_back(std::move(made));
  ranges_.store(all_.back().get(), std::memory_order_release);
  return all_.back().get();
}

const MappedRange* HostPages::find(std::uint64_t address, std::uint8_t rights) {
  const auto usable = [&](const Ranges* ranges) -> const MappedRange* {
    const MappedRange* range = ranges ? find_range(*ranges, address) : nullptr;
    return range && (range->rights & rights) == rights ? range : nullptr;
  };
  if (const MappedRange* range = usable(ranges_.load(std::memory_order_acquire))) return range;
  const std::lock_guard lock(mutex_);
  return find_range(*look(), address);
}

const MappedRange* HostPages::nearest(std::uint64_t address) const {
  const Ranges* ranges = ranges_.load(std::memory_order_acquire);
  const MappedRange* best = nullptr;
  std::uint64_t distance = ~0ull;
  if (!ranges) return best;
  for (const MappedRange& range : *ranges) {
    const std::uint64_t away = address < range.begin  ? range.begin - address
                               : address >= range.end ? address - range.end + 1
                                                      : 0;
    if (away < distance) best = &range, distance = away;
  }
  return best;
}

void HostPages::set_executable(bool executable) {
  if (executable != executable_) forget();
  executable_ = executable;
}

void HostPages::trim() {
  const std::lock_guard lock(mutex_);
  if (all_.size() > 1) all_.erase(all_.begin(), all_.end() - 1);
}

void HostPages::forget() {
  const std::lock_guard lock(mutex_);
  ranges_.store(nullptr, std::memory_order_release);
  all_.clear();
}

}  // namespace mockgpu::emu
