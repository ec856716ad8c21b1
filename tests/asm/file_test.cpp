#include <fmt/format.h>
#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "isa/amd/asm/assemble.h"
#include "isa/object/code_object.h"
#include "isa/object/elf.h"
#include "isa/object/image.h"
#include "tests/asm/rows.h"

namespace mockgpu::tests::asm_file_tests {

using isa::amd::Assembly;
using isa::object::CodeObject;

std::string contents(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

Assembly assembled(std::string_view text, const std::filesystem::path& folder = {},
                   const char* target = "gfx1100") {
  isa::amd::AsmSource source;
  source.file = "a.s";
  source.text = text;
  source.target = isa::amd::find_target(target);
  source.include = [&](const std::string& name) { return contents(folder / name); };
  Assembly assembly = isa::amd::assemble(source);
  for (const isa::amd::Diagnostic& diagnostic : assembly.diagnostics)
    ADD_FAILURE() << format_error(to_error(diagnostic));
  return assembly;
}

// The bytes of a symbol's section from it on.
std::string at(const Assembly& assembly, std::string_view symbol, std::size_t size) {
  const CodeObject object = CodeObject::parse(assembly.object);
  for (const isa::object::Symbol& candidate : object.symbols()) {
    if (candidate.name != symbol) continue;
    const auto bytes = object.bytes_at(candidate.address, size);
    return asm_rows::to_hex({bytes.begin(), bytes.end()});
  }
  return "no symbol";
}

TEST(AsmFile, DataDirectives) {
  const Assembly assembly = assembled(R"(
.rodata
data: .byte 1, -1, 'a', 0x7f
.short 0x1234, -2
.long data2-data, 1+2*3<<1, (1|4)^2
.quad 0x123456789abcdef0
.ascii "ab\n\101"
.asciz "z"
.fill 2, 2, 0x0102
.zero 3
.balign 8, 0xff
.float 1.5, -2
.double 0.5
data2:
)");
  EXPECT_EQ(at(assembly, "data", 80),
            "01ff617f"
            "3412feff"
            "40000000"
            "0d000000"
            "07000000"
            "f0debc9a78563412"
            "61620a41"
            "7a00"
            "02010201"
            "000000"
            "ffffffffffffff"
            "0000c03f000000c0"
            "000000000000e03f");
}

TEST(AsmFile, MacrosConditionsAndRepetitions) {
  const Assembly assembly = assembled(R"(
.set count, 3
.macro emit value, times=1, more:vararg
  .rept \times
    .byte \value
  .endr
  .ifnb \more
    .byte \more
  .endif
.endm
.rodata
data:
  emit 1
  emit 2, count
  emit 3, 1, 7, 8
  emit times=2, value=5
.irp x, 10, 11
  .byte \x
.endr
.if count == 4
  .byte 99
.elseif count == 3
  .byte 44
.else
  .byte 98
.endif
.ifdef missing
  .byte 97
.endif
n = 1
n = n + 1
  .byte n
.macro label
  l\@: .byte l\@ - data
.endm
  label
  label
)");
  EXPECT_EQ(at(assembly, "data", 15),
            "010202020307080505"
            "0a0b"
            "2c"
            "02"
            "0d"
            "0e");
}

TEST(AsmFile, HashesAreCommentsAndSectionFlags) {
  const Assembly assembly = assembled(R"(
# 1 "a.s"  /* not the beginning of anything
  # a comment
.section .rodata,#alloc
data: # after a label
.byte 1
.section writable,#alloc,#write
words: .byte 2
)");
  EXPECT_EQ(at(assembly, "data", 1), "01");
  EXPECT_EQ(at(assembly, "words", 1), "02");
}

// What .exitm leaves: the macro, or the whole repetition, and the conditions in it.
// \@ counts macros, and no repetitions.
TEST(AsmFile, MacrosHaveNumbers) {
  const Assembly assembly = assembled(R"(
.rodata
data:
.macro number
.byte \@
.endm
number
.rept 3
.endr
.irp x, 1, 2
.byte \x
.endr
number
number
)");
  EXPECT_EQ(at(assembly, "data", 5), "0001020102");
}

TEST(AsmFile, BytesOfOtherFiles) {
  const auto bytes = [](std::string_view line) {
    isa::amd::AsmSource source;
    source.file = "a.s";
    const std::string text = fmt::format(".rodata\ndata:\n{}\n.byte 0xff\n", line);
    source.text = text;
    source.target = isa::amd::find_target("gfx1100");
    source.include = [](const std::string&) { return std::string("\0\1\2\3", 4); };
    const Assembly assembly = isa::amd::assemble(source);
    return assembly.diagnostics.empty() ? at(assembly, "data", 5).substr(0, 10)
                                        : assembly.diagnostics[0].message;
  };
  EXPECT_EQ(bytes(".incbin \"x\""), "00010203ff");
  EXPECT_EQ(bytes(".incbin \"x\", 1\n.byte 9"), "01020309ff");
  EXPECT_EQ(bytes(".incbin \"x\", 1, 2\n.short 9"), "01020900ff");
  EXPECT_EQ(bytes(".incbin \"x\",, 1\n.byte 1,2,3"), "00010203ff");
  EXPECT_EQ(bytes(".incbin \"x\", 5"), "x has 4 bytes, not 5");
  EXPECT_EQ(bytes(".incbin \"x\", 2, 3"), "x has 2 bytes after the first 2, not 3");
  EXPECT_EQ(bytes(".incbin \"x\", -1"), "x has 4 bytes, not -1");
  EXPECT_EQ(bytes(".incbin \"x\", -0x7fffffffffffffff-1"), "x has 4 bytes, not -9223372036854775808");
  EXPECT_EQ(bytes(".incbin \"x\", 0, -1"), "x has 4 bytes after the first 0, not -1");
}

// A note of the file's own is found by who reads notes, beside the metadata.
TEST(AsmFile, NotesAndGroups) {
  const Assembly assembly = assembled(R"(
.section .note.mine,"a",@note
.long 4, 4, 7
.asciz "abc"
.long 5
.section .rodata.one,"aG",@progbits,one,comdat
.byte 1
.section .rodata.two,"aMS",@progbits,1
.asciz "x"
.amdgpu_metadata
amdhsa.version: [1, 2]
.end_amdgpu_metadata
)");
  isa::object::elf::Header header;
  ASSERT_GE(assembly.object.size(), sizeof header);
  std::memcpy(&header, assembly.object.data(), sizeof header);
  std::vector<std::uint64_t> sizes;
  for (unsigned i = 0; i < header.program_count; ++i) {
    isa::object::elf::ProgramHeader program;
    std::memcpy(&program, assembly.object.data() + header.program_offset + i * sizeof program,
                sizeof program);
    if (program.type == isa::object::elf::kSegmentNote) sizes.push_back(program.file_size);
  }
  // 12 bytes of sizes and type, the name, the contents.
  EXPECT_EQ(sizes, (std::vector<std::uint64_t>{12 + 8 + 20, 12 + 4 + 4}));
}

TEST(AsmFile, MacrosAreLeftEarly) {
  const Assembly assembly = assembled(R"(
.macro unless value, last
  .if \value == \last
    .byte 0x70
    .if 1
      .exitm
    .endif
  .endif
  .byte \value
.endm
.rodata
data:
.if 1
  unless 1, 3
  unless 3, 3
  .irp x, 1, 2, 3
    .if \x == 2
      .exitm
    .endif
    .byte \x
  .endr
  .rept 5
    unless 4, 4
    .byte 5
    .exitm
  .endr
.else
  .byte 0xee
.endif
.byte 9
)");
  EXPECT_EQ(at(assembly, "data", 6),
            "0170"
            "01"
            "7005"
            "09");
}

// Spaces part arguments as well, where no operator stands beside them. The values are llvm-mc-19's.
TEST(AsmFile, ArgumentsOfMacros) {
  const Assembly assembly = assembled(R"(
.macro emit a b c=9
  .byte \a, \b, \c
.endm
.set q, 7
.rodata
data:
  emit 1,2 3
  emit 1 2,3
  emit 1 2
  emit q + 1, 6
  emit q +1 6 , 5
  emit (q + 2) * 2 6
.altmacro
.macro twice a
  .byte \a, 2 * \a
.endm
.macro nested a
  twice %\a+2
.endm
  twice %q+1
  nested 3
  twice <1+1>
.macro text a
  .ascii "\a"
.endm
  text <a,b !>c>
.noaltmacro
.byte q<>7, 1 - (q<>6)
)");
  EXPECT_EQ(at(assembly, "data", 32),
            "010203"
            "010203"
            "010209"
            "080609"
            "080605"
            "120609"
            "0810"
            "050a"
            "0203"
            "612c62203e63"
            "0002");
}

// Precedences are GNU as's; the values are llvm-mc-19's.
TEST(AsmFile, ExpressionsAsGnuHasThem) {
  const Assembly assembly = assembled(R"(
.rodata
data: .byte 6 ^ 3 + 1, 4 | 3 + 1, 6 & 3 + 1, 8 - 6 ^ 3, 15 + 2*3 & ~7, 1 << 2 + 3, 5 == 3 + 2
.byte 16L, 0x10UL, 0x10ull, 7u
.text 0
s_endpgm
)");
  EXPECT_EQ(at(assembly, "data", 11), "060803030f07ff10101007");
}

// A file of several kernels starts counting again for each.
TEST(AsmFile, CountsOfRegistersCanBeSet) {
  const Assembly assembly = assembled(R"(
v_mov_b32 v99, s60
.set .amdgcn.next_free_vgpr, 0
.amdgcn.next_free_sgpr = 0
v_mov_b32 v19, s7
.rodata
data: .byte .amdgcn.next_free_vgpr, .amdgcn.next_free_sgpr
)");
  EXPECT_EQ(at(assembly, "data", 2), "1408");
}

TEST(AsmFile, DescriptorsOfKernelsThatComeLaterAreGlobal) {
  const Assembly assembly = assembled(R"(
.extern elsewhere
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 1
  .amdhsa_next_free_sgpr 1
.end_amdhsa_kernel
.text
.type k,#function
k: s_endpgm
.section .note.GNU-stack,"",@progbits
)");
  const CodeObject object = CodeObject::parse(assembly.object);
  ASSERT_EQ(object.kernels().size(), 1u);
  bool found = false;
  for (const isa::object::Symbol& symbol : object.symbols())
    if (symbol.name == "k.kd") found = symbol.binding == isa::object::elf::kBindGlobal;
  EXPECT_TRUE(found);
}

TEST(AsmFile, BranchesAndLabels) {
  const Assembly assembly = assembled(R"(
code:
1: s_nop 0
  s_branch 1b
  s_cbranch_scc0 1f
  s_branch forward
1: s_nop 1
forward: s_endpgm
)");
  // s_branch -2, s_cbranch_scc0 1, s_branch 1 as little-endian words.
  EXPECT_EQ(at(assembly, "code", 24),
            "000080bf"
            "feffa0bf"
            "0100a1bf"
            "0100a0bf"
            "010080bf"
            "0000b0bf");
}

TEST(AsmFile, AddressesAreRelocated) {
  const Assembly assembly = assembled(R"(
.globl code
code: s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@rel32@lo+4
  s_addc_u32 s1, s1, table@rel32@hi+12
.rodata
table: .long 7
.data
.globl pointer
pointer: .quad table+4
)");
  const CodeObject object = CodeObject::parse(assembly.object);
  constexpr std::uint64_t kLoad = 0x7000000;
  isa::object::Image image = load_image(object, kLoad);
  const auto address = [&](std::string_view name) {
    for (const isa::object::Symbol& symbol : object.symbols())
      if (symbol.name == name) return image.address(symbol.address);
    return std::uint64_t{0};
  };
  const auto read = [&](std::uint64_t where, std::size_t size) {
    std::uint64_t value = 0;
    std::memcpy(&value, image.bytes().data() + (where - kLoad), size);
    return value;
  };
  EXPECT_EQ(read(address("pointer"), 8), address("table") + 4);
  // s_getpc gives the address after itself; the literal is 4 bytes further.
  const std::uint64_t low = read(address("code") + 8, 4), high = read(address("code") + 16, 4);
  EXPECT_EQ(static_cast<std::uint64_t>(address("code") + 4 + (low | high << 32)), address("table"));
}

TEST(AsmFile, KernelsHaveDescriptorsAndMetadata) {
  const std::filesystem::path folder = std::filesystem::path(MOCKGPU_TEST_DATA) / "kernels/source";
  const Assembly assembly = assembled(contents(folder / "unmapped.s"), folder);
  const CodeObject object = CodeObject::parse(assembly.object);
  ASSERT_EQ(object.kernels().size(), 1u);
  const isa::object::Kernel& kernel = object.kernels()[0];
  EXPECT_TRUE(kernel.wave32());
  EXPECT_EQ(kernel.descriptor.kernarg_size, 8u);
  EXPECT_FALSE(assembly.lines.empty());
  EXPECT_EQ(object.target().name, "gfx1100");
}

TEST(AsmFile, TheWaveSizeIsWhatTheKernelSays) {
  const Assembly assembly = assembled(R"(
k: v_cmp_eq_u32_e32 vcc, s1, v2
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 3
  .amdhsa_next_free_sgpr 2
  .amdhsa_wavefront_size32 0
.end_amdhsa_kernel
)");
  EXPECT_FALSE(assembly.object.empty());
}

// Sections are llvm-mc's where LLVM is installed; lld moves them, so the descriptor's entry differs.
TEST(AsmFile, SectionsAreLlvms) {
  const std::filesystem::path folder = std::filesystem::path(MOCKGPU_TEST_DATA) / "kernels/source";
  if (std::system("llvm-mc-19 --version >/dev/null 2>&1 && llvm-objcopy-19 --version >/dev/null 2>&1") != 0)
    GTEST_SKIP() << "no LLVM";
  const std::filesystem::path scratch =
      std::filesystem::temp_directory_path() / ("mockgpu_asm_" + std::to_string(getpid()));
  std::filesystem::create_directories(scratch);
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".s") continue;
    const std::string text = contents(entry.path());
    if (text.find("gfx1100") == std::string::npos) continue;
    const Assembly assembly = assembled(text, folder);
    std::ofstream(scratch / "ours.co", std::ios::binary)
        .write(reinterpret_cast<const char*>(assembly.object.data()),
               static_cast<std::streamsize>(assembly.object.size()));
    const std::string command = "cd " + scratch.string() +
                                " && llvm-mc-19 -triple=amdgcn-amd-amdhsa -mcpu=gfx1100 -filetype=obj -I " +
                                folder.string() + " " + entry.path().string() +
                                " -o theirs.o && llvm-readobj-19 -h -S -l --symbols --notes ours.co > "
                                "ours.txt && rm -f *.text *.note && "
                                "for s in text note; do for f in ours.co theirs.o; do llvm-objcopy-19 "
                                "--dump-section .$s=${f%.*}.$s $f "
                                "2>/dev/null || true; done; done";
    ASSERT_EQ(std::system(command.c_str()), 0) << entry.path();
    EXPECT_EQ(contents(scratch / "ours.text"), contents(scratch / "theirs.text")) << entry.path();
    EXPECT_EQ(contents(scratch / "ours.note"), contents(scratch / "theirs.note")) << entry.path();
  }
  std::filesystem::remove_all(scratch);
}

