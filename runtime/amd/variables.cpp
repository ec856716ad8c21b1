#include "runtime/amd/variables.h"

#include <fmt/format.h>

#include "isa/base/error.h"

namespace mockgpu::runtime::amd {

Variable Variables::find_or_add(std::string_view name) {
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == name) return {i};
  }
  rows_.push_back({std::string(name), 0, false, {}});
  return {static_cast<std::uint32_t>(rows_.size() - 1)};
}

Variable Variables::find(std::string_view name) const {
  for (std::uint32_t i = 0; i < rows_.size(); ++i) {
    if (rows_[i].name == name) return {i};
  }
  throw Error(Tag::bad_usage, fmt::format("the command queue has no variable \"{}\"", name));
}

const Variables::Row& Variables::row(Variable variable) const {
  if (variable.index >= rows_.size()) {
    throw Error(Tag::bad_usage, fmt::format("the command queue has no variable {}", variable.index));
  }
  return rows_[variable.index];
}

bool Variables::set(Variable variable, std::uint64_t value) {
  const Row& old = row(variable);
  if (old.is_set && old.value == value) return false;
  rows_[variable.index].value = value;
  rows_[variable.index].is_set = true;
  return true;
}

std::uint64_t Variables::number(const Value& value) const {
  if (value.is_fixed()) return value.number();
  const Row& found = row(value.variable());
  if (!found.is_set) {
    throw Error(Tag::bad_usage, fmt::format("variable \"{}\" of the command queue has no value", found.name));
  }
  return found.value + value.number();
}

void Variables::add_user(Variable variable, std::uint32_t user) {
  row(variable);
  std::vector<std::uint32_t>& users = rows_[variable.index].users;
  if (users.empty() || users.back() != user) users.push_back(user);
}

}  // namespace mockgpu::runtime::amd
