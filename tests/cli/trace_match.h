#pragma once
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace mockgpu::test {

/// Compares lines of a trace with lines that somebody wrote by hand, in which `$kind.name` stands for a value
/// that is not known beforehand: it is bound where it first appears and must be the same wherever the name
/// comes again; two names of one kind must not be bound to one value. `$kind.name+0x38` is a bound number and
/// an offset; `$kind` alone matches any value.
class TraceMatcher {
 public:
  /// Empty, or what is different.
  std::string compare(std::string_view expected, std::string_view actual);

 private:
  std::map<std::string, std::string> bound_;
  std::map<std::string, std::set<std::string>> taken_;  ///< values by kind
};

}  // namespace mockgpu::test
