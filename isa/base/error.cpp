#include "isa/base/error.h"

#include <fmt/format.h>

#include <utility>

namespace mockgpu {

std::string_view tag_name(Tag tag) {
  switch (tag) {
    case Tag::bad_usage: return "bad-usage";
    case Tag::bad_file: return "bad-file";
    case Tag::bad_packet: return "bad-packet";
    case Tag::bad_request: return "bad-request";
    case Tag::unsupported: return "unsupported";
    case Tag::undecodable: return "undecodable";
    case Tag::memory_fault: return "memory-fault";
    case Tag::hang: return "hang";
    case Tag::trap: return "trap";
    case Tag::out_of_memory: return "out-of-memory";
    case Tag::no_device: return "no-device";
    case Tag::timeout: return "timeout";
    case Tag::io: return "io";
    case Tag::failed: return "failed";
  }
  return "unknown";
}

Error::Error(Tag tag, std::string message, std::vector<Fact> facts)
    : tag_(tag), message_(std::move(message)), facts_(std::move(facts)) {}

Error& Error::add(std::string name, std::string text) {
  facts_.push_back({std::move(name), std::move(text)});
  return *this;
}

std::string format_error(const Error& error) {
  std::string out = fmt::format("error[{}]: {}", tag_name(error.tag()), error.message());
  for (const Fact& fact : error.facts()) out += fmt::format("\n  {:<4} {}", fact.name, fact.text);
  return out;
}

}  // namespace mockgpu
