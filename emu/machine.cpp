#include "emu/machine.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <mutex>

#include "emu/amd/render_node.h"
#include "emu/amd/topology.h"
#include "emu/host/address_hints.h"
#include "emu/host/file_tree.h"
#include "runtime/io/posix_file_io.h"

namespace mockgpu::emu {

struct Machine::Parts {
  MachineConfig config;
  std::mutex names_mutex;
  std::function<std::string(std::uint64_t)> names;
  ReportLog reports;
  Scheduler scheduler;
  amd::EventTable events;
  std::vector<std::unique_ptr<amd::Device>> devices;
  std::unique_ptr<amd::Kfd> kfd;
  FileTree tree;
  AddressHints addresses;
  FaultPlan plan;
  runtime::PosixFileIo host;

  Parts(MachineConfig machine, ReportSink sink)
      : config(std::move(machine)),
        reports(std::move(sink)),
        scheduler(config.mode, config.seed),
        events(scheduler),
        plan(config.faults) {
    for (const DeviceConfig& device : config.devices) add_device(device);
    std::vector<amd::Device*> all;
    for (const auto& device : devices) all.push_back(device.get());
    kfd = std::make_unique<amd::Kfd>(all, amd::Kfd::Version{config.kfd_major, config.kfd_minor}, scheduler,
                                     events, reports);
    kfd->place_mappings(addresses);
    kfd->follow(plan);
    add_files();
  }

  void add_device(const DeviceConfig& wanted) {
    const auto index = static_cast<unsigned>(devices.size());
    amd::Device::Setup setup;
    setup.model = amd::find_model(wanted.target);
    if (!setup.model) {
      throw Error(Tag::bad_usage, fmt::format("machine: unknown target \"{}\": legal are {}", wanted.target,
                                              amd::model_names()));
    }
    setup.gpu_id = amd::gpu_id_of(index);
    setup.render_minor = 128 + index;
    setup.vram_bytes = wanted.vram_bytes ? wanted.vram_bytes : setup.model->vram_bytes;
    setup.engine.threads = config.threads ? config.threads : usable_processors();
    setup.engine.level = config.level;
    setup.engine.force_parallel = config.parallel_schedule;
    setup.engine.seed = config.mode == Mode::seeded ? config.seed : 0;
    setup.engine.symbolize = [this](std::uint64_t pc) {
      const std::lock_guard lock(names_mutex);
      return names ? names(pc) : std::string();
    };
    if (config.hang) setup.engine.limits = {*config.hang, 0};
    devices.push_back(std::make_unique<amd::Device>(setup, scheduler, events, reports));
    // A level that the host cannot run is the user's mistake: tell at once.
    if (!config.level.empty()) devices.back()->engine();
  }

