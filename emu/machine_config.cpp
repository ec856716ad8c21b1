#include "emu/machine_config.h"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "emu/amd/model.h"
#include "isa/amd/commands/drm.h"
#include "isa/amd/commands/kfd.h"
#include "isa/base/error.h"

namespace mockgpu::emu {
namespace {

constexpr std::size_t kMostDevices = 16;

[[noreturn]] void bad(const std::string& message) { throw Error(Tag::bad_usage, message); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t at = text.find(separator);
    parts.push_back(text.substr(0, at));
    if (at == std::string_view::npos) return parts;
    text.remove_prefix(at + 1);
  }
}

std::optional<std::uint64_t> number(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

std::uint64_t count_of(std::string_view key, std::string_view text) {
  const auto value = number(text);
  if (!value) bad(fmt::format("machine: {}={}: expected a decimal number", key, text));
  return *value;
}

std::uint64_t size_of(std::string_view key, std::string_view text) {
  std::uint64_t unit = 1;
  std::string_view digits = text;
  if (!digits.empty()) {
    const std::size_t power = std::string_view("KMGT").find(digits.back());
    if (power != std::string_view::npos) {
      unit = std::uint64_t{1} << (10 * (power + 1));
      digits.remove_suffix(1);
    }
  }
  const auto value = number(digits);
  if (!value || *value == 0 || *value > (std::uint64_t{1} << 44) / unit) {
    bad(fmt::format("machine: {}={}: expected bytes with an optional K, M, G or T, 4K to 16T", key, text));
  }
  if (*value * unit < 4096) bad(fmt::format("machine: {}={}: less than a page (4K)", key, text));
  return *value * unit;
}

void set_kfd(MachineConfig& config, std::string_view text) {
  const auto parts = split(text, '.');
  constexpr std::uint64_t kNone = ~0ull;
  const std::uint64_t major = number(parts[0]).value_or(kNone);
  const std::uint64_t minor = parts.size() == 2 ? number(parts[1]).value_or(kNone) : kNone;
  if (major != 1 || minor > 99) {
    bad(fmt::format("machine: kfd={}: expected a KFD interface version, 1.0 to 1.99", text));
  }
  config.kfd_major = static_cast<unsigned>(major);
  config.kfd_minor = static_cast<unsigned>(minor);
}

void set_option(MachineConfig& config, std::string_view key, std::string_view value) {
  if (key == "mode") {
    if (value == "async")
      config.mode = Mode::async;
    else if (value == "inline")
      config.mode = Mode::on_call;
    else if (value == "seeded")
      config.mode = Mode::seeded;
    else
      bad(fmt::format("machine: mode={}: expected async, inline or seeded", value));
  } else if (key == "threads") {
    const std::uint64_t threads = count_of(key, value);
    if (threads == 0 || threads > 1024) bad(fmt::format("machine: threads={}: expected 1 to 1024", value));
    config.threads = static_cast<unsigned>(threads);
  } else if (key == "level") {
    if (value != "baseline" && value != "v3" && value != "v4") {
      bad(fmt::format("machine: level={}: expected baseline, v3 or v4", value));
    }
    config.level = value;
  } else if (key == "seed") {
    config.seed = count_of(key, value);
  } else if (key == "schedule") {
    if (value != "auto" && value != "parallel") {
      bad(fmt::format("machine: schedule={}: expected auto or parallel", value));
    }
    config.parallel_schedule = value == "parallel";
  } else if (key == "hang") {
    config.hang = count_of(key, value);
  } else if (key == "log") {
    if (value.empty()) bad("machine: log= is empty: expected stderr, off or a file name");
    config.log = value;
  } else {
    bad(fmt::format(
        "machine: unknown option \"{}\": legal are mode, threads, level, seed, schedule, hang and log", key));
  }
}

void set_device_option(MachineConfig& config, DeviceConfig& device, std::string_view key,
                       std::string_view value) {
  if (key == "kfd")
    set_kfd(config, value);
  else if (key == "vram")
    device.vram_bytes = size_of(key, value);
  else
    bad(fmt::format("machine: unknown option \"{}\" of {}: legal are kfd and vram", key, device.target));
}

void check_target(std::string_view target) {
  if (amd::find_model(target)) return;
  bad(fmt::format("machine: unknown target \"{}\": legal are {}", target, amd::model_names()));
}

void add_devices(MachineConfig& config, const DeviceConfig& device, std::uint64_t count) {
  if (count == 0 || config.devices.size() + count > kMostDevices) {
    bad(fmt::format("machine: {} x {}: a machine has 1 to {} devices", count, device.target, kMostDevices));
  }
  config.devices.insert(config.devices.end(), count, device);
}

/// `2xgfx1100:vram=1G`
void parse_devices(MachineConfig& config, std::string_view text) {
  const auto parts = split(text, ':');
  std::uint64_t count = 1;
  std::string_view target = parts[0];
  const std::size_t digits = std::min(target.find_first_not_of("0123456789"), target.size());
  if (digits > 0 && digits < target.size() && target[digits] == 'x') {
    count = count_of("device count", target.substr(0, digits));
    target.remove_prefix(digits + 1);
  }
  check_target(target);
  DeviceConfig device;
  device.target = target;
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) {
      bad(fmt::format("machine: \"{}\" is not key=value: legal are kfd and vram", parts[i]));
    }
    set_device_option(config, device, parts[i].substr(0, equals), parts[i].substr(equals + 1));
  }
  add_devices(config, device, count);
}

