// One target under clang's libFuzzer.
#include <cstdint>

#include "tests/fuzz/targets.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  mockgpu::fuzz::MOCKGPU_FUZZ_TARGET({reinterpret_cast<const std::byte*>(data), size});
  return 0;
}
