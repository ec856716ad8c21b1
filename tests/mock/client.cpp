#include "tests/mock/client.h"

#include <chrono>

namespace mockgpu::test {

bool Client::reaches(const Memory& memory, std::size_t offset, std::uint32_t value) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  const runtime::Mmio window(memory.mapping);
  while (window.read32(offset) != value) {
    if (std::chrono::steady_clock::now() > end) return false;
    machine.relax();
  }
  return true;
}

}  // namespace mockgpu::test
