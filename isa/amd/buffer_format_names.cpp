#include "isa/amd/generation.h"
#include "isa/amd/operand_names.h"

namespace mockgpu::isa::amd {
namespace {

/// From gfx10 on, in the order of their ids; gfx11 closed up where it dropped some.
struct BufferFormat {
  std::string_view name;
  bool in_gfx11 = true;
};

constexpr BufferFormat kFormats[] = {
    {"BUF_FMT_INVALID"},
    {"BUF_FMT_8_UNORM"},
    {"BUF_FMT_8_SNORM"},
    {"BUF_FMT_8_USCALED"},
    {"BUF_FMT_8_SSCALED"},
    {"BUF_FMT_8_UINT"},
    {"BUF_FMT_8_SINT"},
    {"BUF_FMT_16_UNORM"},
    {"BUF_FMT_16_SNORM"},
    {"BUF_FMT_16_USCALED"},
    {"BUF_FMT_16_SSCALED"},
    {"BUF_FMT_16_UINT"},
    {"BUF_FMT_16_SINT"},
    {"BUF_FMT_16_FLOAT"},
    {"BUF_FMT_8_8_UNORM"},
    {"BUF_FMT_8_8_SNORM"},
    {"BUF_FMT_8_8_USCALED"},
    {"BUF_FMT_8_8_SSCALED"},
    {"BUF_FMT_8_8_UINT"},
    {"BUF_FMT_8_8_SINT"},
    {"BUF_FMT_32_UINT"},
    {"BUF_FMT_32_SINT"},
    {"BUF_FMT_32_FLOAT"},
    {"BUF_FMT_16_16_UNORM"},
    {"BUF_FMT_16_16_SNORM"},
    {"BUF_FMT_16_16_USCALED"},
    {"BUF_FMT_16_16_SSCALED"},
    {"BUF_FMT_16_16_UINT"},
    {"BUF_FMT_16_16_SINT"},
    {"BUF_FMT_16_16_FLOAT"},
    {"BUF_FMT_10_11_11_UNORM", false},
    {"BUF_FMT_10_11_11_SNORM", false},
    {"BUF_FMT_10_11_11_USCALED", false},
    {"BUF_FMT_10_11_11_SSCALED", false},
    {"BUF_FMT_10_11_11_UINT", false},
    {"BUF_FMT_10_11_11_SINT", false},
    {"BUF_FMT_10_11_11_FLOAT"},
    {"BUF_FMT_11_11_10_UNORM", false},
    {"BUF_FMT_11_11_10_SNORM", false},
    {"BUF_FMT_11_11_10_USCALED", false},
    {"BUF_FMT_11_11_10_SSCALED", false},
    {"BUF_FMT_11_11_10_UINT", false},
    {"BUF_FMT_11_11_10_SINT", false},
    {"BUF_FMT_11_11_10_FLOAT"},
    {"BUF_FMT_10_10_10_2_UNORM"},
    {"BUF_FMT_10_10_10_2_SNORM"},
    {"BUF_FMT_10_10_10_2_USCALED", false},
    {"BUF_FMT_10_10_10_2_SSCALED", false},
    {"BUF_FMT_10_10_10_2_UINT"},
    {"BUF_FMT_10_10_10_2_SINT"},
    {"BUF_FMT_2_10_10_10_UNORM"},
    {"BUF_FMT_2_10_10_10_SNORM"},
    {"BUF_FMT_2_10_10_10_USCALED"},
    {"BUF_FMT_2_10_10_10_SSCALED"},
    {"BUF_FMT_2_10_10_10_UINT"},
    {"BUF_FMT_2_10_10_10_SINT"},
    {"BUF_FMT_8_8_8_8_UNORM"},
    {"BUF_FMT_8_8_8_8_SNORM"},
    {"BUF_FMT_8_8_8_8_USCALED"},
    {"BUF_FMT_8_8_8_8_SSCALED"},
    {"BUF_FMT_8_8_8_8_UINT"},
    {"BUF_FMT_8_8_8_8_SINT"},
    {"BUF_FMT_32_32_UINT"},
    {"BUF_FMT_32_32_SINT"},
    {"BUF_FMT_32_32_FLOAT"},
    {"BUF_FMT_16_16_16_16_UNORM"},
    {"BUF_FMT_16_16_16_16_SNORM"},
    {"BUF_FMT_16_16_16_16_USCALED"},
    {"BUF_FMT_16_16_16_16_SSCALED"},
    {"BUF_FMT_16_16_16_16_UINT"},
    {"BUF_FMT_16_16_16_16_SINT"},
    {"BUF_FMT_16_16_16_16_FLOAT"},
    {"BUF_FMT_32_32_32_UINT"},
    {"BUF_FMT_32_32_32_SINT"},
    {"BUF_FMT_32_32_32_FLOAT"},
    {"BUF_FMT_32_32_32_32_UINT"},
    {"BUF_FMT_32_32_32_32_SINT"},
    {"BUF_FMT_32_32_32_32_FLOAT"},
};

// gfx9 and CDNA: data format and number format.
constexpr std::string_view kDataFormats[] = {
    "BUF_DATA_FORMAT_INVALID",     "BUF_DATA_FORMAT_8",        "BUF_DATA_FORMAT_16",
    "BUF_DATA_FORMAT_8_8",         "BUF_DATA_FORMAT_32",       "BUF_DATA_FORMAT_16_16",
    "BUF_DATA_FORMAT_10_11_11",    "BUF_DATA_FORMAT_11_11_10", "BUF_DATA_FORMAT_10_10_10_2",
    "BUF_DATA_FORMAT_2_10_10_10",  "BUF_DATA_FORMAT_8_8_8_8",  "BUF_DATA_FORMAT_32_32",
    "BUF_DATA_FORMAT_16_16_16_16", "BUF_DATA_FORMAT_32_32_32", "BUF_DATA_FORMAT_32_32_32_32",
    "BUF_DATA_FORMAT_RESERVED_15",
};

constexpr std::string_view kNumberFormats[] = {
    "BUF_NUM_FORMAT_UNORM", "BUF_NUM_FORMAT_SNORM", "BUF_NUM_FORMAT_USCALED",    "BUF_NUM_FORMAT_SSCALED",
    "BUF_NUM_FORMAT_UINT",  "BUF_NUM_FORMAT_SINT",  "BUF_NUM_FORMAT_RESERVED_6", "BUF_NUM_FORMAT_FLOAT",
};

}  // namespace

std::string_view buffer_format_name(Generation generation, unsigned id) {
  const bool all = is_gfx10(generation);
  for (const BufferFormat& format : kFormats) {
    if ((all || format.in_gfx11) && id-- == 0) return format.name;
  }
  return {};
}

std::string_view buffer_data_format_name(unsigned id) { return kDataFormats[id & 15]; }

std::string_view buffer_number_format_name(unsigned id) { return kNumberFormats[id & 7]; }

}  // namespace mockgpu::isa::amd
