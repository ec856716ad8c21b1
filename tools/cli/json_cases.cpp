#include <fmt/format.h>

#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <set>

#include "tools/cli/launch_case.h"

namespace mockgpu::tools {
namespace {

using Json = nlohmann::json;

std::string key_place(const std::string& place, const std::string& key) {
  return place.empty() ? key : fmt::format("{}.{}", place, key);
}

[[noreturn]] void bad_place(const std::string& file, const std::string& place, const std::string& message) {
  throw Error(Tag::bad_file, fmt::format("{}: {}: {}", file, place.empty() ? "the file" : place, message));
}

/// Looks on while a file is parsed and refuses a key that an object already has: the parser keeps the last.
class UniqueKeys {
 public:
  explicit UniqueKeys(std::string file) : file_(std::move(file)) {}

  bool operator()(int, Json::parse_event_t event, const Json& parsed) {
    using Event = Json::parse_event_t;
    switch (event) {
      case Event::object_start: open_.push_back({next_place(), false}); break;
      case Event::array_start: open_.push_back({next_place(), true}); break;
      case Event::object_end:
      case Event::array_end: open_.pop_back(); break;
      case Event::value:
        if (!open_.empty()) ++open_.back().items;
        break;
      case Event::key:
        open_.back().key = parsed.get<std::string>();
        if (!open_.back().keys.insert(open_.back().key).second)
          bad_place(file_, open_.back().place, fmt::format("key \"{}\" is there twice", open_.back().key));
        break;
    }
    return true;
  }

 private:
  /// An array or object that has begun.
  struct Open {
    std::string place;
    bool is_array = false;
    std::size_t items = 0;  ///< values that have begun
    std::string key{};      ///< of an object, the latest
    std::set<std::string> keys{};
  };

  /// The place of the value that begins.
  std::string next_place() {
    if (open_.empty()) return "";
    Open& in = open_.back();
    const std::size_t item = in.items++;
    return in.is_array ? fmt::format("{}[{}]", in.place, item) : key_place(in.place, in.key);
  }

  std::string file_;
  std::vector<Open> open_;
};

/// A value and its place in the file, so that every complaint says where.
class Node {
 public:
  Node(const Json& json, std::string file, std::string place)
      : json_(&json), file_(std::move(file)), place_(std::move(place)) {}

  [[noreturn]] void bad(const std::string& message) const { bad_place(file_, place_, message); }

  /// Checks that this is an object with no other keys than `known`.
  void object(std::initializer_list<const char*> known) const {
    if (!json_->is_object()) bad(fmt::format("expected an object, got {}", json_->type_name()));
    for (const auto& item : json_->items()) {
      std::string names;
      bool found = false;
      for (const char* name : known) {
        found = found || item.key() == name;
        names += fmt::format(" {}", name);
      }
      if (!found) bad(fmt::format("unknown key \"{}\"; there are{}", item.key(), names));
    }
  }

  bool has(const char* key) const { return json_->contains(key); }

  Node at(const char* key) const {
    if (!has(key)) bad(fmt::format("key \"{}\" is missing", key));
    return {(*json_)[key], file_, key_place(place_, key)};
  }

  std::vector<Node> array(const char* what) const {
    if (!json_->is_array()) bad(fmt::format("expected an array of {}, got {}", what, json_->type_name()));
    std::vector<Node> nodes;
    for (std::size_t i = 0; i < json_->size(); ++i) {
      nodes.emplace_back((*json_)[i], file_, fmt::format("{}[{}]", place_, i));
    }
    return nodes;
  }

  std::string string() const {
    if (!json_->is_string()) bad(fmt::format("expected a string, got {}", json_->type_name()));
    return json_->get<std::string>();
  }

  double number() const {
    if (!json_->is_number()) bad(fmt::format("expected a number, got {}", json_->type_name()));
    return json_->get<double>();
  }

  std::uint64_t whole_number() const {
    if (!json_->is_number_unsigned()) bad(fmt::format("expected a whole number, got {}", json_->dump()));
    return json_->get<std::uint64_t>();
  }

  /// What `action` returns; its complaints get this place.
  template <typename Action>
  auto placed(Action action) const {
    try {
      return action();
    } catch (const Error& error) {
      bad(error.message());
    }
  }

  /// A string of the command line's grammar, read by `parse`.
  template <typename Parse>
  auto parsed(Parse parse) const {
    return placed([&, text = string()] { return parse(text); });
  }

  double tolerance() const {
    return placed([&, value = number()] { return checked_tolerance(value); });
  }

  const Json& json() const { return *json_; }
  const std::string& file() const { return file_; }

