#include "tests/asm/rows.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include "isa/amd/decode_index.h"

namespace mockgpu::tests::asm_rows {

std::vector<Column> columns() {
  constexpr Column kAll[] = {{"gfx9", "gfx900"},   {"cdna1", "gfx908"},   {"cdna2", "gfx90a"},
                             {"cdna3", "gfx942"},  {"cdna4", "gfx950"},   {"rdna1", "gfx1010"},
                             {"rdna2", "gfx1030"}, {"rdna3", "gfx1100"},  {"rdna35", "gfx1150"},
                             {"rdna4", "gfx1200"}, {"gfx1250", "gfx1250"}};
  std::vector<Column> known;
  for (const Column& column : kAll)
    if (isa::amd::DecodeIndex::of(isa::amd::find_target(column.target)->generation)) known.push_back(column);
  return known;
}

std::vector<Row> read_rows(const Column& column) {
  const std::string folder = MOCKGPU_TEST_DATA;
  std::set<std::string> others;
  std::ifstream list(folder + "/asm/not_canonical.tsv");
  const std::string prefix = std::string(column.name) + '\t';
  for (std::string line; std::getline(list, line);)
    if (line.starts_with(prefix)) others.insert(line.substr(prefix.size()));
  std::vector<Row> rows;
  const char* elsewhere = std::getenv("MOCKGPU_GOLDEN");
  std::ifstream file((elsewhere ? std::string(elsewhere) : folder + "/isa/golden") + "/" + column.name +
                     ".tsv");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find('\t'), second = line.find('\t', first + 1);
    if (second == std::string::npos) continue;
    Row row;
    row.hex = line.substr(0, first);
    row.text = line.substr(second + 1);
    const std::string attributes = line.substr(first + 1, second - first - 1);
    row.wave64 = attributes.find("wavefrontsize64") != std::string::npos;
    row.canonical = !others.contains((row.wave64 ? "64\t" : "32\t") + row.hex);
    rows.push_back(row);
  }
  return rows;
}

std::string to_hex(const std::vector<std::byte>& bytes) {
  std::string hex;
  for (std::byte byte : bytes) hex += fmt::format("{:02x}", static_cast<unsigned>(byte));
  return hex;
}

std::vector<std::byte> from_hex(std::string_view hex) {
  std::vector<std::byte> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2)
    bytes.push_back(static_cast<std::byte>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16)));
  return bytes;
}

}  // namespace mockgpu::tests::asm_rows
