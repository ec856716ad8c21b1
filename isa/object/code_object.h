#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "isa/amd/target.h"
#include "isa/object/elf.h"
#include "isa/object/kernel_descriptor.h"
#include "isa/object/metadata.h"

namespace mockgpu::isa::object {

/// How a code object was compiled with respect to a target feature (e_flags, code object v4 and later; v3
/// knows only unsupported and on).
enum class FeatureSetting : std::uint8_t { unsupported, any, off, on };

/// One kernel: its descriptor, and what the metadata says about it.
struct Kernel {
  std::string name;                      ///< `vecadd`
  std::uint64_t descriptor_address = 0;  ///< of the `.kd` symbol, as linked
  std::uint64_t entry_address = 0;       ///< of the first instruction, as linked
  KernelDescriptor descriptor{};
  bool has_metadata =
      false;  ///< hand-written objects may lack it; then `metadata` holds names and descriptor sizes
  KernelMetadata metadata;

  bool wave32() const { return descriptor.wave32(); }
};

/// Code between two addresses.
struct Function {
  std::string_view name;
  std::uint64_t address = 0;  ///< as linked
  std::uint64_t size = 0;     ///< bytes, never beyond its segment
};

/// A place in the code: `vecadd+0x68`.
struct CodeLocation {
  std::string_view function;
  std::uint64_t offset = 0;
};

/// An AMDGPU code object for HSA, versions 3 to 6: kernels, functions, symbols and segments. Owns its bytes;
/// views that it hands out live as long as it does. Moving keeps them valid. All addresses are as linked;
/// `load_image` (image.h) says where they end up.
class CodeObject {
 public:
  /// Parses an ELF file or a clang offload bundle. With a `target`, picks that target's entry of a bundle and
  /// refuses an ELF for another one (generic processors of its family are accepted). `file` names the bytes
  /// in messages. Throws Error(bad_file) for everything malformed and Error(unsupported) for code object
  /// versions, operating systems and processors that this program does not know.
  static CodeObject parse(std::span<const std::byte> bytes, const amd::Target* target = nullptr,
                          std::string_view file = "code object");

  /// Reads and parses a file of at most 1 GiB; its path names it in messages. Throws Error(bad_file) when it
  /// cannot be read.
  static CodeObject read_file(const std::string& path, const amd::Target* target = nullptr);

  /// The target whose instructions the code uses; the requested one for a generic code object.
  const amd::Target& target() const { return *target_; }
  /// The code object version: 3 to 6.
  unsigned version() const { return version_; }
  FeatureSetting xnack() const { return xnack_; }
  FeatureSetting sramecc() const { return sramecc_; }
  const std::string& file() const { return file_; }

  /// In the order of the metadata, then those without metadata in the order of the symbols.
  std::span<const Kernel> kernels() const { return kernels_; }
  /// The kernel called `name` (`vecadd` or `vecadd.kd`). Throws Error(bad_usage) that lists those there are.
  const Kernel& kernel(std::string_view name) const;
  /// As kernel(), or null.
  const Kernel* find_kernel(std::string_view name) const;

  std::span<const Segment> segments() const { return elf_.segments; }
  std::span<const Symbol> symbols() const { return elf_.symbols; }
  std::span<const Symbol> dynamic_symbols() const { return elf_.dynamic_symbols; }
  std::span<const Relocation> relocations() const { return elf_.relocations; }
  /// A defined symbol, e.g. a global variable; null when there is none.
  const Symbol* find_symbol(std::string_view name) const;

  /// The code of the file by rising address: function symbols, and kernels that lack one. Functions of
  /// unknown size end at the next one or with their segment.
  std::span<const Function> functions() const { return functions_; }
  /// The function around an address and the offset in it; empty outside all functions.
  std::optional<CodeLocation> locate(std::uint64_t address) const;
  /// The file's bytes from `address` on, at most `size` and not beyond the segment's file bytes; empty
  /// outside.
  std::span<const std::byte> bytes_at(std::uint64_t address, std::uint64_t size) const;

  CodeObject(CodeObject&&) = default;
  CodeObject& operator=(CodeObject&&) = default;
  CodeObject(const CodeObject&) = delete;  // its parts point into its bytes
  CodeObject& operator=(const CodeObject&) = delete;

 private:
  CodeObject() = default;
  void check_header(const ByteReader& reader, const amd::Target* target);
  void set_features(std::uint32_t flags);
  void read_kernels(const ByteReader& reader);
  Kernel read_kernel(const ByteReader& reader, std::string_view name, const Symbol& symbol) const;
  void collect_functions();

  std::string file_;
  std::vector<std::byte> bytes_;
  ElfFile elf_{};
  const amd::Target* target_ = nullptr;
  unsigned version_ = 0;
  FeatureSetting xnack_ = FeatureSetting::unsupported;
  FeatureSetting sramecc_ = FeatureSetting::unsupported;
  std::vector<Kernel> kernels_;
  std::unordered_map<std::string_view, const Symbol*> symbol_index_;
  std::vector<Function> functions_;
};

}  // namespace mockgpu::isa::object
