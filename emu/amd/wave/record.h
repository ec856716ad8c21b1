#pragma once
// What a decoded instruction becomes: prepared records that handlers execute, and the macros in which every
// handler ends. Included by the level files: no standard headers that emit weak symbols.
#include <cstddef>
#include <cstdint>

// Handlers call the next record's handler as a sibling call where the build lets the compiler turn that into a
// jump (MOCKGPU_TAIL_CALLS, of the whole build), and return the next record to a driver loop where it does not
// (debug and sanitizer builds).
#if defined(__clang__) && defined(MOCKGPU_TAIL_CALLS)
#define MOCKGPU_MUSTTAIL [[clang::musttail]]
#else
#define MOCKGPU_MUSTTAIL
#endif

namespace mockgpu::emu::amd {

struct Gang;
struct Record;

#ifdef MOCKGPU_TAIL_CALLS
using HandlerResult = void;
#define MOCKGPU_GOTO(record, gang) MOCKGPU_MUSTTAIL return (record)->run((record), (gang))
#define MOCKGPU_STOP return
#else
using HandlerResult = const Record*;
#define MOCKGPU_GOTO(record, gang) return (record)
#define MOCKGPU_STOP return nullptr
#endif

/// Ends a handler: goes on with the record behind this one.
#define MOCKGPU_NEXT(record, gang) MOCKGPU_GOTO((record) + 1, (gang))

/// Executes one record for all active slots of the gang.
using Handler = HandlerResult (*)(const Record* record, Gang* gang);

/// One step of prepared code. An instruction becomes one record, with further ones before or behind it where
/// operands have to be expanded or results spread. `dst` and `src` are byte offsets from the start of the
/// Gang to a register row; a `src` below kRecordOperand names a constant inside the record instead (`imm` or
/// `aux`), the same for all slots.
struct Record {
  Handler run;
  std::uint32_t dst;
  std::uint32_t src[3];
  std::uint64_t imm;      ///< literal, branch target record, table pointer: the handler knows
  std::uint64_t aux;      ///< second literal, memory offset and flags...
  std::uint32_t pc;       ///< byte offset of the instruction from the block's base address
  std::uint16_t retired;  ///< at counting points: instructions since the last one, this one included
  std::uint8_t flags;     ///< meaning by handler
  std::uint8_t op;        ///< sub-operation, by handler
};
static_assert(sizeof(Record) == 48);

/// Source offsets below this are offsets into the record itself.
inline constexpr std::uint32_t kRecordOperand = 64;
inline constexpr std::uint32_t kImmOperand = offsetof(Record, imm);
inline constexpr std::uint32_t kAuxOperand = offsetof(Record, aux);

}  // namespace mockgpu::emu::amd
