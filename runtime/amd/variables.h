#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/value.h"

namespace mockgpu::runtime::amd {

/// The variables of one command queue: names, values, and who wants to know of a change.
class Variables {
 public:
  /// The variable of this name, made when it is new.
  Variable find_or_add(std::string_view name);
  /// Throws Error(bad_usage) for an unknown name.
  Variable find(std::string_view name) const;

  /// Returns whether that is a change. Throws Error(bad_usage) for a variable of another queue.
  bool set(Variable variable, std::uint64_t value);

  bool is_set(const Value& value) const { return value.is_fixed() || row(value.variable()).is_set; }
  /// Throws Error(bad_usage), naming the variable, when it has no value.
  std::uint64_t number(const Value& value) const;

  /// Who uses a variable: numbers that mean something to the queue.
  void add_user(Variable variable, std::uint32_t user);
  const std::vector<std::uint32_t>& users(Variable variable) const { return row(variable).users; }

 private:
  struct Row {
    std::string name;
    std::uint64_t value = 0;
    bool is_set = false;
    std::vector<std::uint32_t> users;
  };

  const Row& row(Variable variable) const;

  std::vector<Row> rows_;
};

}  // namespace mockgpu::runtime::amd
