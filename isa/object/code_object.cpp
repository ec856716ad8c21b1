#include "isa/object/code_object.h"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <unordered_set>

#include "isa/base/error.h"
#include "isa/object/bundle.h"
#include "isa/object/bytes.h"
#include "isa/object/generic_target.h"

namespace mockgpu::isa::object {
namespace {

constexpr std::uint32_t kNoteMetadata = 32;
constexpr std::string_view kDescriptorSuffix = ".kd";
constexpr std::uint64_t kCodeAlign = 256;
constexpr std::size_t kMostFileBytes = std::size_t{1} << 30;

// e_flags (LLVM AMDGPU usage guide, "AMDGPU ELF Header e_flags").
constexpr amd::Bits kMach{0, 8};
constexpr std::uint32_t kXnackV3 = 0x100;
constexpr std::uint32_t kSrameccV3 = 0x200;
constexpr amd::Bits kXnackV4{8, 2};
constexpr amd::Bits kSrameccV4{10, 2};

std::string describe_mach(std::uint8_t mach) {
  const std::string_view name = mach_name(mach);
  return name.empty() ? fmt::format("EF_AMDGPU_MACH {:#04x}", mach) : std::string(name);
}

std::string machine_name(std::uint16_t machine) {
  switch (machine) {
    case 3: return "x86";
    case 62: return "x86-64";
    case 183: return "AArch64";
    case 190: return "NVIDIA CUDA";
    case 243: return "RISC-V";
    default: return fmt::format("machine {}", machine);
  }
}

}  // namespace

CodeObject CodeObject::parse(std::span<const std::byte> bytes, const amd::Target* target,
                             std::string_view file) {
  if (is_bundle(bytes)) bytes = select_from_bundle(bytes, target, file);
  CodeObject object;
  object.file_ = std::string(file);
  object.bytes_.assign(bytes.begin(), bytes.end());
  const ByteReader reader(object.bytes_, object.file_);
  object.elf_ = parse_elf(reader);
  object.check_header(reader, target);
  for (const Symbol& symbol : object.elf_.symbols) {
    if (symbol.defined && !symbol.name.empty()) object.symbol_index_.emplace(symbol.name, &symbol);
  }
  object.read_kernels(reader);
  object.collect_functions();
  return object;
}

CodeObject CodeObject::read_file(const std::string& path, const amd::Target* target) {
  errno = 0;
  std::ifstream stream(path, std::ios::binary);
  std::vector<char> bytes;
  char buffer[64 * 1024];
  while (bytes.size() <= kMostFileBytes && (stream.read(buffer, sizeof(buffer)) || stream.gcount() > 0)) {
    bytes.insert(bytes.end(), buffer, buffer + stream.gcount());
  }
  if (bytes.size() > kMostFileBytes) {
    throw Error(Tag::bad_file, fmt::format("{}: larger than {} bytes", path, kMostFileBytes));
  }
  // A folder can be opened, but its first read fails without reaching an end.
  if (!stream.is_open() || !stream.eof()) {
    throw Error(Tag::bad_file,
                fmt::format("{}: {}", path, errno != 0 ? std::strerror(errno) : "cannot be read"));
  }
  return parse(std::as_bytes(std::span(bytes)), target, path);
}

void CodeObject::check_header(const ByteReader& reader, const amd::Target* target) {
  const elf::Header& header = elf_.header;
  if (header.machine != elf::kMachineAmdgpu) {
    reader.fail(fmt::format("an ELF file for {}, not for AMDGPU", machine_name(header.machine)));
  }
  if (header.ident[7] != elf::kOsabiHsa) {
    throw Error(Tag::unsupported, fmt::format("{}: code object for OS/ABI {} (HSA is {})", file_,
                                              header.ident[7], elf::kOsabiHsa));
  }
  const unsigned abi = header.ident[8];
  if (abi < 1 || abi > 4) {
    throw Error(Tag::unsupported,
                fmt::format("{}: code object version {} (ABI version {}); versions 3 to 6 are supported",
                            file_, abi + 2, abi));
  }
  version_ = abi + 2;
  if (header.type == elf::kTypeRelocatable)
    reader.fail("a relocatable object file: link it with ld.lld -shared");
  if (header.type != elf::kTypeShared)
    reader.fail(fmt::format("ELF type {} is not a shared object", header.type));
  if (elf_.segments.empty()) reader.fail("no loadable segments");
  set_features(header.flags);

  const auto mach = static_cast<std::uint8_t>(kMach.get(header.flags));
  const GenericTarget* generic = find_generic_target(mach);
  if (generic != nullptr) {
    target_ = target != nullptr && generic->covers(target->name) ? target
                                                                 : amd::find_target(generic->representative);
  } else {
    target_ = amd::find_target_by_mach(mach);
  }
  if (target_ == nullptr) {
    throw Error(Tag::unsupported, fmt::format("{}: code object for {}, which this program does not know",
                                              file_, describe_mach(mach)));
  }
  if (target != nullptr && target != target_ && target->name != target_->name) {
    reader.fail(fmt::format("a code object for {}, not for {}", describe_mach(mach), target->name));
  }
}

void CodeObject::set_features(std::uint32_t flags) {
  if (version_ == 3) {
    if (flags & kXnackV3) xnack_ = FeatureSetting::on;
    if (flags & kSrameccV3) sramecc_ = FeatureSetting::on;
    return;
  }
  xnack_ = static_cast<FeatureSetting>(kXnackV4.get(flags));
  sramecc_ = static_cast<FeatureSetting>(kSrameccV4.get(flags));
}

void CodeObject::read_kernels(const ByteReader& reader) {
  Metadata metadata;
  for (const Note& note : elf_.notes) {
    if (note.type == kNoteMetadata && note.name == "AMDGPU") {
      metadata = parse_metadata(note.contents, file_);
      break;
    }
  }
  std::unordered_set<std::string_view> seen;
  for (KernelMetadata& described : metadata.kernels) {
    const auto found = symbol_index_.find(described.symbol);
    if (found == symbol_index_.end()) {
      reader.fail(fmt::format("kernel {} has no symbol {}", described.name, described.symbol));
    }
    if (!seen.insert(found->first).second)
      reader.fail(fmt::format("two kernels use symbol {}", described.symbol));
    Kernel kernel = read_kernel(reader, described.name, *found->second);
    kernel.has_metadata = true;
    kernel.metadata = std::move(described);
    kernels_.push_back(std::move(kernel));
  }
  for (const Symbol& symbol : elf_.symbols) {
    if (!symbol.defined || !symbol.name.ends_with(kDescriptorSuffix) || !seen.insert(symbol.name).second)
      continue;
    Kernel kernel =
        read_kernel(reader, symbol.name.substr(0, symbol.name.size() - kDescriptorSuffix.size()), symbol);
    kernel.metadata.name = kernel.name;
    kernel.metadata.symbol = std::string(symbol.name);
    kernel.metadata.kernarg_segment_size = kernel.descriptor.kernarg_size;
    kernel.metadata.group_segment_fixed_size = kernel.descriptor.group_segment_fixed_size;
    kernel.metadata.private_segment_fixed_size = kernel.descriptor.private_segment_fixed_size;
    kernel.metadata.wavefront_size = kernel.wave32() ? 32 : 64;
    kernels_.push_back(std::move(kernel));
  }
}

Kernel CodeObject::read_kernel(const ByteReader& reader, std::string_view name, const Symbol& symbol) const {
  Kernel kernel;
  kernel.name = std::string(name);
  kernel.descriptor_address = symbol.address;
  const auto bytes = bytes_at(symbol.address, sizeof(KernelDescriptor));
  if (bytes.size() != sizeof(KernelDescriptor)) {
    reader.fail(
        fmt::format("the descriptor of kernel {} at {:#x} lies outside the segments", name, symbol.address));
  }
  std::memcpy(&kernel.descriptor, bytes.data(), sizeof(KernelDescriptor));
  kernel.entry_address =
      symbol.address + static_cast<std::uint64_t>(kernel.descriptor.kernel_code_entry_byte_offset);
  const Segment* code = elf_.segment_at(kernel.entry_address);
  if (code == nullptr || !code->executable) {
    reader.fail(
        fmt::format("the entry of kernel {} at {:#x} lies outside the code", name, kernel.entry_address));
  }
  if (kernel.entry_address % kCodeAlign != 0) {
    reader.fail(fmt::format("the entry of kernel {} at {:#x} is not aligned to {} bytes", name,
                            kernel.entry_address, kCodeAlign));
  }
  return kernel;
}

void CodeObject::collect_functions() {
  for (const Symbol& symbol : elf_.symbols) {
    if (!symbol.defined || symbol.name.empty()) continue;
    const bool global_label = symbol.type == elf::kSymbolNoType && symbol.binding == elf::kBindGlobal;
    if (symbol.type != elf::kSymbolFunction && !global_label) continue;
    const Segment* segment = elf_.segment_at(symbol.address);
    if (segment == nullptr || !segment->executable) continue;
    functions_.push_back(Function{symbol.name, symbol.address, symbol.size});
  }
  for (const Kernel& kernel : kernels_) functions_.push_back(Function{kernel.name, kernel.entry_address, 0});

  // By address; at the same address the symbol that knows its size first, so that it is kept.
  std::stable_sort(functions_.begin(), functions_.end(), [](const Function& a, const Function& b) {
    return a.address != b.address ? a.address < b.address : a.size > b.size;
  });
  const auto same = [](const Function& a, const Function& b) { return a.address == b.address; };
  functions_.erase(std::unique(functions_.begin(), functions_.end(), same), functions_.end());

  for (std::size_t i = 0; i < functions_.size(); ++i) {
    Function& function = functions_[i];
    const Segment* segment = elf_.segment_at(function.address);
    std::uint64_t most = segment->address + segment->file_bytes.size();
    most = most > function.address ? most - function.address : 0;
    if (function.size == 0 && i + 1 < functions_.size()) {
      most = std::min(most, functions_[i + 1].address - function.address);
    }
    function.size = function.size == 0 ? most : std::min(function.size, most);
  }
}

const Kernel* CodeObject::find_kernel(std::string_view name) const {
  for (const Kernel& kernel : kernels_) {
    if (kernel.name == name || kernel.metadata.symbol == name) return &kernel;
  }
  return nullptr;
}

const Kernel& CodeObject::kernel(std::string_view name) const {
  if (const Kernel* found = find_kernel(name)) return *found;
  std::string names;
  for (const Kernel& kernel : kernels_) {
    if (!names.empty()) names += ", ";
    names += kernel.name;
  }
  throw Error(Tag::bad_usage,
              fmt::format("{}: no kernel '{}'; it has: {}", file_, name, names.empty() ? "none" : names));
}

const Symbol* CodeObject::find_symbol(std::string_view name) const {
  const auto found = symbol_index_.find(name);
  return found == symbol_index_.end() ? nullptr : found->second;
}

std::optional<CodeLocation> CodeObject::locate(std::uint64_t address) const {
  auto next =
      std::upper_bound(functions_.begin(), functions_.end(), address,
                       [](std::uint64_t at, const Function& function) { return at < function.address; });
  if (next == functions_.begin()) return std::nullopt;
  const Function& function = *std::prev(next);
  const std::uint64_t offset = address - function.address;
  if (offset >= function.size) return std::nullopt;
  return CodeLocation{function.name, offset};
}

std::span<const std::byte> CodeObject::bytes_at(std::uint64_t address, std::uint64_t size) const {
  const Segment* segment = elf_.segment_at(address);
  if (segment == nullptr) return {};
  const std::uint64_t offset = address - segment->address;
  if (offset >= segment->file_bytes.size()) return {};
  const std::uint64_t most = std::min<std::uint64_t>(size, segment->file_bytes.size() - offset);
  return segment->file_bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(most));
}

}  // namespace mockgpu::isa::object
