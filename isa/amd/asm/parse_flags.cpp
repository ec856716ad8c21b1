#include <fmt/format.h>

#include "isa/amd/asm/encode.h"
#include "isa/amd/asm/instruction_parser.h"

namespace mockgpu::isa::amd {
namespace {

// Gives a modifier with this name a value of one bit; false if it is none of those.
bool assign(Modifiers& mods, std::string_view name, bool value) {
  if (name == "tfe")
    mods.tfe = value;
  else if (name == "lwe")
    mods.lwe = value;
  else if (name == "offen")
    mods.offen = value;
  else if (name == "idxen")
    mods.idxen = value;
  else if (name == "unorm")
    mods.unorm = value;
  else if (name == "r128")
    mods.r128 = value;
  else if (name == "a16")
    mods.a16 = value;
  else if (name == "d16")
    mods.d16 = value;
  else if (name == "gds")
    mods.gds = value;
  else if (name == "clamp")
    mods.clamp = value;
  else if (name == "done")
    mods.exp_done = value;
  else if (name == "row_en")
    mods.exp_row_en = value;
  else if (name == "lds")
    mods.lds = value;
  else if (name == "da")
    mods.da = value;
  else if (name == "compr")
    mods.exp_compressed = value;
  else if (name == "vm")
    mods.exp_valid_mask = value;
  else if (name == "high")
    mods.high = value;
  else if (name == "scale_offset")
    mods.scale_offset = value;
  else if (name == "matrix_a_reuse")
    mods.matrix_a_reuse = value;
  else if (name == "matrix_b_reuse")
    mods.matrix_b_reuse = value;
  else
    return false;
  return true;
}

bool assign_cache_bit(Modifiers& mods, std::string_view name, bool value) {
  if (name == "glc" || name == "sc0")
    mods.glc = value;
  else if (name == "slc" || name == "nt")
    mods.slc = value;
  else if (name == "dlc")
    mods.dlc = value;
  else if (name == "scc" || name == "sc1")
    mods.scc = value;
  else if (name == "nv")
    mods.nv = value;
  else
    return false;
  return true;
}

bool assign_value(Modifiers& mods, std::string_view name, std::uint8_t value) {
  if (name == "op_sel")
    mods.op_sel = value;
  else if (name == "op_sel_hi")
    mods.op_sel_hi = value;
  else if (name == "neg_lo")
    mods.neg = value;
  else if (name == "neg_hi")
    mods.neg_hi = value;
  else if (name == "mul" || name == "div")
    mods.omod = value;
  else if (name == "offset")
    mods.offset = value;
  else if (name == "offset0")
    mods.offset0 = value;
  else if (name == "offset1")
    mods.offset1 = value;
  else if (name == "th")
    mods.th = value;
  else if (name == "scope")
    mods.scope = value;
  else if (name == "dmask")
    mods.dmask = value;
  else if (name == "dim")
    mods.dim = value;
  else if (name == "format")
    mods.format = value;
  else if (name == "cbsz")
    mods.cbsz = value;
  else if (name == "abid")
    mods.abid = value;
  else if (name == "blgp" || name == "neg")
    mods.blgp = value;
  else if (name == "wait_exp")
    mods.wait_exp = value;
  else
    return false;
  return true;
}

// Flags that LLVM lets say that they are not set.
bool has_negation(std::string_view name) {
  for (std::string_view flag : {"clamp", "gds", "unorm", "da", "lwe", "r128", "a16", "d16"})
    if (name == flag) return true;
  return false;
}

}  // namespace

bool InstructionParser::flag(std::string_view name) {
  if (name.starts_with("no") && has_negation(name.substr(2)))
    return assign(inst_.mods, name.substr(2), false);
  return assign(inst_.mods, name, true);
}

// glc, slc and dlc, or sc0, sc1 and nt; scalar accesses have glc always.
bool InstructionParser::cache_flag(std::string_view name) {
  const bool negated = name.starts_with("no");
  if (negated) name.remove_prefix(2);
  const bool by_scope = name == "sc0" || name == "sc1" || name == "nt";
  const bool vector = traits(generation()).sc_bits && inst_.encoding != Encoding::smem;
  if (name == "nv" ? negated : by_scope != vector) return false;
  return assign_cache_bit(inst_.mods, name, !negated);
}

// Whether another value of the modifier would make another instruction: what is not so has no such modifier,
// and names it in vain even if its value is 0.
bool InstructionParser::takes(std::string_view name) const {
  if (name == "offset" && inst_.encoding == Encoding::flat) return true;
  if (name.starts_with("no")) name.remove_prefix(2);
  std::vector<std::byte> bytes[2];
  for (std::uint8_t value : {0, 1}) {
    Instruction probe = inst_, decoded;
    Modifiers& mods = probe.mods;
    if (!assign(mods, name, value) && !assign_cache_bit(mods, name, value) &&
        !assign_value(mods, name, value))
      return true;
    if (!decode(target_, encode(target_, probe), wave64_, decoded)) return true;
    bytes[value] = encode(target_, decoded);
  }
  return bytes[0] != bytes[1];
}

void InstructionParser::refuse_idle_modifiers() const {
  for (const auto& [name, column] : modifier_columns_)
    if (!takes(name)) throw Mismatch{column, fmt::format("the instruction does not take this {}", name)};
}

// th:TH_LOAD_NT. A name says the kind of access that it is for; only the default is for all of them.
void InstructionParser::temporal_hint() {
  struct Hint {
    std::string_view name;
    std::uint8_t value;
  };
  constexpr Hint kAtomic[] = {{"RT", 0},        {"RETURN", 1},     {"RT_RETURN", 1}, {"NT", 2},
                              {"NT_RETURN", 3}, {"CASCADE_RT", 4}, {"CASCADE_NT", 6}};
  constexpr Hint kLoad[] = {{"RT", 0},     {"NT", 1},    {"HT", 2},    {"LU", 3},
                            {"BYPASS", 3}, {"NT_RT", 4}, {"RT_NT", 5}, {"NT_HT", 6}};
  constexpr Hint kStore[] = {{"RT", 0},     {"NT", 1},    {"HT", 2},    {"WB", 3},    {"RT_WB", 3},
                             {"BYPASS", 3}, {"NT_RT", 4}, {"RT_NT", 5}, {"NT_HT", 6}, {"NT_WB", 7}};
  struct Kind {
    std::string_view prefix;
    std::span<const Hint> hints;
    std::string_view examples;
  };
  const Kind kinds[] = {{"TH_LOAD_", kLoad, "TH_LOAD_NT TH_LOAD_HT TH_LOAD_LU"},
                        {"TH_STORE_", kStore, "TH_STORE_NT TH_STORE_HT TH_STORE_WB"},
                        {"TH_ATOMIC_", kAtomic, "TH_ATOMIC_RETURN TH_ATOMIC_NT"}};
  const bool store = has(property::store) && !has(property::load);
  const Kind& own = kinds[has(property::atomic) ? 2 : store ? 1 : 0];
  const std::size_t column = scanner_.column();
  const std::string_view name = scanner_.word();
  if (name == "TH_DEFAULT") return;
  for (const Kind& kind : kinds) {
    if (!name.starts_with(kind.prefix)) continue;
    for (const Hint& hint : kind.hints) {
      if (hint.name != name.substr(kind.prefix.size())) continue;
      if (hint.value && &kind != &own)
        throw Mismatch{column, fmt::format("{} is no hint for this kind of access", name),
                       std::string(own.examples)};
      inst_.mods.th = hint.value;
      bypasses_ = hint.name == "BYPASS";
      if (has(property::atomic)) inst_.mods.glc = hint.value & 1;
      return;
    }
  }
  throw Mismatch{column, fmt::format("unknown temporal hint {}", name), std::string(own.examples)};
}

void InstructionParser::scope() {
  constexpr auto name_of = [](unsigned id) -> std::string_view {
    constexpr std::string_view kNames[] = {"SCOPE_CU", "SCOPE_SE", "SCOPE_DEV", "SCOPE_SYS"};
    return kNames[id];
  };
  inst_.mods.scope = named("scope", 4, name_of);
}

// The third hint means to pass by the caches where the scope is the system, and another thing elsewhere.
void InstructionParser::verify_hint() const {
  constexpr unsigned kBypass = 3, kSystem = 3;
  const bool system = inst_.mods.scope == kSystem;
  if (inst_.mods.th != kBypass || !traits(generation()).th_scope || bypasses_ == system) return;
  throw Mismatch{modifier_column("th"),
                 bypasses_ ? "caches are passed by in the scope of the system only"
                           : "in the scope of the system this hint passes by the caches",
                 bypasses_              ? "scope:SCOPE_SYS"
                 : has(property::store) ? "TH_STORE_BYPASS"
                                        : "TH_LOAD_BYPASS"};
}

}  // namespace mockgpu::isa::amd
