#include <initializer_list>

#include "isa/amd/form_table.h"

namespace mockgpu::isa::amd {
namespace table {
namespace {

constexpr Form kScalar[] = {
#include "isa/amd/forms_scalar.inc"
};
constexpr Form kVector[] = {
#include "isa/amd/forms_vector.inc"
};
constexpr Form kDual[] = {
#include "isa/amd/forms_dual.inc"
};
constexpr Form kVector3[] = {
#include "isa/amd/forms_vector3.inc"
};
constexpr Form kPacked[] = {
#include "isa/amd/forms_packed.inc"
};
constexpr Form kMatrix[] = {
#include "isa/amd/forms_matrix.inc"
};
constexpr Form kCompare[] = {
#include "isa/amd/forms_compare.inc"
};
constexpr Form kLds[] = {
#include "isa/amd/forms_lds.inc"
};
constexpr Form kFlat[] = {
#include "isa/amd/forms_flat.inc"
};
constexpr Form kBuffer[] = {
#include "isa/amd/forms_buffer.inc"
};
constexpr Form kImage[] = {
#include "isa/amd/forms_image.inc"
};

constexpr std::span<const Form> kTables[] = {kScalar,  kVector, kDual, kVector3, kPacked, kMatrix,
                                             kCompare, kLds,    kFlat, kBuffer,  kImage};

}  // namespace
}  // namespace table

// Sets of generations, as the tables name them.
namespace generations {
namespace {

constexpr std::uint32_t set(Generation generation) { return 1u << static_cast<unsigned>(generation); }

constexpr std::uint32_t gfx9 = set(Generation::gfx9), cdna1 = set(Generation::cdna1),
                        cdna2 = set(Generation::cdna2), cdna3 = set(Generation::cdna3),
                        cdna4 = set(Generation::cdna4), rdna1 = set(Generation::rdna1),
                        rdna2 = set(Generation::rdna2), rdna35 = set(Generation::rdna35),
                        rdna4 = set(Generation::rdna4), gfx1250 = set(Generation::gfx1250);
constexpr std::uint32_t cdna = cdna1 | cdna2 | cdna3 | cdna4, gfx9_cdna = gfx9 | cdna, gfx10 = rdna1 | rdna2,
                        gfx11 = set(Generation::rdna3) | rdna35, gfx12 = rdna4 | gfx1250,
                        gfx10_up = gfx10 | gfx11 | gfx12, every = gfx9_cdna | gfx10_up;

}  // namespace
}  // namespace generations

namespace {
namespace layout {

using namespace generations;

struct Place {
  Field field;
  int low, length;
};

constexpr EncodingLayout encoding(std::uint32_t generations, Encoding encoding, int bits, std::uint32_t mask,
                                  std::uint32_t value, std::initializer_list<Place> places) {
  EncodingLayout layout;
  layout.generations = generations;
  layout.encoding = encoding;
  layout.bits = static_cast<std::uint8_t>(bits);
  layout.mask = mask;
  layout.value = value;
  for (const Place& place : places)
    layout.fields[static_cast<std::size_t>(place.field)] = {static_cast<std::uint8_t>(place.low),
                                                            static_cast<std::uint8_t>(place.length)};
  return layout;
}

using enum Field;

#define MOCKGPU_ENCODING(generations, name, bits, mask, value, ...) \
  encoding(generations, Encoding::name, bits, mask, value, {__VA_ARGS__}),

constexpr EncodingLayout kLayouts[] = {
#include "isa/amd/encodings.inc"
};
#undef MOCKGPU_ENCODING

}  // namespace layout
}  // namespace

namespace {

using namespace generations;

constexpr Spelling kSpellings[] = {
#define MOCKGPU_SPELLING(op, generations, name) {Op::op, generations, name},
#include "isa/amd/spellings.inc"
#undef MOCKGPU_SPELLING
};

constexpr Spelling kAliases[] = {
#define MOCKGPU_ALIAS(op, generations, name) {Op::op, generations, name},
#include "isa/amd/aliases.inc"
#undef MOCKGPU_ALIAS
};

constexpr Subset kSubsets[] = {
#define MOCKGPU_SUBSET(op, generation, targets) {Op::op, Generation::generation, targets},
#include "isa/amd/subsets.inc"
#undef MOCKGPU_SUBSET
};

}  // namespace

std::span<const std::span<const Form>> form_tables() { return table::kTables; }

std::span<const Spelling> spellings() { return kSpellings; }

std::span<const Spelling> aliases() { return kAliases; }

std::span<const Subset> subsets() { return kSubsets; }

std::span<const EncodingLayout> encoding_layouts() { return layout::kLayouts; }

}  // namespace mockgpu::isa::amd
