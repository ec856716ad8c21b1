#pragma once
// The parts of check_legality, by kind of instruction.
#include "isa/amd/asm/legality.h"
#include "isa/amd/form.h"
#include "isa/amd/generation.h"

namespace mockgpu::isa::amd {

/// The instruction that rules look at; lives for one call.
struct Legality {
  const Target& target;
  bool wave64;
  const Instruction& inst;

  Generation generation() const { return target.generation; }
  bool has(std::uint64_t property) const { return inst.form->has(property); }
  const Modifiers& mods() const { return inst.mods; }

  /// The place of the operand in this field, or -1.
  int place(Field field) const {
    const auto specs = inst.form->specs();
    for (std::size_t i = 0; i < specs.size(); ++i)
      if (specs[i].field == field) return static_cast<int>(i);
    return -1;
  }
  const Operand* find(Field field) const {
    const int i = place(field);
    return i < 0 ? nullptr : &inst.operands[static_cast<std::size_t>(i)];
  }

  [[noreturn]] static void refuse_operand(std::size_t operand, std::string message, std::string legal = {}) {
    throw Violation{static_cast<int>(operand), {}, std::move(message), std::move(legal)};
  }
  [[noreturn]] static void refuse(std::string_view modifier, std::string message, std::string legal = {}) {
    throw Violation{-1, modifier, std::move(message), std::move(legal)};
  }
};

void check_vector(const Legality& legality);
void check_matrix(const Legality& legality);
void check_dual(const Legality& legality);
void check_memory(const Legality& legality);
void check_image(const Legality& legality);
void check_cache_policy(const Legality& legality);

}  // namespace mockgpu::isa::amd
