#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "isa/amd/target.h"

/// Clang offload bundles: a file that holds one code object per target. Format: LLVM's ClangOffloadBundler
/// document.
namespace mockgpu::isa::object {

/// One entry of a bundle.
struct BundleEntry {
  std::string id;                    ///< e.g. `hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-`
  std::string processor;             ///< `gfx90a`; empty for host entries
  std::string features;              ///< `xnack-`; empty when there are none
  std::span<const std::byte> bytes;  ///< within the bundle
};

/// Whether the bytes start with the magic of a bundle, plain or compressed.
bool is_bundle(std::span<const std::byte> bytes);

/// The entries of a plain bundle, in the order of the file. Throws Error(unsupported) for a compressed bundle
/// (CCOB) and Error(bad_file) for a malformed one. `file` names the bytes in messages.
std::vector<BundleEntry> read_bundle(std::span<const std::byte> bytes, std::string_view file);

/// The code object for `target` in a bundle; with a null `target`, the only code object of the bundle. Throws
/// as read_bundle, and Error(bad_file) with the list of entries when none or more than one fits.
std::span<const std::byte> select_from_bundle(std::span<const std::byte> bytes, const amd::Target* target,
                                              std::string_view file);

}  // namespace mockgpu::isa::object
