// The functions of mockgpu.h: arguments are checked, errors become a status and a message.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <new>

#include "emu/capi/machine.h"
#include "emu/memory/guard.h"
#include "isa/base/error.h"

namespace mockgpu::capi {
namespace {

static_assert(MOCKGPU_BAD_USAGE == static_cast<int>(Tag::bad_usage) + 1 &&
              MOCKGPU_MEMORY_FAULT == static_cast<int>(Tag::memory_fault) + 1 &&
              MOCKGPU_FAILED == static_cast<int>(Tag::failed) + 1);

thread_local std::string open_message;

/// Runs the body of a C function; nothing that it throws gets out.
template <class Body>
mockgpu_status enter(std::string& message, Body body) noexcept {
  try {
    try {
      return body();
    } catch (const Error& error) {
      message = format_error(error);
      return static_cast<mockgpu_status>(static_cast<int>(error.tag()) + 1);
    } catch (const std::bad_alloc&) {
      message = "error[out-of-memory]: host memory ran out";
      return MOCKGPU_OUT_OF_MEMORY;
    } catch (const std::exception& error) {
      message = std::string("error[failed]: ") + error.what();
      return MOCKGPU_FAILED;
    }
  } catch (...) {  // no memory for the message
    return MOCKGPU_OUT_OF_MEMORY;
  }
}

[[noreturn]] void refuse(const char* message) { throw Error(Tag::bad_usage, message); }

/// A caller's struct as this library knows it: members that an older header lacks are 0.
template <class T>
T known(const T* given) {
  T result{};
  if (!given || given->size < sizeof given->size) refuse("a struct is missing, or its `size` is not set");
  std::memcpy(&result, given, std::min<std::size_t>(given->size, sizeof result));
  for (std::size_t i = sizeof result; i < given->size; ++i) {
    if (reinterpret_cast<const unsigned char*>(given)[i])
      refuse("a struct uses members that this library does not know");
  }
  return result;
}

mockgpu_status open(const mockgpu_machine_options* given, mockgpu_machine** out) {
  if (!out) refuse("mockgpu_open without a place for the machine");
  *out = nullptr;
  const mockgpu_machine_options options = known(given);
  if (options.flags & ~std::uint32_t{MOCKGPU_HOST_MEMORY}) refuse("unknown flags of mockgpu_open");
  if (!options.target) refuse("mockgpu_open without a target, e.g. \"gfx1100\"");
  auto machine = std::make_unique<mockgpu_machine>();
  machine->target = isa::amd::find_target(options.target);
  if (!machine->target)
    throw Error(Tag::bad_usage, fmt::format("no target is called \"{}\"", options.target));
  machine->host_memory = options.flags & MOCKGPU_HOST_MEMORY;
  machine->space = std::make_unique<emu::AddressSpace>(machine->host_memory ? &machine->pages : nullptr);
  emu::amd::Engine::Options engine;
  engine.threads = options.threads ? options.threads : 1;
  engine.level = options.level ? options.level : "";
  engine.seed = options.seed;
  if (options.hang_instructions) {
    engine.limits.hang_instructions = options.hang_instructions;
    engine.limits.hang_instructions_per_wave = 0;
  }
  engine.symbolize = [objects = &machine->objects](std::uint64_t pc) -> std::string {
    for (const auto& object : *objects) {
      if (pc - object->memory.address() >= object->extent.size) continue;
      const auto place = object->code.locate(pc - object->memory.address() + object->extent.first_address);
      if (place) return fmt::format("{}+{:#x}", place->function, place->offset);
    }
    return {};
  };
  machine->engine = std::make_unique<emu::amd::Engine>(std::move(engine));
  *out = machine.release();
  return MOCKGPU_OK;
}

/// Whether the caller mapped all of the range as code.
bool executable(mockgpu_machine& machine, std::uint64_t address, std::uint64_t bytes) {
  const emu::AddressSpace::Pin pin(*machine.space);
  const emu::MappedRange* range = emu::find_range(pin->ranges(), address);
  return range && (range->rights & emu::kExecute) && bytes <= range->end - address;
}

mockgpu_status run(mockgpu_machine& machine, const mockgpu_launch* given, mockgpu_result* out) {
  const mockgpu_launch launch = known(given);
  mockgpu_result result{};
  if (out) result = known(out);
  const std::uint32_t result_size = result.size;
  result = {};
  result.size = result_size;
  const auto give = [&] {
    if (out) std::memcpy(out, &result, std::min<std::size_t>(result_size, sizeof result));
  };
  give();
  const std::uint64_t code = reinterpret_cast<std::uint64_t>(launch.code);
  const bool bounded = !launch.object && launch.code_bytes;
  machine.pages.set_executable(!bounded);
  machine.pages.trim();
  PreparedLaunch prepared = prepare(machine, launch);
  Recorder recorder(launch, prepared);
  if (launch.initial_count || launch.wave_capacity) prepared.launch.waves = &recorder;
  result.waves = prepared.waves;
  struct CodeRange {  // mapped for this launch only
    mockgpu_machine& machine;
    std::uint64_t begin;
    ~CodeRange() {
      if (begin) machine.space->unmap(begin);
    }
  } range{machine, 0};
  if (bounded && !executable(machine, code, launch.code_bytes)) {
    machine.map(code, launch.code_bytes, emu::kRead | emu::kExecute, "code");
    range.begin = code;
  }
  emu::Guard::arm();
  const auto execution = machine.engine->start(prepared.launch);
  while (execution->run(0, emu::AddressSpace::Pin(*machine.space)) == emu::amd::Progress::running) {
  }
  const emu::amd::Outcome& outcome = execution->outcome();
  result.fault_address = outcome.fault_address;
  result.fault_is_write = outcome.fault_write;
  result.wave_instructions = outcome.wave_instructions;
  result.workgroups = outcome.groups;
  give();
  if (outcome.error) {
    machine.pages.forget();
    throw *outcome.error;
  }
  return MOCKGPU_OK;
}

/// As enter, for functions of a machine; its message is from this call on.
template <class Body>
mockgpu_status enter_machine(mockgpu_machine* machine, Body body) noexcept {
  if (!machine) return MOCKGPU_BAD_USAGE;
  machine->message.clear();
  return enter(machine->message, body);
}

}  // namespace
}  // namespace mockgpu::capi

