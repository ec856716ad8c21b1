#include "tests/fuzz/targets.h"

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mockgpu::fuzz {
namespace {

using Bytes = std::vector<std::byte>;

Bytes read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> text{std::istreambuf_iterator<char>(file), {}};
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

template <typename Word>
Bytes bytes_of(std::initializer_list<Word> words) {
  Bytes bytes(words.size() * sizeof(Word));
  std::memcpy(bytes.data(), std::data(words), bytes.size());
  return bytes;
}

Bytes bytes_of(std::string_view text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

const std::string kData = MOCKGPU_TEST_DATA;
const char* const kObjects[] = {"vecadd", "atomics", "reduce", "vecadd_v4", "vecadd_v6", "unmapped"};

std::vector<Bytes> code_objects() {
  std::vector<Bytes> seeds;
  for (const char* name : kObjects) seeds.push_back(read_file(kData + "/kernels/gfx1100/" + name + ".co"));
  return seeds;
}

/// Machine code: the last 1,000 bytes of `.text`, roughly.
std::vector<Bytes> machine_code() {
  std::vector<Bytes> seeds;
  for (const Bytes& object : code_objects()) {
    constexpr std::size_t kLength = 1000;
    const std::size_t start = object.size() / 2;
    Bytes code(object.begin() + static_cast<std::ptrdiff_t>(start),
               object.begin() + static_cast<std::ptrdiff_t>(std::min(start + kLength, object.size())));
    code.insert(code.begin(), std::byte{0});
    seeds.push_back(std::move(code));
  }
  return seeds;
}

/// The MessagePack notes: the name "AMDGPU" with its two zeros comes before, the size 16 bytes before.
std::vector<Bytes> notes() {
  std::vector<Bytes> seeds;
  for (const Bytes& object : code_objects()) {
    const std::string_view text(reinterpret_cast<const char*>(object.data()), object.size());
    const std::size_t name = text.find(std::string_view("AMDGPU\0\0", 8));
    if (name == std::string_view::npos || name < 12) continue;
    std::uint32_t size = 0;
    std::memcpy(&size, object.data() + name - 8, sizeof size);
    const auto first = object.begin() + static_cast<std::ptrdiff_t>(name + 8);
    if (size <= object.size() - name - 8) seeds.emplace_back(first, first + size);
  }
  return seeds;
}

std::vector<Bytes> json_files() {
  std::vector<Bytes> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(kData + "/cases")) {
    if (entry.path().extension() == ".json") seeds.push_back(read_file(entry.path()));
  }
  seeds.push_back(bytes_of(R"({"devices": [{"target": "gfx1100", "count": 2, "vram": "1G"}], "kfd": "1.14",
    "mode": "inline", "threads": 1, "level": "v3", "seed": 7, "schedule": "auto", "hang": 1000000, "log": "off"})"));
  return seeds;
}

// Addresses are those of tests/mock/queue_fixture.h.
std::vector<Bytes> compute_packets() {
  return {
      bytes_of<std::uint32_t>({0xffff1000, 0x80000000, 0xc0021000, 1, 2, 3}),
      bytes_of<std::uint32_t>({0xc0064900, 0x514, 0x20000000, 0x300000, 0, 5, 0, 0}),
      bytes_of<std::uint32_t>({0xc0053c00, 0x13, 0x300000, 0, 5, 0xffffffff, 4}),
      bytes_of<std::uint32_t>({0xc0033700, 0x100500, 0x300000, 0, 7}),
      bytes_of<std::uint32_t>({0xc0044000, 0x100205, 5, 0, 0x300000, 0}),
      bytes_of<std::uint32_t>({0xc0071e00, 0x2f, 0x300000, 0, 1, 0, 2, 0, 10}),
      bytes_of<std::uint32_t>({0xc0055000, 0x60000000, 0x300000, 0, 0x300100, 0, 64}),
      bytes_of<std::uint32_t>({0xc0023f00, 0x100000, 0, 0x0f000010}),
      bytes_of<std::uint32_t>({0xc0037600, 0x207, 32, 1, 1, 0xc0027600, 0x20c, 0x3000, 0, 0xc0031500, 2, 1, 1,
                               0x8005, 0xc0004600, 0x407}),
  };
}

std::vector<Bytes> copy_packets() {
  return {
      bytes_of<std::uint32_t>({0, 0, 1, 63, 0, 0x300000, 0, 0x300100, 0}),
      bytes_of<std::uint32_t>({2, 0x300000, 0, 3, 1, 2, 3, 4}),
      bytes_of<std::uint32_t>({0x8000000b, 0x300000, 0, 0x5a5a5a5a, 63}),
      bytes_of<std::uint32_t>({0x30000005, 0x300000, 0, 9, 0x6, 3}),
      bytes_of<std::uint32_t>({0xb0000008, 0x300000, 0, 0, 0xffffffff, 0x0fff000a}),
      bytes_of<std::uint32_t>({0x5e00000a, 0x300000, 0, 1, 0, 0, 0, 0}),
      bytes_of<std::uint32_t>({0x20d, 0x300000, 0, 4, 0x100000, 0, 8, 0, 0}),
  };
}

std::vector<Bytes> calls() {
  // A number, a size, then words: each a choice (tests/fuzz/machine.cpp) and what it takes.
  return {
      bytes_of<std::uint8_t>({0x01, 8, 0, 0}),
      bytes_of<std::uint8_t>({0x16, 40, 7, 7, 3, 2, 31, 0, 0, 0, 0xd0, 0, 0, 0, 0}),
      bytes_of<std::uint8_t>({0x18, 24, 5, 7, 2, 2}),
      bytes_of<std::uint8_t>({0x08, 32, 1, 0, 0, 0, 0}),
      bytes_of<std::uint8_t>({0x0c, 24, 21, 3, 12, 0, 0}),
      bytes_of<std::uint8_t>({0x03, 4, 10}),
      bytes_of<std::uint8_t>({0x14, 16, 21, 1, 2, 0}),
      bytes_of<std::uint8_t>({0x07, 24, 16, 10, 8, 12, 0}),
  };
}

}  // namespace

const std::vector<Target>& targets() {
  static const std::vector<Target> all = {
      {"decode", decode, machine_code, 20'000},
      {"object", object, code_objects, 3'000},
      {"metadata", metadata, notes, 5'000},
      {"json", json, json_files, 1'000},
      {"pm4", pm4, compute_packets, 3'000},
      {"sdma", sdma, copy_packets, 3'000},
      {"ioctl", ioctl, calls, 300},
  };
  return all;
}

}  // namespace mockgpu::fuzz
