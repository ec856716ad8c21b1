#include <fmt/format.h>

#include <cstring>

#include "isa/amd/asm/file_assembler.h"
#include "isa/amd/asm/metadata_text.h"
#include "isa/object/elf.h"
#include "isa/object/metadata.h"

namespace mockgpu::isa::amd {
namespace {

// Feature bits of e_flags (code object v4 and later): not supported 0, any 1, off 2, on 3.
constexpr unsigned kXnack = 8, kSramecc = 10;

bool has_xnack(const Target& target) {
  return target.version[0] == 9 || target.generation == Generation::rdna1 ||
         target.generation == Generation::gfx1250;
}

bool has_sramecc(const Target& target) {
  return target.name == "gfx906" || target.name == "gfx908" || target.name == "gfx90a" ||
         target.name == "gfx942" || target.name == "gfx950" || target.name == "gfx1250";
}

std::uint32_t feature(std::string_view features, std::string_view name, bool supported) {
  if (!supported) return 0;
  if (features.find(fmt::format(":{}+", name)) != std::string_view::npos) return 3;
  if (features.find(fmt::format(":{}-", name)) != std::string_view::npos) return 2;
  return 1;
}

}  // namespace

void FileAssembler::choose_target(const Target& target, std::string_view features, std::size_t column) {
  if (target_ && target_ != &target)
    throw Mismatch{column, fmt::format("the target is {}, not {}", target_->name, target.name)};
  target_ = &target;
  parts_.flags = target.elf_mach | feature(features, "xnack", has_xnack(target)) << kXnack |
                 feature(features, "sramecc", has_sramecc(target)) << kSramecc;
}

// .amdgcn_target "amdgcn-amd-amdhsa--gfx90a:xnack+"
void FileAssembler::target_directive(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::string text = scanner_.quoted();
  constexpr std::string_view kPrefix = "amdgcn-amd-amdhsa-";
  std::string_view name = text;
  if (!name.starts_with(kPrefix)) throw Mismatch{column, "unknown target", "\"amdgcn-amd-amdhsa--gfx1100\""};
  name.remove_prefix(kPrefix.size());
  name.remove_prefix(name.rfind('-') == std::string_view::npos ? 0 : name.find('-') + 1);
  const std::size_t features = name.find(':');
  const Target* target = find_target(name.substr(0, features));
  if (!target) {
    reader_.end();  // nothing makes sense without it
    throw Mismatch{column, fmt::format("{} is no target", name.substr(0, features))};
  }
  if (source_.wave64 && !target->wave64)
    throw Mismatch{column, fmt::format("{} has no waves of 64 lanes", target->name)};
  choose_target(*target, features == std::string_view::npos ? std::string_view() : name.substr(features),
                column);
}

void FileAssembler::object_version(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::int64_t version = known("the version");
  if (version < 4 || version > 6)
    throw Mismatch{column, fmt::format("code object version {} is not supported", version), "4 5 6"};
  parts_.abi_version = static_cast<std::uint8_t>(version - 2);
}

void FileAssembler::kernel(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::string name = symbol_name();
  KernelSetting setting;
  setting.target = &target(column);
  setting.wave64 = wave64();
  setting.xnack = (parts_.flags >> kXnack & 1) != 0;  // any 1, on 3
  kernel_.emplace(setting, name);
  kernel_line_ = line_;
}

void FileAssembler::kernel_value(std::string_view directive) {
  const std::size_t value_column = scanner_.column();
  const std::int64_t value = known("the value");
  kernel_->set(directive, value, line_->text.find(directive), value_column);
  if (directive != ".amdhsa_wavefront_size32" || target_->version[0] < 10) return;
  if ((value == 0) == wave64()) return;
  if (value == 0 && !target_->wave64)
    throw Mismatch{value_column, fmt::format("{} has no waves of 64 lanes", target_->name)};
  throw OtherWaveSize{};
}

// The descriptor goes to .rodata; where its code starts is a difference of addresses that is known at the
// end.
void FileAssembler::end_kernel(std::string_view) {
  if (!kernel_) scanner_.fail(".end_amdhsa_kernel without .amdhsa_kernel");
  KernelDirectives directives = *kernel_;
  kernel_.reset();
  const object::KernelDescriptor descriptor = directives.finish();
  constexpr std::uint64_t kAlign = 64;
  const int section = section_;
  section_ = section_called(".rodata");
  align_to(kAlign, 0u, 1, ~std::uint64_t{0});
  const std::string name = directives.kernel();
  define(name + ".kd", here(), 0);
  symbol(name);  // from here on both exist, and stay where they are
  AsmSymbol& code = symbol(name);
  AsmSymbol& entry = symbol(name + ".kd");
  constexpr std::uint8_t kProtectedVisibility = 3;
  entry.binding = code.defined ? code.binding : std::max(code.binding, object::elf::kBindGlobal);
  entry.visibility = code.visibility;
  if (code.visibility == 0) code.visibility = kProtectedVisibility;
  entry.type = object::elf::kSymbolObject;
  entry.size = Expression(sizeof descriptor);
  auto& data = parts_.sections[static_cast<std::size_t>(section_)].data;
  const std::size_t begin = data.size();
  data.resize(begin + sizeof descriptor);
  std::memcpy(data.data() + begin, &descriptor, sizeof descriptor);
  Fixup fixup;
  fixup.kind = Fixup::Kind::entry;
  fixup.section = section_;
  fixup.offset = begin + offsetof(object::KernelDescriptor, kernel_code_entry_byte_offset);
  fixup.size = 8;
  fixup.expression = Expression::of_symbol(name);
  fixup.line = kernel_line_;
  fixups_.push_back(std::move(fixup));
  section_ = section;
}

void FileAssembler::metadata(std::string_view) {
  end_of_statement();
  const SourceLinePtr line = line_;
  const auto lines = reader_.block(".amdgpu_metadata", ".end_amdgpu_metadata");
  if (!parts_.metadata.empty()) {
    line_ = line;
    throw Mismatch{0, "the file has .amdgpu_metadata twice"};
  }
  try {
    parts_.metadata = pack_metadata(lines);
    object::parse_metadata(parts_.metadata, ".amdgpu_metadata");
  } catch (const Error& error) {
    line_ = line;
    throw Mismatch{0, error.message()};
  } catch (const MetadataMismatch& mismatch) {
    line_ = mismatch.line ? mismatch.line : line;
    scanner_ = Scanner(line_->text);
    throw mismatch.mismatch;
  }
}

// .amdgpu_lds name, size, alignment: group memory of the program, one piece after the other.
void FileAssembler::group_memory(std::string_view) {
  const std::size_t column = scanner_.column();
  const std::string name = symbol_name();
  scanner_.expect(",");
  const std::size_t size_column = scanner_.column();
  const std::int64_t size = known("the size");
  std::int64_t alignment = 4;
  if (scanner_.accept(",")) {
    const std::size_t alignment_column = scanner_.column();
    alignment = known("the alignment");
    constexpr std::int64_t kMost = 0x10000;
    if (alignment <= 0 || alignment > kMost || (alignment & (alignment - 1)))
      throw Mismatch{alignment_column, fmt::format("an alignment of {}", alignment), "a power of two"};
  }
  constexpr std::int64_t kMostBytes = 0x10000;
  const std::int64_t start = (group_memory_ + alignment - 1) / alignment * alignment;
  if (size < 0 || size > kMostBytes - start)
    throw Mismatch{size_column,
                   fmt::format("{} bytes at {:#x} are more group memory than there is", size, start),
                   fmt::format("0 to {}", kMostBytes - start)};
  define(name, {start, Value::kAbsolute, true}, column);
  group_memory_ = start + size;
}

}  // namespace mockgpu::isa::amd
