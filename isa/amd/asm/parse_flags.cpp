#include <fmt/format.h>

#include <span>

#include "isa/amd/asm/encode.h"
#include "isa/amd/asm/instruction_parser.h"

namespace mockgpu::isa::amd {
namespace {

// A modifier's name and what sets its member, a bit-field most often.
struct NamedSetter {
  std::string_view name;
  void (*set)(Modifiers& mods, std::uint8_t value);
};
#define MOCKGPU_SET(member) [](Modifiers& mods, std::uint8_t value) { mods.member = value; }

// Of one bit.
constexpr NamedSetter kFlags[] = {{"tfe", MOCKGPU_SET(tfe)},
                                  {"lwe", MOCKGPU_SET(lwe)},
                                  {"offen", MOCKGPU_SET(offen)},
                                  {"idxen", MOCKGPU_SET(idxen)},
                                  {"unorm", MOCKGPU_SET(unorm)},
                                  {"r128", MOCKGPU_SET(r128)},
                                  {"a16", MOCKGPU_SET(a16)},
                                  {"d16", MOCKGPU_SET(d16)},
                                  {"gds", MOCKGPU_SET(gds)},
                                  {"clamp", MOCKGPU_SET(clamp)},
                                  {"done", MOCKGPU_SET(exp_done)},
                                  {"row_en", MOCKGPU_SET(exp_row_en)},
                                  {"lds", MOCKGPU_SET(lds)},
                                  {"da", MOCKGPU_SET(da)},
                                  {"compr", MOCKGPU_SET(exp_compressed)},
                                  {"vm", MOCKGPU_SET(exp_valid_mask)},
                                  {"high", MOCKGPU_SET(high)},
                                  {"scale_offset", MOCKGPU_SET(scale_offset)},
                                  {"matrix_a_reuse", MOCKGPU_SET(matrix_a_reuse)},
                                  {"matrix_b_reuse", MOCKGPU_SET(matrix_b_reuse)}};

constexpr NamedSetter kCacheBits[] = {
    {"glc", MOCKGPU_SET(glc)}, {"sc0", MOCKGPU_SET(glc)}, {"slc", MOCKGPU_SET(slc)}, {"nt", MOCKGPU_SET(slc)},
    {"dlc", MOCKGPU_SET(dlc)}, {"scc", MOCKGPU_SET(scc)}, {"sc1", MOCKGPU_SET(scc)}, {"nv", MOCKGPU_SET(nv)}};

constexpr NamedSetter kValues[] = {{"op_sel", MOCKGPU_SET(op_sel)},    {"op_sel_hi", MOCKGPU_SET(op_sel_hi)},
                                   {"neg_lo", MOCKGPU_SET(neg)},       {"neg_hi", MOCKGPU_SET(neg_hi)},
                                   {"mul", MOCKGPU_SET(omod)},         {"div", MOCKGPU_SET(omod)},
                                   {"offset", MOCKGPU_SET(offset)},    {"offset0", MOCKGPU_SET(offset0)},
                                   {"offset1", MOCKGPU_SET(offset1)},  {"th", MOCKGPU_SET(th)},
                                   {"scope", MOCKGPU_SET(scope)},      {"dmask", MOCKGPU_SET(dmask)},
                                   {"dim", MOCKGPU_SET(dim)},          {"format", MOCKGPU_SET(format)},
                                   {"cbsz", MOCKGPU_SET(cbsz)},        {"abid", MOCKGPU_SET(abid)},
                                   {"blgp", MOCKGPU_SET(blgp)},        {"neg", MOCKGPU_SET(blgp)},
                                   {"wait_exp", MOCKGPU_SET(wait_exp)}};

#undef MOCKGPU_SET

// Gives the modifier with this name a value; false if the table has none.
bool assign(std::span<const NamedSetter> setters, Modifiers& mods, std::string_view name,
            std::uint8_t value) {
  for (const NamedSetter& setter : setters) {
    if (setter.name != name) continue;
    setter.set(mods, value);
    return true;
  }
  return false;
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
    return assign(kFlags, inst_.mods, name.substr(2), 0);
  return assign(kFlags, inst_.mods, name, 1);
}

// glc, slc and dlc, or sc0, sc1 and nt; scalar accesses have glc always.
bool InstructionParser::cache_flag(std::string_view name) {
  const bool negated = name.starts_with("no");
  if (negated) name.remove_prefix(2);
  const bool by_scope = name == "sc0" || name == "sc1" || name == "nt";
  const bool vector = traits(generation()).sc_bits && inst_.encoding != Encoding::smem;
  if (name == "nv" ? negated : by_scope != vector) return false;
  return assign(kCacheBits, inst_.mods, name, !negated);
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
    if (!assign(kFlags, mods, name, value) && !assign(kCacheBits, mods, name, value) &&
        !assign(kValues, mods, name, value))
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