// What clang writes about group memory, and (from LLVM 20 on) about the registers of callees.
TEST(AsmFile, GroupMemoryAndFunctions) {
  const Assembly assembly = assembled(R"(
.amdgpu_lds first, 6, 4
.amdgpu_lds second, 256, 16
.set registers, max(4, max(7, 2), 5)
.rodata
data: .long registers, or(1, 4), alignto(33, 16), max(later, 1)
.set later, 9
.text
code: v_mov_b32 v0, second@abs32@lo
v_mov_b32 v1, second@abs32@hi
)");
  EXPECT_EQ(at(assembly, "data", 16), "07000000050000003000000009000000");
  EXPECT_EQ(at(assembly, "code", 16), "ff02007e10000000ff02027e00000000");
}

// The bytes are llvm-mc-19's.
TEST(AsmFile, MoreDataDirectives) {
  const Assembly assembly = assembled(R"(
.rodata
data:
.octa 0x0102030405060708090a0b0c0d0e0f10, 5
.org 0x24, 0xff
.uleb128 300, 0, 127, 128
.sleb128 -1, -300, 64
.dc.b 1, 2
.dc.w 1
.dc.l 2
.2byte 3
.4byte 4
.8byte 5
.float 0x1p3, 1e3, -0x1.8p1, -inf
.ascii "\x41\x4243\101"
.ifeqs "a", "a"
.byte 1
.endif
.ifnes "a", "b"
.byte 2
.endif
.irpc x, abc
.ascii "\x"
.endr
.rep 2
.byte 9
.endr
.irp x, 1, 2
.rept 2
.byte \x
.endr
.endr
.print "hi"
.warning "old"
.end
.garbage
)");
  ASSERT_EQ(assembly.notes.size(), 2u);
  EXPECT_TRUE(assembly.notes[0].ends_with(": hi")) << assembly.notes[0];
  EXPECT_TRUE(assembly.notes[1].ends_with(": warning: old")) << assembly.notes[1];
  EXPECT_EQ(at(assembly, "data", 99),
            "100f0e0d0c0b0a090807060504030201"
            "05000000000000000000000000000000"
            "ffffffff"
            "ac02007f8001"
            "7fd47dc000"
            "0102"
            "0100"
            "02000000"
            "0300"
            "04000000"
            "0500000000000000"
            "0000004100007a44000040c0000080ff"
            "414341"
            "0102"
            "616263"
            "0909"
            "01010202");
}

