#include "tests/runtime/fake_gpu.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace mockgpu::runtime {
namespace kfd = isa::amd::kfd;
namespace pm4 = isa::amd::pm4;
namespace sdma = isa::amd::sdma;
namespace {

const char* const kNode = "/sys/devices/virtual/kfd/kfd/topology/nodes/";

class FakeFile final : public File {
 public:
  FakeFile(FakeGpu& gpu, int number, std::string text)
      : gpu_(&gpu), number_(number), text_(std::move(text)) {}
  int number() const override { return number_; }
  int ioctl(unsigned long request, void* arg) override {
    return gpu_->ioctl(static_cast<std::uint32_t>(request), arg);
  }
  Mapping mmap(void* address, std::size_t length, int, int, off_t offset) override {
    gpu_->mappings.push_back(static_cast<std::uint64_t>(offset));
    if (address != nullptr) return {static_cast<std::byte*>(address), length, nullptr};
    return {gpu_->doorbells(), length, gpu_};
  }
  ssize_t pread(void* data, std::size_t size, off_t offset) override {
    const std::size_t at = std::min(static_cast<std::size_t>(offset), text_.size());
    const std::size_t count = std::min(size, text_.size() - at);
    std::memcpy(data, text_.data() + at, count);
    return static_cast<ssize_t>(count);
  }
  ssize_t pwrite(const void*, std::size_t, off_t) override { return -1; }
  int poll(short, int) override { return -1; }

 private:
  FakeGpu* gpu_;
  int number_;
  std::string text_;
};

std::uint64_t join(std::uint32_t low, std::uint32_t high) { return isa::amd::join(low, high); }

template <typename T>
void store(std::uint64_t address, T value) {
  __atomic_store_n(reinterpret_cast<T*>(address), value, __ATOMIC_RELEASE);
}

}  // namespace

FakeGpu::FakeGpu() {
  const std::string node = kNode;
  files[node + "0/gpu_id"] = "0\n";
  files[node + "0/properties"] = "cpu_cores_count 8\nsimd_count 0\n";
  files[node + "1/gpu_id"] = "50148\n";
  files[node + "1/name"] = "navi31\n";
  // A published dump of a Radeon RX 7900 XTX, shortened.
  files[node + "1/properties"] =
      "cpu_cores_count 0\nsimd_count 192\nmax_waves_per_simd 16\nlds_size_in_kb 64\nwave_front_size 32\n"
      "array_count 12\nsimd_arrays_per_engine 2\nsimd_per_cu 2\nmax_slots_scratch_cu 32\n"
      "gfx_target_version 110000\nlocation_id 768\ndomain 0\ndrm_render_minor 128\nnum_sdma_engines 2\n"
      "max_engine_clk_fcompute 2482\nnum_xcc 1\n";
  files[node + "1/mem_banks/0/properties"] = "heap_type 1\nsize_in_bytes 25753026560\nflags 0\n";
  files["/dev/kfd"] = files["/dev/dri/renderD128"] = "";
}

std::size_t FakeGpu::count(std::uint32_t request) const {
  return static_cast<std::size_t>(
      std::count_if(calls.begin(), calls.end(), [&](const Call& call) { return call.request == request; }));
}

std::unique_ptr<File> FakeGpu::open(const std::string& path, int) {
  const auto found = files.find(path);
  if (found == files.end()) {
    errno = ENOENT;
    return nullptr;
  }
  return std::make_unique<FakeFile>(*this, path == "/dev/kfd" ? 3 : 4, found->second);
}

void* FakeGpu::anon_mmap(std::size_t size) {
  void* address =
      ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (address == MAP_FAILED) return nullptr;
  memory_[address] = size;
  return address;
}

int FakeGpu::munmap(void* address, std::size_t size) {
  const auto found = memory_.find(address);
  if (found == memory_.end()) return 0;  // the doorbells
  memory_.erase(found);
  return ::munmap(address, size);
}

std::optional<std::vector<std::string>> FakeGpu::list(const std::string& path) {
  std::set<std::string> names;
  for (const auto& [file, text] : files) {
    if (file.compare(0, path.size() + 1, path + "/") != 0) continue;
    const std::string rest = file.substr(path.size() + 1);
    names.insert(rest.substr(0, rest.find('/')));
  }
  if (names.empty()) {
    errno = ENOENT;
    return std::nullopt;
  }
  return std::vector<std::string>(names.begin(), names.end());
}

