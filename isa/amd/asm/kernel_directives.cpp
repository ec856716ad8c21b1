#include "isa/amd/asm/kernel_directives.h"

#include <fmt/format.h>

#include <algorithm>

namespace mockgpu::isa::amd {
namespace {

enum class Word : std::uint8_t { rsrc1, rsrc2, rsrc3, properties, preload, own };

// Which targets have a directive, other than by LLVM's major version.
enum class Needs : std::uint8_t {
  nothing,
  unified,      // gfx90a and later CDNA: one file of vector registers for both kinds
  preload,      // arguments that come in SGPRs
  architected,  // flat scratch addresses of hardware's own
  not_architected,
  processor_mode,  // workgroups that take both halves of a processor
  gfx1250
};

// A directive that fills a bit field; `own` ones are treated by name. `usual` is the value where the
// directive is missing.
struct Directive {
  std::string_view name;
  Word word;
  unsigned low, length;
  unsigned from = 0, to = 99;  // major versions
  unsigned usual = 0;
  Needs needs = Needs::nothing;
};

constexpr std::uint64_t kMost32 = 0xffffffff;

constexpr Directive kDirectives[] = {
    {"group_segment_fixed_size", Word::own, 0, 32},
    {"private_segment_fixed_size", Word::own, 0, 32},
    {"kernarg_size", Word::own, 0, 32},
    {"next_free_vgpr", Word::own, 0, 16},
    {"next_free_sgpr", Word::own, 0, 16},
    {"accum_offset", Word::own, 0, 16, 9, 9, 0, Needs::unified},
    {"reserve_vcc", Word::own, 0, 1, 0, 99, 1},
    {"reserve_flat_scratch", Word::own, 0, 1, 0, 99, 1, Needs::not_architected},
    {"reserve_xnack_mask", Word::own, 0, 1},
    {"user_sgpr_count", Word::own, 0, 6},
    {"user_sgpr_private_segment_buffer", Word::properties, 0, 1, 0, 99, 0, Needs::not_architected},
    {"user_sgpr_dispatch_ptr", Word::properties, 1, 1},
    {"user_sgpr_queue_ptr", Word::properties, 2, 1},
    {"user_sgpr_kernarg_segment_ptr", Word::properties, 3, 1},
    {"user_sgpr_dispatch_id", Word::properties, 4, 1},
    {"user_sgpr_flat_scratch_init", Word::properties, 5, 1, 0, 99, 0, Needs::not_architected},
    {"user_sgpr_private_segment_size", Word::properties, 6, 1},
    {"user_sgpr_kernarg_preload_length", Word::preload, 0, 7, 0, 99, 0, Needs::preload},
    {"user_sgpr_kernarg_preload_offset", Word::preload, 7, 9, 0, 99, 0, Needs::preload},
    {"wavefront_size32", Word::properties, 10, 1, 10},
    {"uses_dynamic_stack", Word::properties, 11, 1},
    {"enable_private_segment", Word::rsrc2, 0, 1, 0, 99, 0, Needs::architected},
    {"system_sgpr_private_segment_wavefront_offset", Word::rsrc2, 0, 1, 0, 99, 0, Needs::not_architected},
    {"system_sgpr_workgroup_id_x", Word::rsrc2, 7, 1, 0, 99, 1},
    {"system_sgpr_workgroup_id_y", Word::rsrc2, 8, 1},
    {"system_sgpr_workgroup_id_z", Word::rsrc2, 9, 1},
    {"system_sgpr_workgroup_info", Word::rsrc2, 10, 1},
    {"system_vgpr_workitem_id", Word::rsrc2, 11, 2},
    {"exception_fp_ieee_invalid_op", Word::rsrc2, 24, 1},
    {"exception_fp_denorm_src", Word::rsrc2, 25, 1},
    {"exception_fp_ieee_div_zero", Word::rsrc2, 26, 1},
    {"exception_fp_ieee_overflow", Word::rsrc2, 27, 1},
    {"exception_fp_ieee_underflow", Word::rsrc2, 28, 1},
    {"exception_fp_ieee_inexact", Word::rsrc2, 29, 1},
    {"exception_int_div_zero", Word::rsrc2, 30, 1},
    {"float_round_mode_32", Word::rsrc1, 12, 2},
    {"float_round_mode_16_64", Word::rsrc1, 14, 2},
    {"float_denorm_mode_32", Word::rsrc1, 16, 2},
    {"float_denorm_mode_16_64", Word::rsrc1, 18, 2, 0, 99, 3},
    {"dx10_clamp", Word::rsrc1, 21, 1, 0, 11, 1},
    {"round_robin_scheduling", Word::rsrc1, 21, 1, 12},
    {"ieee_mode", Word::rsrc1, 23, 1, 0, 11, 1},
    {"fp16_overflow", Word::rsrc1, 26, 1, 9},
    {"workgroup_processor_mode", Word::rsrc1, 29, 1, 10, 99, 1, Needs::processor_mode},
    {"memory_ordered", Word::rsrc1, 30, 1, 10, 99, 1},
    {"forward_progress", Word::rsrc1, 31, 1, 10},
    {"shared_vgpr_count", Word::rsrc3, 0, 4, 10, 11},
    {"inst_pref_size", Word::rsrc3, 4, 6, 11, 11},
    {"inst_pref_size", Word::rsrc3, 4, 8, 12},
    {"named_barrier_count", Word::rsrc3, 14, 3, 0, 99, 0, Needs::gfx1250},
    {"tg_split", Word::rsrc3, 16, 1, 9, 9, 0, Needs::unified},
};

// SGPRs that the enabled properties take, by bit.
constexpr unsigned kUserSgprs[] = {4, 2, 2, 2, 2, 2, 1};

bool is_unified(const Target& target) {
  return target.generation == Generation::cdna2 || target.generation == Generation::cdna3 ||
         target.generation == Generation::cdna4;
}

bool has_architected_scratch(const Target& target) {
  return target.version[0] >= 11 || target.generation == Generation::cdna3 ||
         target.generation == Generation::cdna4;
}

bool is_met(Needs needs, const Target& target) {
  const bool gfx1250 = target.generation == Generation::gfx1250;
  switch (needs) {
    case Needs::nothing: return true;
    case Needs::unified: return is_unified(target);
    case Needs::preload: return is_unified(target) || gfx1250;
    case Needs::architected: return has_architected_scratch(target);
    case Needs::not_architected: return !has_architected_scratch(target);
    case Needs::processor_mode: return !gfx1250;
    case Needs::gfx1250: return gfx1250;
  }
  return false;
}

bool applies(const Directive& directive, const Target& target) {
  const unsigned major = target.version[0];
  return major >= directive.from && major <= directive.to && is_met(directive.needs, target);
}

// Where a directive could stand.
std::string requirement(const Directive& directive) {
  switch (directive.needs) {
    case Needs::unified: return "it needs gfx90a, gfx942 or gfx950";
    case Needs::preload: return "it needs gfx90a, gfx942, gfx950 or gfx1250";
    case Needs::architected:
      return "it needs architected flat scratch: gfx942, gfx950, gfx11 and later; here "
             ".amdhsa_system_sgpr_private_segment_wavefront_offset does it";
    case Needs::not_architected:
      return "it is not supported with architected flat scratch; here .amdhsa_enable_private_segment does it";
    case Needs::gfx1250: return "it needs gfx1250";
    default: break;
  }
  if (directive.to == 99) return fmt::format("it needs gfx{}+", directive.from);
  return directive.from == 0 ? fmt::format("it needs gfx{} or earlier", directive.to)
                             : fmt::format("it needs gfx{} or gfx{}", directive.from, directive.to);
}

constexpr std::string_view kPrefix = ".amdhsa_";

}  // namespace

KernelDirectives::KernelDirectives(const KernelSetting& setting, std::string kernel)
    : setting_(setting), target_(*setting.target), kernel_(std::move(kernel)) {}

void KernelDirectives::set(std::string_view name, std::int64_t value, std::size_t column,
                           std::size_t value_column) {
  const Directive *found = nullptr, *elsewhere = nullptr;
  for (const Directive& directive : kDirectives) {
    if (name.substr(kPrefix.size()) != directive.name) continue;
    elsewhere = &directive;
    if (applies(directive, target_)) found = &directive;
  }
  if (!elsewhere) throw Mismatch{column, fmt::format("unknown directive {}", name)};
  if (!found)
    throw Mismatch{column, fmt::format("{} has no {}", target_.name, name), requirement(*elsewhere)};
  const std::uint64_t most = found->length >= 32 ? kMost32 : (std::uint64_t{1} << found->length) - 1;
  if (value < 0 || static_cast<std::uint64_t>(value) > most)
    throw Mismatch{value_column, fmt::format("{} {} is out of range", name, value),
                   fmt::format("0 to {}", most)};
  if (found->name == "reserve_xnack_mask" && (value != 0) != setting_.xnack)
    throw Mismatch{value_column, fmt::format("{} {} does not match the target id", name, value),
                   fmt::format("{} for {}{}", int{setting_.xnack}, target_.name,
                               setting_.xnack ? " unless it has :xnack-" : " without xnack")};
  if (!values_.emplace(found->name, value).second)
    throw Mismatch{column, fmt::format("{} stands here twice", name)};
}

std::int64_t KernelDirectives::value(std::string_view directive, std::int64_t otherwise) const {
  const auto it = values_.find(directive);
  return it == values_.end() ? otherwise : it->second;
}

std::uint32_t KernelDirectives::vgpr_field() const {
  const std::int64_t granule = is_unified(target_)                         ? 8
                               : target_.version[0] < 10                   ? 4
                               : target_.generation == Generation::gfx1250 ? 16
                               : setting_.wave64                           ? 4
                                                                           : 8;
  const std::int64_t count = value("next_free_vgpr", 0);
  return count > 0 ? static_cast<std::uint32_t>((count + granule - 1) / granule - 1) : 0;
}

// Up to gfx9 the special registers follow the kernel's own; later all waves have all SGPRs.
std::uint32_t KernelDirectives::sgpr_field() const {
  if (target_.version[0] >= 10) return 0;
  constexpr std::int64_t kGranule = 8;  // of the field; hardware gives them out by 16
  std::int64_t extra = value("reserve_vcc", 1) ? 2 : 0;
  if (setting_.xnack) extra = 4;
  if (has_architected_scratch(target_) || value("reserve_flat_scratch", 1)) extra = 6;
  const std::int64_t count = value("next_free_sgpr", 0) + extra;
  return count > 0 ? static_cast<std::uint32_t>((count + kGranule - 1) / kGranule - 1) : 0;
}

// How many there are, checked against what the properties take.
std::uint32_t KernelDirectives::user_sgprs(std::uint32_t properties) const {
  std::uint32_t implied = 0;
  for (unsigned bit = 0; bit < std::size(kUserSgprs); ++bit)
    if (properties >> bit & 1) implied += kUserSgprs[bit];
  implied += static_cast<std::uint32_t>(value("user_sgpr_kernarg_preload_length", 0));
  const auto counted = static_cast<std::uint32_t>(value("user_sgpr_count", implied));
  if (counted < implied)
    throw Mismatch{0, fmt::format("kernel {} has .amdhsa_user_sgpr_count {}, but its user SGPRs are {}",
                                  kernel_, counted, implied)};
  const std::uint32_t most = target_.generation == Generation::gfx1250 ? 32 : 16;
  if (counted > most)
    throw Mismatch{0, fmt::format("kernel {} has {} user SGPRs; there are {}", kernel_, counted, most)};
  return counted;
}

void KernelDirectives::check_vgprs(std::uint32_t field) const {
  const std::int64_t vgprs = value("next_free_vgpr", 0);
  const int most = is_unified(target_) ? 512 : target_.generation == Generation::gfx1250 ? 1024 : 256;
  if (vgprs > most)
    throw Mismatch{0, fmt::format("kernel {} wants {} VGPRs; there are {}", kernel_, vgprs, most)};
  if (const std::int64_t shared = value("shared_vgpr_count", 0)) {
    if (!setting_.wave64) throw Mismatch{0, "waves of 32 lanes have no .amdhsa_shared_vgpr_count"};
    constexpr std::int64_t kMostBlocks = 63;
    if (shared * 2 + field > kMostBlocks)
      throw Mismatch{0, fmt::format("kernel {} has {} VGPRs and 8 * {} shared ones, more than there are",
                                    kernel_, vgprs, shared)};
  }
  if (!is_unified(target_)) return;
  const std::int64_t offset = value("accum_offset", 0);
  if (offset < 4 || offset > 256 || offset % 4)
    throw Mismatch{0, fmt::format(".amdhsa_accum_offset {} must be a multiple of 4 from 4 to 256", offset)};
  if (offset > std::max<std::int64_t>((vgprs + 3) / 4 * 4, 4))
    throw Mismatch{0, fmt::format(".amdhsa_accum_offset {} exceeds the kernel's {} VGPRs", offset, vgprs)};
}

object::KernelDescriptor KernelDirectives::finish() {
  for (std::string_view required : {"next_free_vgpr", "next_free_sgpr"})
    if (!values_.contains(required))
      throw Mismatch{0, fmt::format("kernel {} lacks .amdhsa_{}", kernel_, required)};
  if (is_unified(target_) && !values_.contains("accum_offset"))
    throw Mismatch{0, fmt::format("kernel {} lacks .amdhsa_accum_offset", kernel_)};
  const std::int64_t sgprs = value("next_free_sgpr", 0);
  if (sgprs > target_.sgprs)
    throw Mismatch{0, fmt::format("kernel {} wants {} SGPRs; there are {}", kernel_, sgprs, target_.sgprs)};
  object::KernelDescriptor descriptor{};
  std::uint32_t properties = 0;
  for (const Directive& directive : kDirectives) {
    if (directive.word == Word::own || !applies(directive, target_)) continue;
    std::int64_t usual = directive.usual;
    if (directive.name == "wavefront_size32") usual = !setting_.wave64;
    if (directive.name == "forward_progress") usual = target_.generation == Generation::gfx1250;
    const auto bits = static_cast<std::uint32_t>(value(directive.name, usual)) << directive.low;
    switch (directive.word) {
      case Word::rsrc1: descriptor.compute_pgm_rsrc1 |= bits; break;
      case Word::rsrc2: descriptor.compute_pgm_rsrc2 |= bits; break;
      case Word::rsrc3: descriptor.compute_pgm_rsrc3 |= bits; break;
      case Word::preload:
        descriptor.kernarg_preload = static_cast<std::uint16_t>(descriptor.kernarg_preload | bits);
        break;
      default: properties |= bits; break;
    }
  }
  const std::uint32_t vgprs = vgpr_field();
  check_vgprs(vgprs);
  descriptor.compute_pgm_rsrc1 |= vgprs | sgpr_field() << 6;
  descriptor.compute_pgm_rsrc2 |= user_sgprs(properties) << 1;
  if (is_unified(target_))
    descriptor.compute_pgm_rsrc3 |= static_cast<std::uint32_t>(value("accum_offset", 4) / 4 - 1);
  descriptor.group_segment_fixed_size = static_cast<std::uint32_t>(value("group_segment_fixed_size", 0));
  descriptor.private_segment_fixed_size = static_cast<std::uint32_t>(value("private_segment_fixed_size", 0));
  descriptor.kernarg_size = static_cast<std::uint32_t>(value("kernarg_size", 0));
  descriptor.kernel_code_properties = static_cast<std::uint16_t>(properties);
  return descriptor;
}

}  // namespace mockgpu::isa::amd