 private:
  const Json* json_;
  std::string file_;
  std::string place_;
};

/// 64, [64, 64] or "64,64".
runtime::Dim3 dim3(const Node& node, std::string_view what) {
  if (node.json().is_string()) {
    return node.parsed([&](const std::string& text) { return parse_dim3(text, what); });
  }
  std::string text;
  if (node.json().is_array()) {
    for (const Node& extent : node.array("numbers")) {
      text += fmt::format("{}{}", text.empty() ? "" : ",", extent.whole_number());
    }
  } else {
    text = fmt::format("{}", node.whole_number());
  }
  return node.placed([&] { return parse_dim3(text, what); });
}

/// Values: a string of the grammar, or an array of numbers, or one number.
std::string values(const Node& node) {
  if (node.json().is_string()) return node.string();
  if (node.json().is_number()) return node.json().dump();
  std::string text;
  for (const Node& value : node.array("numbers")) {
    value.number();
    text += fmt::format("{}{}", text.empty() ? "" : ",", value.json().dump());
  }
  if (text.empty()) node.bad("no values");
  return text;
}

ArgumentText argument(const Node& node) {
  if (node.json().is_string()) return node.parsed(parse_argument);
  node.object({"type", "count", "values"});
  std::string type = node.at("type").string();
  if (node.has("count")) {
    type += fmt::format("[{}]", node.at("count").whole_number());
  } else if (node.at("values").json().is_array()) {
    type += fmt::format("[{}]", node.at("values").json().size());
  }
  return node.placed(
      [&, list = values(node.at("values"))] { return parse_argument(fmt::format("{}={}", type, list)); });
}

Expectation expectation(const Node& node) {
  if (node.json().is_string()) return node.parsed(parse_expectation);
  node.object({"argument", "first", "count", "values", "tolerance"});
  Expectation result;
  result.slice.argument = static_cast<unsigned>(node.at("argument").whole_number());
  if (node.has("first")) result.slice.first = node.at("first").whole_number();
  if (node.has("count")) {
    result.slice.count = node.at("count").whole_number();
  } else if (node.at("values").json().is_array()) {
    result.slice.count = node.at("values").json().size();
  }
  result.description = values(node.at("values"));
  if (node.has("tolerance")) result.tolerance = node.at("tolerance").tolerance();
  return result;
}

LaunchCase launch_case(const Node& node, const std::string& folder, const std::string& default_code_object) {
  node.object({"name", "code_object", "kernel", "grid", "groups", "block", "arguments", "show", "output",
               "expect", "tolerance", "expect_error"});
  LaunchCase result;
  result.folder = folder;
  if (node.has("name")) result.name = node.at("name").string();
  const std::string file = node.has("code_object") || default_code_object.empty()
                               ? node.at("code_object").string()
                               : default_code_object;
  result.code_object = (std::filesystem::path(folder) / file).string();
  if (node.has("kernel")) result.kernel = node.at("kernel").string();
  result.block = dim3(node.at("block"), "block");
  if (node.has("grid") == node.has("groups")) node.bad("exactly one of \"grid\" and \"groups\" is needed");
  if (node.has("grid")) {
    result.grid = dim3(node.at("grid"), "grid");
  } else {
    const runtime::Dim3 groups = dim3(node.at("groups"), "groups");
    result.grid = node.at("groups").placed([&] { return grid_of_groups(groups, result.block); });
  }
  if (node.has("arguments")) {
    for (const Node& item : node.at("arguments").array("arguments"))
      result.arguments.push_back(argument(item));
  }
  if (node.has("show")) {
    for (const Node& item : node.at("show").array("strings"))
      result.shows.push_back(item.parsed(parse_slice));
  }
  if (node.has("output")) {
    for (const Node& item : node.at("output").array("strings")) {
      result.outputs.push_back(item.parsed(parse_output));
      result.outputs.back().path = (std::filesystem::path(folder) / result.outputs.back().path).string();
    }
  }
  if (node.has("expect")) {
    for (const Node& item : node.at("expect").array("expectations")) {
      result.expectations.push_back(expectation(item));
    }
  }
  if (node.has("tolerance")) result.tolerance = node.at("tolerance").tolerance();
  if (node.has("expect_error")) result.expected_error = node.at("expect_error").parsed(parse_tag);
  return result;
}

}  // namespace

std::vector<LaunchCase> read_cases(const std::string& path) {
  const std::vector<std::byte> bytes = read_file(path);
  Json json;
  try {
    const char* text = reinterpret_cast<const char*>(bytes.data());
    json = Json::parse(text, text + bytes.size(), UniqueKeys(path));
  } catch (const Json::exception& error) {
    throw Error(Tag::bad_file, fmt::format("{}: {}", path, error.what()));
  }
  const Node root(json, path, "");
  const std::string folder = std::filesystem::path(path).parent_path().string();
  root.object({"code_object", "cases"});
  const std::string code_object = root.has("code_object") ? root.at("code_object").string() : "";
  std::vector<LaunchCase> cases;
  for (const Node& node : root.at("cases").array("cases")) {
    cases.push_back(launch_case(node, folder, code_object));
    if (cases.back().name.empty()) cases.back().name = fmt::format("cases[{}]", cases.size() - 1);
  }
  if (cases.empty()) root.bad("\"cases\" is empty");
  return cases;
}

}  // namespace mockgpu::tools