using namespace mockgpu;
using namespace mockgpu::capi;

extern "C" {

uint32_t mockgpu_api_version(void) { return MOCKGPU_API_VERSION; }

const char* mockgpu_status_name(mockgpu_status status) {
  if (status == MOCKGPU_OK) return "ok";
  if (status < MOCKGPU_OK || status > MOCKGPU_FAILED) return "unknown";
  return tag_name(static_cast<Tag>(static_cast<int>(status) - 1)).data();
}

mockgpu_status mockgpu_open(const mockgpu_machine_options* options, mockgpu_machine** machine) {
  open_message.clear();
  return enter(open_message, [&] { return open(options, machine); });
}

void mockgpu_close(mockgpu_machine* machine) { delete machine; }

const char* mockgpu_message(const mockgpu_machine* machine) {
  return machine ? machine->message.c_str() : open_message.c_str();
}

mockgpu_status mockgpu_map(mockgpu_machine* machine, const void* address, uint64_t bytes, uint32_t rights,
                           const char* name) {
  return enter_machine(machine, [&] {
    if (rights == 0 || rights > (MOCKGPU_READ | MOCKGPU_WRITE | MOCKGPU_EXECUTE))
      refuse("rights of a mapping: MOCKGPU_READ, MOCKGPU_WRITE, MOCKGPU_EXECUTE");
    machine->map(reinterpret_cast<std::uint64_t>(address), bytes, rights, name ? name : "");
    return MOCKGPU_OK;
  });
}

mockgpu_status mockgpu_unmap(mockgpu_machine* machine, const void* address) {
  return enter_machine(machine, [&] {
    if (!machine->space->unmap(reinterpret_cast<std::uint64_t>(address)))
      refuse("no mapping begins at the address to unmap");
    return MOCKGPU_OK;
  });
}

mockgpu_status mockgpu_load(mockgpu_machine* machine, const void* bytes, uint64_t size,
                            mockgpu_object** object) {
  return enter_machine(machine, [&] {
    if (!bytes || !object) refuse("mockgpu_load without bytes, or without a place for the object");
    *object = nullptr;
    *object = &load(*machine, bytes, size);
    return MOCKGPU_OK;
  });
}

void mockgpu_unload(mockgpu_machine* machine, mockgpu_object* object) {
  if (!machine || !object) return;
  machine->space->unmap(object->memory.address());
  auto& objects = machine->objects;
  objects.erase(std::remove_if(objects.begin(), objects.end(),
                               [&](const auto& loaded) { return loaded.get() == object; }),
                objects.end());
}

const char* mockgpu_kernel_name(const mockgpu_object* object, uint32_t index) {
  if (!object || index >= object->code.kernels().size()) return nullptr;
  return object->code.kernels()[index].name.c_str();
}

uint64_t mockgpu_symbol(const mockgpu_object* object, const char* name) {
  if (!object || !name) return 0;
  const isa::object::Symbol* symbol = object->code.find_symbol(name);
  return symbol ? object->address(symbol->address) : 0;
}

mockgpu_status mockgpu_run(mockgpu_machine* machine, const mockgpu_launch* launch, mockgpu_result* result) {
  return enter_machine(machine, [&] { return run(*machine, launch, result); });
}

}  // extern "C"
