// `mockgpu dis` against llvm-objdump-19 on every instruction of the prebuilt code objects. Skipped where that
// is not installed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <regex>
#include <sstream>

#include "tests/cli/process.h"

namespace mockgpu::test::dis_llvm_tests {

/// Text and words of each line of a listing, by address.
std::map<std::string, std::string> instructions(const std::string& listing) {
  std::map<std::string, std::string> result;
  std::istringstream lines(listing);
  for (std::string line; std::getline(lines, line);) {
    // `\ttext   // address: words <target>`
    const std::size_t comment = line.find("// ");
    const std::size_t colon = line.find(": ", comment);
    if (comment == std::string::npos || colon == std::string::npos || line[0] != '\t') continue;
    const std::size_t end = line.find_last_not_of(' ', comment - 1);
    const std::size_t target = std::min(line.find(" <", colon), line.size());
    result[line.substr(comment + 3, colon - comment - 3)] =
        line.substr(1, end) + " //" + line.substr(colon + 1, target - colon - 1);
  }
  return result;
}

/// LLVM 22 writes lit(0x28) for a literal that an inline constant could stand for, LLVM 19 the constant: 40.
std::string without_literal_marks(std::string text) {
  std::smatch found;
  while (std::regex_search(text, found, std::regex("lit\\((\\w+)\\)"))) {
    const auto value = static_cast<std::int32_t>(std::stoul(found[1], nullptr, 0));
    const std::string plain = value >= -16 && value <= 64 ? std::to_string(value) : std::string(found[1]);
    text = found.prefix().str() + plain + found.suffix().str();
  }
  return text;
}

/// What LLVM 22 spells otherwise than LLVM 19.
std::string without_version_differences(std::string text) {
  text = std::regex_replace(text, std::regex("\\.[lh]\\b"), "");
  text = std::regex_replace(text, std::regex("HW_REG_"), "");
  text = without_literal_marks(text);
  text = std::regex_replace(text, std::regex(", 0x0 //"), ", 0 //");
  return std::regex_replace(text, std::regex("(s_c?branch\\w*) [^/]*"), "$1 ");
}

TEST(DisLlvm, AgreesOnEveryInstructionOfThePrebuiltKernels) {
  if (std::system("command -v llvm-objdump-19 >/dev/null") != 0)
    GTEST_SKIP() << "llvm-objdump-19 is not installed";
  std::size_t compared = 0;
  for (const auto& entry :
       std::filesystem::recursive_directory_iterator(MOCKGPU_TEST_DATA "/kernels/gfx1100")) {
    if (!entry.is_regular_file()) continue;
    const std::string name = entry.path().stem().string();
    const std::string path = entry.path().string();
    const std::string wave_size = path.find("wave64") == std::string::npos ? "" : "--mattr=+wavefrontsize64 ";
    // These exist for their one odd instruction.
    if (name == "undecodable" || name == "unsupported" || name == "bad") continue;
    SCOPED_TRACE(name);
    const auto theirs = instructions(output_of("llvm-objdump-19 -d --mcpu=gfx1100 " + wave_size + path));
    const auto ours = instructions(mockgpu({"dis", path}).out);
    EXPECT_EQ(ours.size(), theirs.size());
    for (const auto& [address, text] : theirs) {
      const auto found = ours.find(address);
      ASSERT_NE(found, ours.end()) << address << ' ' << text;
      if (found->second != text) {
        EXPECT_EQ(without_version_differences(found->second), without_version_differences(text)) << address;
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 10000u);
}

}  // namespace mockgpu::test::dis_llvm_tests
