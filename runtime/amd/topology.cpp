#include "runtime/amd/topology.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace mockgpu::runtime::amd {
namespace {

constexpr std::string_view kNodes = "/sys/devices/virtual/kfd/kfd/topology/nodes";
// Heap types of mem_banks: 1 = VRAM that the host sees (large BAR), 2 = VRAM that it does not see.
constexpr std::uint64_t kHeapVisible = 1, kHeapPrivate = 2;

std::optional<std::uint64_t> parse_number(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end == text.data()) return std::nullopt;
  return value;
}

// Lines of `key value`; other lines are ignored, as the vendor's library does.
std::map<std::string, std::uint64_t, std::less<>> parse_properties(std::string_view text) {
  std::map<std::string, std::uint64_t, std::less<>> properties;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const std::size_t space = line.find(' ');
    if (space == std::string_view::npos) continue;
    if (const auto value = parse_number(line.substr(space)))
      properties[std::string(line.substr(0, space))] = *value;
  }
  return properties;
}

std::uint64_t read_vram_bytes(FileIo& io, const std::string& folder) {
  std::uint64_t bytes = 0;
  const auto banks = io.list(folder + "/mem_banks");
  if (!banks) return 0;
  for (const std::string& bank : *banks) {
    const auto text = io.read_text(folder + "/mem_banks/" + bank + "/properties");
    if (!text) continue;
    const auto properties = parse_properties(*text);
    const auto heap = properties.find("heap_type");
    const auto size = properties.find("size_in_bytes");
    if (heap == properties.end() || size == properties.end()) continue;
    if (heap->second == kHeapVisible || heap->second == kHeapPrivate) bytes += size->second;
  }
  return bytes;
}

std::string trim(std::string text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

}  // namespace

std::uint64_t Node::property(std::string_view key) const {
  const auto found = properties.find(key);
  return found == properties.end() ? 0 : found->second;
}

std::string Node::target() const {
  const std::uint64_t version = property("gfx_target_version");
  return fmt::format("gfx{}{:x}{:x}", version / 10000, version / 100 % 100, version % 100);
}

std::uint32_t Node::compute_units() const {
  const std::uint64_t per_cu = std::max<std::uint64_t>(property("simd_per_cu"), 1);
  return static_cast<std::uint32_t>(property("simd_count") / per_cu);
}

std::uint32_t Node::xccs() const {
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(property("num_xcc"), 1));
}

std::uint32_t Node::shader_engines() const {
  const std::uint64_t per_engine = std::max<std::uint64_t>(property("simd_arrays_per_engine"), 1);
  return static_cast<std::uint32_t>(std::max<std::uint64_t>(property("array_count") / per_engine, 1));
}

std::string Node::render_node() const {
  return fmt::format("/dev/dri/renderD{}", property("drm_render_minor"));
}

std::vector<Node> read_topology(FileIo& io) {
  std::vector<Node> nodes;
  const auto names = io.list(std::string(kNodes));
  if (!names) return nodes;
  for (const std::string& name : *names) {
    const auto number = parse_number(name);
    if (!number) continue;
    const std::string folder = fmt::format("{}/{}", kNodes, name);
    const auto id = io.read_text(folder + "/gpu_id");
    const auto gpu_id = id ? parse_number(*id) : std::nullopt;
    if (!gpu_id || *gpu_id == 0) continue;
    const auto properties = io.read_text(folder + "/properties");
    if (!properties) continue;
    Node node;
    node.number = static_cast<unsigned>(*number);
    node.gpu_id = static_cast<std::uint32_t>(*gpu_id);
    node.name = trim(io.read_text(folder + "/name").value_or(""));
    node.properties = parse_properties(*properties);
    node.vram_bytes = read_vram_bytes(io, folder);
    nodes.push_back(std::move(node));
  }
  std::sort(nodes.begin(), nodes.end(), [](const Node& a, const Node& b) { return a.number < b.number; });
  return nodes;
}

DeviceInfo describe_node(const Node& node, unsigned index) {
  DeviceInfo info;
  info.index = index;
  info.vendor = "AMD";
  info.target = node.target();
  // Newer drivers learn what a chip consists of from the chip itself and have no name for it.
  const bool named = !node.name.empty() && node.name != "ip discovery" && node.name != "IP DISCOVERY";
  info.name = named ? node.name : info.target;
  info.vram_bytes = node.vram_bytes;
  info.compute_units = node.compute_units();
  info.wave_size = static_cast<std::uint32_t>(node.property("wave_front_size"));
  info.group_bytes = static_cast<std::uint32_t>(node.property("lds_size_in_kb") * 1024);
  info.clock_mhz = static_cast<std::uint32_t>(node.property("max_engine_clk_fcompute"));
  const std::uint64_t location = node.property("location_id");  // bus << 8 | device << 3 | function
  info.location = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", node.property("domain"), location >> 8 & 0xff,
                              location >> 3 & 0x1f, location & 7);
  info.node = node.render_node();
  return info;
}

}  // namespace mockgpu::runtime::amd