  void add_files() {
    std::vector<amd::TopologyNode> nodes;
    tree.add_root("/dev/kfd");
    tree.add_root("/dev/dri");
    tree.add_device("/dev/kfd", [this](int) { return std::make_unique<amd::KfdFile>(*kfd); });
    for (const auto& device : devices) {
      amd::TopologyNode node;
      node.model = &device->model();
      node.gpu_id = device->gpu_id();
      node.vram_bytes = device->vram_bytes();
      node.render_minor = device->render_minor();
      node.bus = 3 + device->render_minor() - 128;
      nodes.push_back(node);
      tree.add_device(
          fmt::format("/dev/dri/renderD{}", device->render_minor()),
          [this, gpu = device.get()](int) { return std::make_unique<amd::RenderFile>(*kfd, *gpu, reports); });
    }
    amd::add_topology(tree, nodes);
  }
};

Machine::Machine(MachineConfig config, ReportSink sink)
    : parts_(std::make_unique<Parts>(std::move(config), std::move(sink))) {}

Machine::~Machine() {
  // A forked child has none of the threads that the parts would wait for.
  if (parts_ && parts_->scheduler.forked()) static_cast<void>(parts_.release());
}

const MachineConfig& Machine::config() const { return parts_->config; }
std::vector<Error> Machine::reports() const { return parts_->reports.findings(); }

void Machine::name_code(std::function<std::string(std::uint64_t pc)> names) {
  const std::lock_guard lock(parts_->names_mutex);
  parts_->names = std::move(names);
}

void Machine::observe(Observer* observer) {
  Observer* const waves = observer && observer->wants_instructions() ? observer : nullptr;
  for (const auto& device : parts_->devices) device->observe(waves);
  parts_->kfd->observe(observer);
}

std::unique_ptr<runtime::File> Machine::open(const std::string& path, int flags) {
  if (!parts_->tree.owns(path)) return parts_->host.open(path, flags);
  if (const int result = parts_->kfd->planned_fault("open " + path)) {
    errno = -result;
    return nullptr;
  }
  return parts_->tree.open(path, flags);
}

std::unique_ptr<runtime::File> Machine::adopt(int number) {
  std::unique_ptr<runtime::File> file = parts_->kfd->adopt_dmabuf(number);
  return file ? std::move(file) : parts_->host.adopt(number);
}

std::unique_ptr<runtime::File> Machine::eventfd(unsigned initial, int flags) {
  return parts_->host.eventfd(initial, flags);
}

void* Machine::reserve(std::size_t size) {
  return parts_->addresses.map(size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE);
}

void* Machine::anon_mmap(std::size_t size) {
  return parts_->addresses.map(size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS);
}

int Machine::munmap(void* address, std::size_t size) {
  parts_->kfd->client_unmaps(reinterpret_cast<std::uint64_t>(address), size);
  return ::munmap(address, size);
}

bool Machine::exists(const std::string& path) {
  return parts_->tree.owns(path) ? parts_->tree.exists(path) : parts_->host.exists(path);
}

std::optional<std::string> Machine::readlink(const std::string& path) {
  return parts_->tree.owns(path) ? parts_->tree.readlink(path) : parts_->host.readlink(path);
}

std::optional<std::vector<std::string>> Machine::list(const std::string& path) {
  return parts_->tree.owns(path) ? parts_->tree.list(path) : parts_->host.list(path);
}

bool Machine::relax() { return parts_->scheduler.relax(); }

namespace {

/// The default sink: findings to stderr, or everything to a file.
ReportSink sink_for(const MachineConfig& config) {
  if (config.log == "off") return {};
  if (config.log == "stderr") {
    return [](const Report& report) {
      if (!report.note) fmt::print(stderr, "mockgpu: {}\n", format_error(report.error));
    };
  }
  const std::shared_ptr<std::FILE> file(std::fopen(config.log.c_str(), "w"), [](std::FILE* open) {
    if (open) std::fclose(open);
  });
  if (!file) {
    throw Error(Tag::bad_file, fmt::format("machine: log={}: {}", config.log, std::strerror(errno)));
  }
  return [file](const Report& report) {
    if (report.note) {
      fmt::print(file.get(), "note: {}\n", report.error.message());
    } else {
      fmt::print(file.get(), "{}\n", format_error(report.error));
    }
    std::fflush(file.get());
  };
}

}  // namespace

std::optional<std::string> machine_from_environment() {
  const char* value = std::getenv("MOCKGPU");
  if (!value) return std::nullopt;
  return std::string(value);
}

OpenedMachine open_machine(const std::optional<std::string>& spec, ReportSink sink) {
  MachineConfig config = parse_machine(spec.value_or("on"));
  if (config.real) return {std::make_unique<runtime::PosixFileIo>(), nullptr};
  if (!sink) sink = sink_for(config);
  auto machine = std::make_unique<Machine>(std::move(config), std::move(sink));
  Machine* const pointer = machine.get();
  return {std::move(machine), pointer};
}

}  // namespace mockgpu::emu
