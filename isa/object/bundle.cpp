#include "isa/object/bundle.h"

#include <fmt/core.h>

#include <cstring>

#include "isa/base/error.h"
#include "isa/object/bytes.h"
#include "isa/object/generic_target.h"

namespace mockgpu::isa::object {
namespace {

constexpr std::string_view kMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::uint64_t kMostEntries = 4096;  // no real bundle comes near
constexpr std::uint64_t kMostIdBytes = 1024;

bool starts_with(std::span<const std::byte> bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

/// Splits `hip-amdgcn-amd-amdhsa--gfx90a:xnack-` into `gfx90a` and `xnack-`. Features contain dashes too, so
/// the processor is what follows the last `-gfx`.
void split_id(BundleEntry& entry) {
  const std::size_t at = entry.id.rfind("-gfx");
  if (at == std::string::npos) return;
  const std::string target = entry.id.substr(at + 1);
  const std::size_t colon = target.find(':');
  entry.processor = target.substr(0, colon);
  if (colon != std::string::npos) entry.features = target.substr(colon + 1);
}

std::string list_entries(const std::vector<BundleEntry>& entries) {
  std::string text;
  for (const BundleEntry& entry : entries) {
    if (!text.empty()) text += ", ";
    text += entry.id;
  }
  return text.empty() ? "none" : text;
}

}  // namespace

bool is_bundle(std::span<const std::byte> bytes) {
  return starts_with(bytes, kMagic) || starts_with(bytes, kCompressedMagic);
}

std::vector<BundleEntry> read_bundle(std::span<const std::byte> bytes, std::string_view file) {
  const ByteReader reader(bytes, file);
  if (starts_with(bytes, kCompressedMagic)) {
    throw Error(Tag::unsupported,
                fmt::format("{}: compressed offload bundle (CCOB); bundle without -offload-compress", file));
  }
  if (!starts_with(bytes, kMagic)) reader.fail("not an offload bundle");
  std::uint64_t offset = kMagic.size();
  const auto count = reader.read<std::uint64_t>(offset, "number of bundle entries");
  offset += 8;
  if (count > kMostEntries) reader.fail(fmt::format("bundle claims {} entries", count));
  std::vector<BundleEntry> entries;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string what = fmt::format("bundle entry {}", i);
    const auto data_offset = reader.read<std::uint64_t>(offset, what);
    const auto data_size = reader.read<std::uint64_t>(offset + 8, what);
    const auto id_size = reader.read<std::uint64_t>(offset + 16, what);
    if (id_size > kMostIdBytes) reader.fail(fmt::format("{} has an id of {} bytes", what, id_size));
    const auto id = reader.slice(offset + 24, id_size, what + " id");
    BundleEntry entry;
    entry.id.assign(reinterpret_cast<const char*>(id.data()), id.size());
    entry.bytes =
        reader.slice(data_offset, data_size, fmt::format("code object of bundle entry '{}'", entry.id));
    split_id(entry);
    entries.push_back(std::move(entry));
    offset += 24 + id_size;
  }
  return entries;
}

std::span<const std::byte> select_from_bundle(std::span<const std::byte> bytes, const amd::Target* target,
                                              std::string_view file) {
  const ByteReader reader(bytes, file);
  const std::vector<BundleEntry> entries = read_bundle(bytes, file);
  const BundleEntry* exact = nullptr;
  const BundleEntry* generic = nullptr;
  const BundleEntry* only = nullptr;
  std::size_t devices = 0;
  for (const BundleEntry& entry : entries) {
    if (entry.processor.empty()) continue;
    ++devices;
    only = &entry;
    if (target == nullptr) continue;
    // An entry without feature settings serves every setting, so it is the better of two.
    if (entry.processor == target->name && (!exact || entry.features.empty())) exact = &entry;
    const GenericTarget* family = find_generic_target(entry.processor);
    if (family != nullptr && family->covers(target->name) && !generic) generic = &entry;
  }
  if (target == nullptr) {
    if (devices == 1) return only->bytes;
    reader.fail(fmt::format("the bundle holds {} code objects: choose a target; entries: {}", devices,
                            list_entries(entries)));
  }
  if (exact != nullptr) return exact->bytes;
  if (generic != nullptr) return generic->bytes;
  reader.fail(fmt::format("the bundle holds no code object for {}; entries: {}", target->name,
                          list_entries(entries)));
}

}  // namespace mockgpu::isa::object
