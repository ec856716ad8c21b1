#pragma once
// What the rows of forms_*.inc are written with. Only the files that include the tables include this.
#include "isa/amd/form.h"

// The tables as constant data. A row is written with the tokens of namespace `table`:
//   field(format)               vdst(f32): the field, read or written as is usual for it (vdst and sdst are
//                               destinations, all others sources), holding what is usual (src0: register,
//                               constant or literal; vsrc1: VGPR...), of the width of the format
//   field(format, holds)        src0(b32, v): holding something else
//   field(format, bits)         ssrc0(i16, 32): of another width
//   .w() .r() .rw()             written, read, both, where that is not usual
//   .wave64(bits)               another width in wave64
//   .hidden()                   not printed
//   vcc_mask() exec_mask()      operands that are implied
// A new generation is a column: isa/README.md.
namespace mockgpu::isa::amd {
namespace table {
namespace {

using enum Format;
using enum Holds;
using namespace property;

[[maybe_unused]] constexpr Cell _;  // no such form
[[maybe_unused]] constexpr int no_x = Cell::kAbsent, no_y = Cell::kAbsent;

[[maybe_unused]] constexpr Cell dual(int opcode_x, int opcode_y) { return {opcode_x, opcode_y}; }

constexpr std::uint16_t width(Format format) {
  switch (format) {
    case lanemask: return 0;
    case b8:
    case i8:
    case u8: return 8;
    case b16:
    case i16:
    case u16:
    case f16:
    case bf16:
    case pk2_u8: return 16;
    case b64:
    case i64:
    case u64:
    case f64:
    case pk2_f32:
    case pk2_b32: return 64;
    case b96: return 96;
    case b128:
    case Format::resource:
    case sampler: return 128;
    case b256: return 256;
    case b512: return 512;
    default: return 32;
  }
}

struct Spec : OperandSpec {
  constexpr Spec w() const { return access(true, false); }
  constexpr Spec r() const { return access(false, true); }
  constexpr Spec rw() const { return access(true, true); }
  constexpr Spec hidden() const {
    Spec spec = *this;
    spec.is_hidden = true;
    return spec;
  }
  constexpr Spec wave64(int width) const {
    Spec spec = *this;
    spec.bits_wave64 = static_cast<std::uint16_t>(width);
    return spec;
  }

 private:
  constexpr Spec access(bool dst, bool src) const {
    Spec spec = *this;
    spec.is_dst = dst;
    spec.is_src = src;
    return spec;
  }
};

struct Token {
  Field field;
  Holds usual;
  bool is_dst = false;

  constexpr Spec operator()(Format format, Holds holds, int bits) const {
    Spec spec;
    spec.field = field;
    spec.holds = holds;
    spec.format = format;
    spec.is_dst = is_dst;
    spec.is_src = !is_dst;
    spec.bits = spec.bits_wave64 = static_cast<std::uint16_t>(bits);
    return spec;
  }
  constexpr Spec operator()(Format format) const { return (*this)(format, usual, width(format)); }
  constexpr Spec operator()(Format format, Holds holds) const {
    return (*this)(format, holds, width(format));
  }
  constexpr Spec operator()(Format format, int bits) const { return (*this)(format, usual, bits); }
};

[[maybe_unused]] constexpr Token vdst{Field::vdst, v, true}, sdst{Field::sdst, s, true},
    sdata{Field::sdata, s, true};
[[maybe_unused]] constexpr Token src0{Field::src0, vsL}, src1{Field::src1, vsL}, src2{Field::src2, vsL};
[[maybe_unused]] constexpr Token ssrc0{Field::ssrc0, sL}, ssrc1{Field::ssrc1, sL};
[[maybe_unused]] constexpr Token vsrc0{Field::vsrc0, v}, vsrc1{Field::vsrc1, v}, vsrc2{Field::vsrc2, v},
    vsrc3{Field::vsrc3, v};
[[maybe_unused]] constexpr Token addr{Field::addr, v}, data0{Field::data0, v}, data1{Field::data1, v},
    data{Field::data, v}, vaddr{Field::vaddr, v}, vdata{Field::vdata, v}, vaddr1{Field::vaddr1, v},
    vaddr2{Field::vaddr2, v}, vaddr3{Field::vaddr3, v};
[[maybe_unused]] constexpr Token scale_src0{Field::scale_src0, v}, scale_src1{Field::scale_src1, v},
    vsrc{Field::vsrc, v};
[[maybe_unused]] constexpr Token sbase{Field::sbase, s}, saddr{Field::saddr, s}, srsrc{Field::srsrc, s},
    ssamp{Field::ssamp, s};
[[maybe_unused]] constexpr Token soffset{Field::soffset, sI};
[[maybe_unused]] constexpr Token simm16{Field::simm16, immediate}, attr{Field::attr, immediate},
    attrchan{Field::attrchan, immediate}, waitvdst{Field::waitvdst, immediate},
    waitvsrc{Field::waitvsrc, immediate}, tgt{Field::tgt, immediate};
[[maybe_unused]] constexpr Token literal{Field::literal, lit};

[[maybe_unused]] constexpr Spec vcc_mask() { return Token{Field::implied, implied_vcc, true}(lanemask); }
[[maybe_unused]] constexpr Spec exec_mask() { return Token{Field::implied, implied_exec, true}(lanemask); }

template <typename... Specs>
constexpr Form operands(const Specs&... specs) {
  Form form;
  static_assert(sizeof...(specs) <= std::tuple_size_v<decltype(form.operands)>);
  ((form.operands[form.operand_count++] = specs), ...);
  return form;
}

constexpr Form form(Op op, Encoding encoding, Form form, std::uint64_t properties,
                    std::array<Cell, kColumns.size()> cells) {
  form.op = op;
  form.encoding = encoding;
  form.properties = properties;
  form.cells = cells;
  return form;
}

#define MOCKGPU_FORM(name, encoding, operand_list, properties, ...) \
  form(Op::name, Encoding::encoding, operands operand_list, properties, {__VA_ARGS__}),

}  // namespace
}  // namespace table
}  // namespace mockgpu::isa::amd