// llvm-mc takes literals for what is made of labels, whatever the value.
TEST(AsmFile, DistancesAreLiterals) {
  const Assembly assembly = assembled(R"(
code: s_nop 0
b: s_mov_b32 s0, b-code
s_mov_b32 s1, code-b
s_mov_b32 s2, later-code
.set x, b-code
s_mov_b32 s3, x
.set four, 4
s_mov_b32 s4, four
later:
)",
                                      {}, "gfx900");
  EXPECT_EQ(at(assembly, "code", 40),
            "000080bf"
            "ff0080be04000000"
            "ff0081befcffffff"
            "ff0082be28000000"
            "ff0083be04000000"
            "840084be");
}

// Of gfx1250 integers of 64 bits have literals of 64.
TEST(AsmFile, WideDistances) {
  const Assembly assembly = assembled(R"(
code: s_mov_b64 s[2:3], later-code
s_add_nc_u64 s[2:3], s[2:3], later@rel64+4
later:
)",
                                      {}, "gfx1250");
  EXPECT_EQ(at(assembly, "code", 24),
            "fe0182be1800000000000000"
            "02fe82a90c00000000000000");
}

TEST(AsmFile, AddressesComeFromATable) {
  const Assembly assembly = assembled(R"(
.globl code
code: s_getpc_b64 s[0:1]
  s_add_u32 s0, s0, table@gotpcrel32@lo+4
  s_addc_u32 s1, s1, table@gotpcrel32@hi+12
.data
.globl table
table: .long 7
)");
  const CodeObject object = CodeObject::parse(assembly.object);
  constexpr std::uint64_t kLoad = 0x7000000;
  const isa::object::Image image = load_image(object, kLoad);
  std::uint64_t code = 0, table = 0;
  for (const isa::object::Symbol& symbol : object.symbols()) {
    if (symbol.name == "code") code = image.address(symbol.address);
    if (symbol.name == "table") table = image.address(symbol.address);
  }
  std::uint32_t low = 0;
  std::memcpy(&low, image.bytes().data() + (code - kLoad) + 8, sizeof low);
  std::uint64_t entry = 0;
  std::memcpy(&entry, image.bytes().data() + (code + 4 + low - kLoad), sizeof entry);
  EXPECT_EQ(entry, table);
}

