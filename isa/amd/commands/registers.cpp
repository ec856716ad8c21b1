#include "isa/amd/commands/registers.h"

#include <fmt/core.h>

#include <array>
#include <unordered_map>
#include <vector>

namespace mockgpu::isa::amd {
namespace {

struct FieldRow {
  Register reg;
  RegisterField field;
  std::uint8_t files;  ///< bit n = register file n
};

constexpr FieldRow kFieldRows[] = {
#define FIELD(reg, name, shift, width, files) {Register::reg, {#name, {shift, width}}, files},
#include "isa/amd/commands/register_fields.inc"
#undef FIELD
};

constexpr std::size_t kRegisters = std::size(kRegisterRows);

/// The two look-ups, built once per register file.
struct FileIndex {
  std::unordered_map<std::uint32_t, Register> by_address;
  std::vector<RegisterField> fields;
  std::array<std::pair<std::uint32_t, std::uint32_t>, kRegisters> ranges{};  ///< into `fields`
};

FileIndex build_index(RegisterFile file) {
  FileIndex index;
  for (std::size_t i = 0; i < kRegisters; ++i) {
    const auto reg = static_cast<Register>(i);
    if (const std::uint32_t address = register_address(reg, file)) index.by_address.emplace(address, reg);
    const auto begin = static_cast<std::uint32_t>(index.fields.size());
    for (const FieldRow& row : kFieldRows) {
      if (row.reg == reg && (row.files >> static_cast<unsigned>(file) & 1u))
        index.fields.push_back(row.field);
    }
    index.ranges[i] = {begin, static_cast<std::uint32_t>(index.fields.size())};
  }
  return index;
}

const FileIndex& index_of(RegisterFile file) {
  static const std::array<FileIndex, kRegisterFiles> indexes = {
      build_index(RegisterFile::gfx9), build_index(RegisterFile::gfx94x), build_index(RegisterFile::gfx10),
      build_index(RegisterFile::gfx11), build_index(RegisterFile::gfx12)};
  return indexes[static_cast<std::size_t>(file)];
}

}  // namespace

std::optional<Register> register_at(std::uint32_t address, RegisterFile file) {
  const FileIndex& index = index_of(file);
  const auto found = index.by_address.find(address);
  if (found == index.by_address.end()) return std::nullopt;
  return found->second;
}

std::string register_name_at(std::uint32_t address, RegisterFile file) {
  if (const auto reg = register_at(address, file)) return std::string(register_name(*reg));
  return fmt::format("reg_{:#x}", address);
}

std::span<const RegisterField> register_fields(Register reg, RegisterFile file) {
  const FileIndex& index = index_of(file);
  const auto range = index.ranges[static_cast<std::size_t>(reg)];
  return std::span(index.fields).subspan(range.first, range.second - range.first);
}

std::string format_register(Register reg, RegisterFile file, std::uint32_t value) {
  FieldPrinter printer;
  for (const RegisterField& field : register_fields(reg, file)) {
    if (const std::uint32_t part = field.bits.get(value)) printer.unsigned_number(field.name, part);
  }
  std::string text = fmt::format("{}={:#x}", register_name(reg), value);
  if (!printer.str().empty()) text += fmt::format(" {{{}}}", printer.str());
  return text;
}

void describe(const ComputeState& state, FieldPrinter& printer) {
  for (std::uint32_t i = 0; i < ComputeState::kWords; ++i) {
    const std::uint32_t address = ComputeState::kFirst + i;
    const std::uint32_t value = state.read(address);
    if (value != 0) printer.hex(register_name_at(address, RegisterFile::gfx11), value);
  }
}

}  // namespace mockgpu::isa::amd
