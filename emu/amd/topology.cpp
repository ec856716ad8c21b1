#include "emu/amd/topology.h"

#include <fmt/format.h>
#include <unistd.h>

namespace mockgpu::emu::amd {
namespace {

constexpr std::string_view kTopology = "/sys/devices/virtual/kfd/kfd/topology";
constexpr std::uint32_t kFirstSimdId = 2147488032;
constexpr std::uint64_t kFirstUniqueId = 0x6d6f636b67707500;  // "mockgpu" and the device's index

/// Builds the `key value` lines of a topology file.
class Properties {
 public:
  Properties& add(std::string_view key, std::uint64_t value) {
    text_ += fmt::format("{} {}\n", key, value);
    return *this;
  }
  std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

std::uint64_t host_memory() {
  return static_cast<std::uint64_t>(sysconf(_SC_PHYS_PAGES)) *
         static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
}

struct Cache {
  std::uint32_t level, size_kib, type;
};
enum CacheType : std::uint32_t { kData = 1 | 8, kInstruction = 2 | 8 };  // bit 3: of the GPU

void add_caches(FileTree& tree, const std::string& folder, const Model& model) {
  const Cache caches[] = {{1, model.l1_kib, kData},
                          {1, model.scalar_kib, kData},
                          {1, model.instruction_kib, kInstruction},
                          {2, model.l2_kib, kData},
                          {3, model.l3_kib, kData}};
  int index = 0;
  for (const Cache& cache : caches) {
    Properties text;
    text.add("processor_id_low", kFirstSimdId).add("level", cache.level).add("size", cache.size_kib);
    text.add("cache_line_size", model.cache_line).add("cache_lines_per_tag", 1).add("association", 16);
    text.add("latency", 1).add("type", cache.type);
    tree.add_text(fmt::format("{}/caches/{}/properties", folder, index++), text.take() + "sibling_map 1\n");
  }
}

std::string link_text(std::uint32_t from, std::uint32_t to) {
  Properties text;
  text.add("type", 2)
      .add("version_major", 0)
      .add("version_minor", 0)
      .add("node_from", from)
      .add("node_to", to);
  text.add("weight", 20).add("min_latency", 0).add("max_latency", 0).add("min_bandwidth", 312);
  text.add("max_bandwidth", 31504)
      .add("recommended_transfer_size", 0)
      .add("recommended_sdma_engine_id_mask", 0);
  text.add("flags", 1);
  return text.take();
}

void add_processor(FileTree& tree, std::size_t gpus) {
  const std::string folder = fmt::format("{}/nodes/0", kTopology);
  tree.add_text(folder + "/gpu_id", "0\n");
  tree.add_text(folder + "/name", "\n");
  Properties text;
  text.add("cpu_cores_count", static_cast<std::uint64_t>(sysconf(_SC_NPROCESSORS_ONLN))).add("simd_count", 0);
  text.add("mem_banks_count", 1).add("caches_count", 0).add("io_links_count", gpus).add("p2p_links_count", 0);
  text.add("cpu_core_id_base", 0)
      .add("simd_id_base", 0)
      .add("max_waves_per_simd", 0)
      .add("lds_size_in_kb", 0);
  text.add("gds_size_in_kb", 0).add("num_gws", 0).add("wave_front_size", 0).add("array_count", 0);
  text.add("simd_arrays_per_engine", 0).add("cu_per_simd_array", 0).add("simd_per_cu", 0);
  text.add("max_slots_scratch_cu", 0).add("gfx_target_version", 0).add("vendor_id", 0).add("device_id", 0);
  text.add("location_id", 0).add("domain", 0).add("drm_render_minor", 0).add("hive_id", 0);
  text.add("num_sdma_engines", 0).add("num_sdma_xgmi_engines", 0).add("num_sdma_queues_per_engine", 0);
  text.add("num_cp_queues", 0).add("max_engine_clk_ccompute", 3600);
  tree.add_text(folder + "/properties", text.take());
  Properties bank;
  bank.add("heap_type", 0).add("size_in_bytes", host_memory()).add("flags", 0).add("width", 64);
  bank.add("mem_clk_max", 3200);
  tree.add_text(folder + "/mem_banks/0/properties", bank.take());
  for (std::size_t i = 0; i < gpus; ++i) {
    tree.add_text(fmt::format("{}/io_links/{}/properties", folder, i),
                  link_text(0, static_cast<std::uint32_t>(i + 1)));
  }
}

void add_gpu(FileTree& tree, const TopologyNode& gpu, std::uint32_t number) {
  const Model& m = *gpu.model;
  const std::string folder = fmt::format("{}/nodes/{}", kTopology, number);
  tree.add_text(folder + "/gpu_id", fmt::format("{}\n", gpu.gpu_id));
  tree.add_text(folder + "/name", "ip discovery\n");
  Properties text;
  text.add("cpu_cores_count", 0)
      .add("simd_count", m.compute_units * m.simds_per_cu)
      .add("mem_banks_count", 1);
  text.add("caches_count", 5).add("io_links_count", 1).add("p2p_links_count", 0).add("cpu_core_id_base", 0);
  text.add("simd_id_base", kFirstSimdId).add("max_waves_per_simd", m.waves_per_simd);
  text.add("lds_size_in_kb", m.lds_kib).add("gds_size_in_kb", 0).add("num_gws", 64);
  text.add("wave_front_size", m.wave_size).add("array_count", m.arrays);
  text.add("simd_arrays_per_engine", m.arrays_per_engine).add("cu_per_simd_array", m.cus_per_array);
  text.add("simd_per_cu", m.simds_per_cu).add("max_slots_scratch_cu", m.scratch_slots_per_cu);
  text.add("gfx_target_version", m.gfx_target_version).add("vendor_id", 4098).add("device_id", m.device_id);
  text.add("location_id", gpu.bus << 8).add("domain", 0).add("drm_render_minor", gpu.render_minor);
  text.add("hive_id", 0).add("num_sdma_engines", m.sdma_engines);
  text.add("num_sdma_xgmi_engines", m.sdma_xgmi_engines);
  text.add("num_sdma_queues_per_engine", m.sdma_queues_per_engine).add("num_cp_queues", m.compute_queues);
  text.add("max_engine_clk_fcompute", m.clock_mhz).add("local_mem_size", 0).add("fw_version", m.fw_version);
  // As a driver that was built without shared virtual memory.
  constexpr std::uint32_t kSvmSupported = 1u << 27;
  text.add("capability", m.capability & ~kSvmSupported).add("debug_prop", m.debug_prop);
  text.add("sdma_fw_version", m.sdma_fw_version).add("unique_id", kFirstUniqueId + number).add("num_xcc", 1);
  text.add("max_engine_clk_ccompute", 3600);
  tree.add_text(folder + "/properties", text.take());
  Properties bank;
  bank.add("heap_type", 1).add("size_in_bytes", gpu.vram_bytes).add("flags", 0).add("width", m.vram_width);
  bank.add("mem_clk_max", m.vram_clock_mhz);
  tree.add_text(folder + "/mem_banks/0/properties", bank.take());
  add_caches(tree, folder, m);
  tree.add_text(folder + "/io_links/0/properties", link_text(number, 0));
}

struct IpBlock {
  std::uint32_t hardware_id;
  std::string_view name;
  IpVersion version;
  std::string_view bases;
};

void add_pci_device(FileTree& tree, const TopologyNode& gpu) {
  const Model& m = *gpu.model;
  const std::string address = fmt::format("0000:{:02x}:00.0", gpu.bus);
  const std::string folder = fmt::format("/sys/devices/pci0000:00/{}", address);
  tree.add_text(folder + "/vendor", "0x1002\n");
  tree.add_text(folder + "/device", fmt::format("0x{:04x}\n", m.device_id));
  tree.add_text(folder + "/revision", "0xc8\n");
  tree.add_text(folder + "/unique_id", fmt::format("{:016x}\n", kFirstUniqueId + gpu.render_minor - 127));
  tree.add_text(folder + "/mem_info_vram_total", fmt::format("{}\n", gpu.vram_bytes));
  // Segment bases of the blocks, as the discovery table of this part has them.
  const IpBlock blocks[] = {
      {11, "GC", m.gc, "0x00001260\n0x0000A000\n0x0001C000\n0x02402C00\n"},
      {42, "SDMA0", m.sdma, "0x00001260\n0x0000A000\n0x0001C000\n0x02402C00\n"},
      {108, "NBIF", m.nbif, "0x00000000\n0x00000014\n0x00000D20\n0x00010400\n0x0241B000\n0x04040000\n"}};
  const std::string dies = folder + "/ip_discovery/die/0";
  tree.add_text(dies + "/num_ips", fmt::format("{}\n", std::size(blocks)));
  for (const IpBlock& block : blocks) {
    const std::string instance = fmt::format("{}/{}/0", dies, block.hardware_id);
    tree.add_text(instance + "/hw_id", fmt::format("{}\n", block.hardware_id));
    tree.add_text(instance + "/num_instance", "0\n");
    tree.add_text(instance + "/major", fmt::format("{}\n", block.version.major));
    tree.add_text(instance + "/minor", fmt::format("{}\n", block.version.minor));
    tree.add_text(instance + "/revision", fmt::format("{}\n", block.version.revision));
    tree.add_text(instance + "/base_addr", std::string(block.bases));
    tree.add_link(fmt::format("{}/{}", dies, block.name), fmt::format("{}", block.hardware_id));
  }
  const std::string node = fmt::format("renderD{}", gpu.render_minor);
  tree.add_text(fmt::format("{}/drm/{}/dev", folder, node), fmt::format("226:{}\n", gpu.render_minor));
  tree.add_link(fmt::format("{}/drm/{}/device", folder, node), "../..");
  const std::string inner = fmt::format("devices/pci0000:00/{}/drm/{}", address, node);
  tree.add_link("/sys/class/drm/" + node, "../../" + inner);
  tree.add_link(fmt::format("/sys/dev/char/226:{}", gpu.render_minor), "../../" + inner);
}

}  // namespace

std::uint32_t gpu_id_of(unsigned index) { return (50148 + index * 4099) & 0xffff; }

void add_topology(FileTree& tree, const std::vector<TopologyNode>& gpus) {
  for (const char* root :
       {"/sys/devices/virtual/kfd", "/sys/class/kfd", "/sys/class/drm", "/sys/module/amdgpu", "/sys/dev/char",
        "/sys/devices/pci0000:00", "/proc/modules"}) {
    tree.add_root(root);
  }
  tree.add_link("/sys/class/kfd/kfd", "../../devices/virtual/kfd/kfd");
  tree.add_text(fmt::format("{}/generation_id", kTopology), "2\n");
  tree.add_text(fmt::format("{}/system_properties", kTopology),
                "platform_oem 0\nplatform_id 0\nplatform_rev 0\n");
  add_processor(tree, gpus.size());
  std::uint32_t number = 1;
  for (const TopologyNode& gpu : gpus) {
    add_gpu(tree, gpu, number++);
    add_pci_device(tree, gpu);
  }
  tree.add_text("/sys/module/amdgpu/initstate", "live\n");
  tree.add_text("/sys/module/amdgpu/refcnt", "1\n");
  tree.add_text("/sys/module/amdgpu/coresize", "15728640\n");
  tree.add_text("/proc/modules", "amdgpu 15728640 1 - Live 0x0000000000000000\n");
}

}  // namespace mockgpu::emu::amd