TEST(AsmFile, CommonSymbolsAreZeros) {
  const Assembly assembly = assembled(".comm c, 16, 8\n.lcomm d, 4\n.data\n.globl p\np: .quad d-c\n");
  EXPECT_EQ(at(assembly, "p", 8), "1000000000000000");
}

// compute_pgm_rsrc1 to 3 as llvm-mc has them (19; gfx1250 22).
TEST(AsmFile, KernelDescriptorsAreLlvms) {
  struct Case {
    const char *target, *directives;
    std::uint32_t rsrc1, rsrc2, rsrc3;
  };
  const Case cases[] = {
      {"gfx900", ".amdhsa_reserve_flat_scratch 0", 0x00ac0081, 0x80, 0},
      {"gfx900:xnack-", ".amdhsa_reserve_flat_scratch 0", 0x00ac0041, 0x80, 0},
      {"gfx900:xnack+", ".amdhsa_reserve_flat_scratch 0\n.amdhsa_reserve_xnack_mask 1", 0x00ac0081, 0x80, 0},
      {"gfx90a", ".amdhsa_accum_offset 8\n.amdhsa_reserve_flat_scratch 0", 0x00ac0080, 0x80, 1},
      {"gfx1250", ".amdhsa_named_barrier_count 4", 0xc00c0000, 0x80, 0x10000},
      {"gfx1250", ".amdhsa_forward_progress 0", 0x400c0000, 0x80, 0},
  };
  for (const Case& test : cases) {
    const Assembly assembly =
        assembled(fmt::format(R"(
.amdgcn_target "amdgcn-amd-amdhsa--{}"
k: s_endpgm
.amdhsa_kernel k
  .amdhsa_next_free_vgpr 8
  .amdhsa_next_free_sgpr 14
  {}
.end_amdhsa_kernel
)",
                              test.target, test.directives),
                  {}, std::string(test.target).substr(0, std::string(test.target).find(':')).c_str());
    const CodeObject object = CodeObject::parse(assembly.object);
    ASSERT_EQ(object.kernels().size(), 1u);
    const isa::object::KernelDescriptor& descriptor = object.kernels()[0].descriptor;
    EXPECT_EQ(descriptor.compute_pgm_rsrc1, test.rsrc1)
        << test.target << std::hex << descriptor.compute_pgm_rsrc1;
    EXPECT_EQ(descriptor.compute_pgm_rsrc2, test.rsrc2) << test.target;
    EXPECT_EQ(descriptor.compute_pgm_rsrc3, test.rsrc3) << test.target;
  }
}

// llvm-mc-19: gfx10.1 branches wrongly over 63 dwords unless an s_nop follows, which makes them 64.
TEST(AsmFile, BranchesOver63DwordsArePadded) {
  const std::string text = "code: s_branch later\n.rept 63\ns_endpgm\n.endr\nlater: s_endpgm\n";
  for (const char* target : {"gfx1010", "gfx1011", "gfx1012", "gfx1013"})
    EXPECT_EQ(at(assembled(text, {}, target), "code", 12), "400082bf000080bf000081bf") << target;
  EXPECT_EQ(at(assembled(text, {}, "gfx1030"), "code", 8), "3f0082bf000081bf");
}

}  // namespace mockgpu::tests::asm_file_tests
