#pragma once
#include <cstdint>
#include <type_traits>

namespace mockgpu::runtime {

/// A named number of a command queue that gets its value before a submission. Made by CommandQueue::variable.
struct Variable {
  std::uint32_t index = 0;
};

/// A number in a command: fixed, or a variable plus a constant (modulo 2^64, then cut to the command's
/// width).
class Value {
 public:
  template <typename Number, std::enable_if_t<std::is_integral_v<Number>, int> = 0>
  Value(Number fixed) : number_(static_cast<std::uint64_t>(fixed)) {}
  Value(Variable variable, std::uint64_t offset = 0)
      : number_(offset), index_(variable.index), is_fixed_(false) {}

  bool is_fixed() const { return is_fixed_; }
  /// The number, or what is added to the variable.
  std::uint64_t number() const { return number_; }
  /// The variable of a value that is not fixed.
  Variable variable() const { return {index_}; }

  Value operator+(std::uint64_t more) const {
    Value sum = *this;
    sum.number_ += more;
    return sum;
  }

 private:
  std::uint64_t number_ = 0;
  std::uint32_t index_ = 0;
  bool is_fixed_ = true;
};

inline Value operator+(Variable variable, std::uint64_t offset) { return Value(variable, offset); }

}  // namespace mockgpu::runtime
