#include "tests/e2e/launch_case.h"

#include <fmt/format.h>

#include <fstream>
#include <iterator>
#include <set>

#include "emu/amd/wave/lane_kernels.h"

namespace mockgpu::test {
namespace {

constexpr const char* kModes[] = {"inline", "async", "seeded"};
constexpr const char* kLevels[] = {"baseline", "v3"};

Place place(unsigned optimisation, unsigned wave, const char* level, unsigned threads, const char* mode) {
  return {{optimisation, wave},
          fmt::format("gfx1100;mode={};threads={};level={}", mode, threads,
                      emu::amd::find_level(level) ? level : "baseline")};
}

}  // namespace

std::vector<std::byte> read_file(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> chars{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::byte> bytes(chars.size());
  if (!chars.empty()) std::memcpy(bytes.data(), chars.data(), chars.size());
  return bytes;
}

Outputs run(const KernelCase& kernel_case, runtime::Device& device, const Variant& variant) {
  const std::string path = kernel_path(kernel_case, variant);
  const auto program = device.load_program(read_file(path), path);
  const runtime::Kernel& kernel = program->kernel(kernel_case.kernel);
  runtime::Arguments arguments(kernel);
  std::vector<runtime::Buffer> buffers;
  for (const CaseArgument& argument : kernel_case.arguments) {
    buffers.emplace_back();
    if (!argument.buffer) {
      arguments.add_bytes(argument.bytes);
      continue;
    }
    buffers.back() = device.allocate(argument.bytes.size());
    device.copy_in(buffers.back().address, argument.bytes);
    arguments.add(buffers.back());
  }
  runtime::LaunchShape shape;
  shape.grid = kernel_case.grid;
  shape.group = kernel_case.block;
  device.launch(kernel, shape, arguments.bytes());
  Outputs outputs(buffers.size());
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].size) continue;
    outputs[i].resize(buffers[i].size);
    device.copy_out(outputs[i], buffers[i].address);
    device.free(buffers[i]);
  }
  return outputs;
}

std::vector<Place> product_of_places() {
  std::vector<Place> places;
  for (const char* mode : kModes) {
    for (const char* level : kLevels) {
      for (const unsigned threads : {1u, 2u}) {
        for (const unsigned wave : {32u, 64u}) {
          for (unsigned optimisation = 0; optimisation < 4; ++optimisation)
            places.push_back(place(optimisation, wave, level, threads, mode));
        }
      }
    }
  }
  return places;
}

// Twelve rows are the least, for the two longest axes; the others are parities of their digits.
std::vector<Place> cover_of_places() {
  std::vector<Place> places;
  for (unsigned optimisation = 0; optimisation < 4; ++optimisation) {
    const unsigned low = optimisation & 1, high = optimisation >> 1;
    for (unsigned mode = 0; mode < 3; ++mode) {
      places.push_back(place(optimisation, (low + mode) % 2 ? 64 : 32, kLevels[(high + mode) % 2],
                             1 + (low + high + (mode == 1)) % 2, kModes[mode]));
    }
  }
  return places;
}

std::vector<Place> places_of(const KernelCase& kernel_case, const std::vector<Place>& places) {
  std::vector<Place> own;
  std::set<std::pair<std::string, std::string>> seen;
  for (Place one : places) {
    if (kernel_case.objects != Objects::every) one.variant.wave = 32;
    if (kernel_case.objects == Objects::single) one.variant = {};
    if (seen.emplace(kernel_path(kernel_case, one.variant), one.machine).second) own.push_back(one);
  }
  return own;
}

std::string name_of(const Place& place) {
  return fmt::format("O{} wave{} on {}", place.variant.optimisation, place.variant.wave, place.machine);
}

std::string Devices::check(const KernelCase& kernel_case, const Place& place) {
  try {
    Open& open = open_[place.machine];
    if (!open.device) {
      open.machine = emu::open_machine(place.machine);
      open.device = runtime::open_device(*open.machine.io);
    }
    return kernel_case.check(run(kernel_case, *open.device, place.variant));
  } catch (const Error& error) {
    open_.erase(place.machine);
    return format_error(error);
  }
}

}  // namespace mockgpu::test