int FakeGpu::ioctl(std::uint32_t request, void* argument) {
  const auto* bytes = static_cast<const std::byte*>(argument);
  calls.push_back({request, {bytes, bytes + isa::amd::IoctlRequest::kSize.get(request)}});
  switch (request) {
    case kfd::kGetVersion: *static_cast<kfd::GetVersionArgs*>(argument) = {1, minor_version}; break;
    case kfd::kAllocMemoryOfGpu: {
      auto& args = *static_cast<kfd::AllocMemoryOfGpuArgs*>(argument);
      if ((args.flags & kfd::kAllocVram) != 0) {
        if (args.size > vram_left) {
          errno = ENOMEM;
          return -1;
        }
        vram_left -= args.size;
      }
      args.handle = next_handle_++;
      if ((args.flags & kfd::kAllocUserptr) == 0) args.mmap_offset = args.handle << 20;
      break;
    }
    case kfd::kMapMemoryToGpu: {
      auto& args = *static_cast<kfd::MapMemoryToGpuArgs*>(argument);
      const auto* ids = reinterpret_cast<const std::uint32_t*>(args.device_ids_array_ptr);
      mapped_gpus.push_back({ids, ids + args.n_devices});
      args.n_success = args.n_devices;
      break;
    }
    case kfd::kCreateEvent: {
      auto& args = *static_cast<kfd::CreateEventArgs*>(argument);
      if (args.event_page_offset != 0 && refuse_event_page) {
        errno = EINVAL;
        return -1;
      }
      args.event_id = args.event_slot_index = next_event_++;
      break;
    }
    case kfd::kCreateQueue: {
      auto& args = *static_cast<kfd::CreateQueueArgs*>(argument);
      args.queue_id = static_cast<std::uint32_t>(queues_.size());
      queues_.push_back({args, 0});
      args.doorbell_offset = (std::uint64_t{3} << 62) + 0x4000 + args.queue_id * 0x10;
      break;
    }
    case kfd::kWaitEvents: {
      auto& args = *static_cast<kfd::WaitEventsArgs*>(argument);
      auto* events = reinterpret_cast<kfd::EventData*>(args.events_ptr);
      const std::uint32_t memory = args.num_events - 2;
      if (fault.memory_exception_data.gpu_id != 0)
        events[memory].memory_exception_data = fault.memory_exception_data;
      if (exception.hw_exception_data.gpu_id != 0) {
        events[memory + 1].hw_exception_data = exception.hw_exception_data;
      }
      break;
    }
    default: break;
  }
  return 0;
}

// A doorbell: runs the queue up to the value.
void FakeGpu::written(std::size_t offset, unsigned, std::uint64_t value) {
  if (!run_queues) return;
  RingQueue& queue = queues_.at(offset / 0x10);
  const bool compute = queue.args.queue_type == kfd::kQueueTypeCompute;
  const auto* ring = reinterpret_cast<const std::uint32_t*>(queue.args.ring_base_address);
  const std::uint64_t size = queue.args.ring_size / 4, end = compute ? value : value / 4;
  while (queue.done < end) {
    std::uint32_t packet[64];
    for (std::uint64_t i = 0; i < std::size(packet); ++i) packet[i] = ring[(queue.done + i) % size];
    if (!compute && (packet[0] & 0xff) == 4) call_ends.push_back((queue.done + 6) % size);
    queue.done += compute ? run_compute(packet) : run_copy(packet);
  }
  store(queue.args.read_pointer_address, compute ? queue.done : queue.done * 4);
}

std::size_t FakeGpu::run_compute(const std::uint32_t* words) {
  const pm4::Header header = pm4::decode_header(words[0]);
  const std::span<const std::uint32_t> packet(words, header.packet_words());
  if (header.is(pm4::Opcode::release_mem)) {
    const auto body = pm4::read_body<pm4::ReleaseMem>(packet);
    if (body.data_sel() == pm4::ReleaseData::low32) store(body.address(), body.data_lo);
    if (body.data_sel() == pm4::ReleaseData::value64) store(body.address(), join(body.data_lo, body.data_hi));
    if (body.data_sel() == pm4::ReleaseData::gpu_clock)
      store(body.address(), std::uint64_t{100 + dispatches.size()});
  } else if (header.is(pm4::Opcode::set_sh_reg)) {
    registers_.insert(registers_.end(), packet.begin() + 1, packet.end());
  } else if (header.is(pm4::Opcode::dispatch_direct)) {
    registers_.insert(registers_.end(), packet.begin(), packet.end());
    dispatches.push_back(std::move(registers_));
    registers_.clear();
  } else if (header.is(pm4::Opcode::indirect_buffer)) {
    const auto call = pm4::read_body<pm4::IndirectBuffer>(packet);
    const auto* commands = reinterpret_cast<const std::uint32_t*>(call.base());
    indirect_calls.push_back(call.size_words());
    for (std::size_t at = 0; at < call.size_words();) at += run_compute(commands + at);
  }
  return packet.size();
}

std::size_t FakeGpu::run_copy(const std::uint32_t* words) {
  const std::size_t length = sdma::packet_words({words, 16});
  switch (words[0] & 0xff) {
    case 1:
      std::memcpy(reinterpret_cast<void*>(join(words[5], words[6])),
                  reinterpret_cast<const void*>(join(words[3], words[4])), std::size_t{words[1]} + 1);
      break;
    case 2:
      std::memcpy(reinterpret_cast<void*>(join(words[1], words[2])), words + 4, (words[3] + 1) * 4);
      break;
    case 4: {
      const auto* commands = reinterpret_cast<const std::uint32_t*>(join(words[1], words[2]));
      indirect_calls.push_back(words[3]);
      for (std::size_t at = 0; at < words[3];) at += run_copy(commands + at);
      break;
    }
    case 5: store(join(words[1], words[2]), words[3]); break;
    case 13: store(join(words[1], words[2]), std::uint64_t{100 + dispatches.size()}); break;
    case 11: {
      const std::size_t bytes = words[0] >> 30 == 2 ? (words[4] / 4 + 1) * 4 : words[4] + 1;
      std::memset(reinterpret_cast<void*>(join(words[1], words[2])), static_cast<int>(words[3] & 0xff),
                  bytes);
      break;
    }
    default: break;
  }
  return length;
}

}  // namespace mockgpu::runtime