bool is_request(std::string_view name) {
  for (std::uint32_t number = 0; number < 256; ++number) {
    for (const isa::amd::IoctlInfo* info :
         {isa::amd::kfd::find_ioctl(isa::amd::IoctlRequest::make(0, isa::amd::kfd::kIoctlType, number, 0)),
          isa::amd::drm::find_ioctl(isa::amd::IoctlRequest::make(0, isa::amd::drm::kIoctlType, number, 0))}) {
      if (info && info->name == name) return true;
    }
  }
  return false;
}

int errno_of(std::string_view name) {
  constexpr int kLast = 133;
  for (int error = 1; error <= kLast; ++error) {
    const char* const known = strerrorname_np(error);
    if (known && name == known) return error;
  }
  bad(fmt::format("machine: faults: errno \"{}\": expected a name of errno(3), such as ENOMEM", name));
}

std::string json_text(const nlohmann::json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned()) return fmt::format("{}", value.get<std::uint64_t>());
  throw Error(Tag::bad_usage, fmt::format("machine: {}: expected text or a whole number", value.dump()));
}

/// {"call": "mmap", "nth": 2, "times": 1, "errno": "ENOMEM"}
PlannedFault parse_fault(const nlohmann::json& entry) {
  if (!entry.is_object()) bad("machine: faults: expected objects with call, nth, times and errno");
  PlannedFault fault;
  for (const auto& [field, setting] : entry.items()) {
    const std::string text = json_text(setting);
    if (field == "call")
      fault.call = text;
    else if (field == "nth")
      fault.nth = count_of(field, text);
    else if (field == "times")
      fault.times = count_of(field, text);
    else if (field == "errno")
      fault.error = errno_of(text);
    else
      bad(fmt::format("machine: unknown key \"{}\" of a fault: legal are call, nth, times and errno", field));
  }
  const bool opens = fault.call.rfind("open /", 0) == 0;
  if (fault.call != "mmap" && !opens && !is_request(fault.call)) {
    bad(
        fmt::format("machine: faults: call \"{}\": expected the name of a request (AMDKFD_IOC_..., "
                    "DRM_IOCTL_...), mmap, or open and a path",
                    fault.call));
  }
  if (fault.error == 0) bad(fmt::format("machine: faults: {} has no errno", fault.call));
  if (fault.nth == 0) bad("machine: faults: nth=0: calls are counted from 1");
  return fault;
}

}  // namespace

MachineConfig parse_machine(std::string_view spec) {
  MachineConfig config;
  if (spec.size() > 5 && spec.substr(spec.size() - 5) == ".json") {
    const std::string path(spec);
    std::ifstream file(path, std::ios::binary);
    if (!file) throw Error(Tag::bad_file, fmt::format("{}: cannot be read", path));
    std::ostringstream text;
    text << file.rdbuf();
    return parse_machine_json(text.str(), path);
  }
  const auto parts = split(spec, ';');
  if (parts[0] == "off") {
    if (parts.size() > 1) bad("machine: \"off\" is the real hardware and has no options");
    config.real = true;
    return config;
  }
  if (!parts[0].empty() && parts[0] != "on") {
    config.devices.clear();
    for (std::string_view device : split(parts[0], ',')) parse_devices(config, device);
  }
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i].empty()) continue;
    const std::size_t equals = parts[i].find('=');
    if (equals == std::string_view::npos) {
      bad(fmt::format(
          "machine: \"{}\" is not key=value: legal are mode, threads, level, seed, schedule, hang and log",
          parts[i]));
    }
    set_option(config, parts[i].substr(0, equals), parts[i].substr(equals + 1));
  }
  return config;
}

MachineConfig parse_machine_json(std::string_view text, const std::string& name) {
  const nlohmann::json root = nlohmann::json::parse(text, nullptr, false);
  if (!root.is_object()) throw Error(Tag::bad_file, fmt::format("{}: not a JSON object", name));
  MachineConfig config;
  try {
    for (const auto& [key, value] : root.items()) {
      if (key == "kfd") {
        set_kfd(config, json_text(value));
      } else if (key == "devices") {
        if (!value.is_array()) bad("machine: devices: expected a list");
        config.devices.clear();
        for (const nlohmann::json& entry : value) {
          if (!entry.is_object()) bad("machine: devices: expected objects with target, count and vram");
          DeviceConfig device;
          std::uint64_t count = 1;
          for (const auto& [field, setting] : entry.items()) {
            if (field == "target")
              device.target = json_text(setting);
            else if (field == "count")
              count = count_of(field, json_text(setting));
            else if (field == "vram")
              device.vram_bytes = size_of(field, json_text(setting));
            else
              bad(fmt::format("machine: unknown key \"{}\" of a device: legal are target, count and vram",
                              field));
          }
          check_target(device.target);
          add_devices(config, device, count);
        }
        if (config.devices.empty()) bad("machine: devices: the list is empty");
      } else if (key == "faults") {
        if (!value.is_array()) bad("machine: faults: expected a list");
        for (const nlohmann::json& entry : value) config.faults.push_back(parse_fault(entry));
      } else {
        set_option(config, key, json_text(value));
      }
    }
  } catch (Error& error) {
    error.add("in", name);
    throw;
  }
  return config;
}

unsigned usable_processors() {
  cpu_set_t set;
  CPU_ZERO(&set);
  unsigned count = 1;
  if (sched_getaffinity(0, sizeof(set), &set) == 0)
    count = static_cast<unsigned>(std::max(1, CPU_COUNT(&set)));
  std::ifstream file("/sys/fs/cgroup/cpu.max");
  std::string quota;
  double period = 0;
  if (file >> quota >> period && quota != "max" && period > 0) {
    const double processors = std::ceil(std::strtod(quota.c_str(), nullptr) / period);
    count = std::min(count, static_cast<unsigned>(std::max(1.0, processors)));
  }
  return count;
}

}  // namespace mockgpu::emu
