// What llvm-objdump-19 prints of every prebuilt code object assembles to the same bytes. Skipped where LLVM
// 19 is not installed.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "tests/asm/llvm_mc.h"
#include "tests/cli/process.h"

namespace mockgpu::test::asm_llvm_tests {

struct Line {
  std::string text, hex;
};

// "BF8704E2 00000012" as bytes in memory.
std::string bytes_of(const std::string& words) {
  std::string hex;
  std::istringstream stream(words);
  for (std::string word; stream >> word && word.size() == 8;)
    for (int byte = 3; byte >= 0; --byte)
      for (int digit = 0; digit < 2; ++digit)
        hex += static_cast<char>(std::tolower(word[static_cast<std::size_t>(2 * byte + digit)]));
  return hex;
}

// The bytes of all instructions of a listing.
std::string all_bytes(const std::string& listing) {
  const std::regex instruction("\t.*// [0-9A-F]+: ([0-9A-F ]+)(<.*>)?");
  std::string bytes;
  std::istringstream lines(listing);
  std::smatch found;
  for (std::string line; std::getline(lines, line);)
    if (std::regex_match(line, found, instruction)) bytes += bytes_of(found[1]) + '\n';
  return bytes;
}

// The instructions of a listing, each once. Branches to symbols get the distance, as branches to other places
// have.
std::vector<Line> instructions(const std::string& listing) {
  const std::regex label("([0-9a-f]{16}) <(.*)>:"),
      instruction("\t(.*?) *// ([0-9A-F]+): ([0-9A-F ]+)(<.*>)?"),
      branch("(s_c?branch\\w*) ([A-Za-z_.]\\S*)");
  std::map<std::string, std::uint64_t> labels;
  std::istringstream first(listing), second(listing);
  std::smatch found;
  for (std::string line; std::getline(first, line);)
    if (std::regex_match(line, found, label)) labels[found[2]] = std::stoull(found[1], nullptr, 16);
  std::map<std::string, std::string> lines;
  for (std::string line; std::getline(second, line);) {
    if (!std::regex_match(line, found, instruction)) continue;
    std::string text = found[1];
    const std::string hex = bytes_of(found[3]);
    const std::uint64_t address = std::stoull(found[2], nullptr, 16);
    std::smatch target;
    if (std::regex_match(text, target, branch) && labels.contains(target[2]))
      text = fmt::format("{} {}", target[1].str(), (labels[target[2]] - address - 4) / 4 & 0xffff);
    lines[text] = hex;
  }
  std::vector<Line> result;
  for (const auto& [text, hex] : lines) result.push_back({text, hex});
  return result;
}

struct Count {
  std::size_t objects = 0, instructions = 0, ambiguous = 0;
};

// Assembles what llvm-objdump prints of the objects TARGET/.../NAME.co of a folder.
void check_objects(const std::filesystem::path& folder, Count& count) {
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() != ".co") continue;
    const std::string name = entry.path().stem().string(), path = entry.path().string();
    // These exist for their one odd instruction.
    if (name == "undecodable" || name == "unsupported" || name == "bad") continue;
    SCOPED_TRACE(path);
    const std::string target = std::filesystem::relative(entry.path(), folder).begin()->string();
    const bool wave64 = path.find("wave64") != std::string::npos;
    const std::string listing = output_of(fmt::format("llvm-objdump-19 -d --mcpu={} {}{}", target,
                                                      wave64 ? "--mattr=+wavefrontsize64 " : "", path));
    std::vector<std::string> arguments{"asm", "--target", target, "--hex"};
    if (wave64) arguments.emplace_back("--wave64");
    std::vector<std::string> of_listing = arguments;
    of_listing.emplace_back("--listing");
    EXPECT_EQ(mockgpu(of_listing, listing).out, all_bytes(listing));
    const std::vector<Line> lines = instructions(listing);
    std::string input;
    for (const Line& line : lines) input += line.text + '\n';
    const Ended ended = mockgpu(arguments, input);
    EXPECT_EQ(ended.code, 0) << ended.err;
    std::istringstream output(ended.out);
    std::vector<std::string> texts, ours, theirs;
    for (const Line& line : lines) {
      std::string hex;
      ASSERT_TRUE(std::getline(output, hex));
      ++count.instructions;
      if (hex == line.hex) continue;
      texts.push_back(line.text), ours.push_back(hex), theirs.push_back(line.hex);
    }
    // Where the text does not tell (a literal that a relocation filled and an inline constant could stand
    // for), LLVM's own assembler makes other bytes of it too, and the same as ours.
    count.ambiguous += texts.size();
    if (!texts.empty()) {
      const auto expected = tests::llvm_mc::assemble(19, target, wave64, texts);
      for (std::size_t i = 0; i < texts.size(); ++i)
        EXPECT_EQ(ours[i], expected[i].hex) << texts[i] << " of bytes " << theirs[i] << expected[i].error;
    }
    ++count.objects;
  }
  fmt::print("{} instructions of {} objects, {} whose text does not tell their bytes\n", count.instructions,
             count.objects, count.ambiguous);
}

bool is_llvm_installed() {
  return std::system("command -v llvm-objdump-19 >/dev/null && command -v clang-19 >/dev/null") == 0 &&
         tests::llvm_mc::is_installed(19);
}

TEST(AsmLlvm, DisassembledObjectsAssembleToTheirBytes) {
  if (!is_llvm_installed()) GTEST_SKIP() << "LLVM 19 is not installed";
  Count count;
  check_objects(MOCKGPU_TEST_DATA "/kernels", count);
  EXPECT_GT(count.objects, 100u);
  EXPECT_GT(count.instructions, 20000u);
  EXPECT_LT(count.ambiguous, 100u);
}

TEST(AsmLlvm, ObjectsOfEveryTargetAssembleToTheirBytes) {
  if (!is_llvm_installed()) GTEST_SKIP() << "LLVM 19 is not installed";
  std::string folder = testing::TempDir() + "targets.XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  ASSERT_EQ(std::system((MOCKGPU_TEST_DATA "/kernels/build.sh --targets " + folder).c_str()), 0);
  Count count;
  check_objects(folder, count);
  std::filesystem::remove_all(folder);
  EXPECT_EQ(count.objects, 94u);
  EXPECT_GT(count.instructions, 9000u);
  EXPECT_LE(count.ambiguous, 20u);
}

}  // namespace mockgpu::test::asm_llvm_tests
