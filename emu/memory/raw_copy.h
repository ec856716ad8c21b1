#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define MOCKGPU_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define MOCKGPU_SANITIZED 1
#endif
#endif

namespace mockgpu::emu {

/// memmove for simulated memory. Sanitizers do not see it. The thread sanitizer: client and device see the
/// same bytes at different host addresses, so it would miss the signals that order their accesses and report
/// races that are none. The address sanitizer: a client allows whole pages, with the gaps between its objects.
inline void raw_copy(void* to, const void* from, std::size_t size) {
#if defined(MOCKGPU_SANITIZED) && defined(__x86_64__)
  // Instructions of our own are not instrumented.
  if (to > from && to < static_cast<const std::byte*>(from) + size) {
    void* last_to = static_cast<std::byte*>(to) + size - 1;
    const void* last_from = static_cast<const std::byte*>(from) + size - 1;
    asm volatile("std; rep movsb; cld" : "+D"(last_to), "+S"(last_from), "+c"(size) : : "memory");
    return;
  }
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(size) : : "memory");
#else
  std::memmove(to, from, size);
#endif
}

/// Loads a byte, or (`write`) stores what it is, under the same rule: a fault if that cannot be. What others
/// store at the same time is not lost.
inline void raw_touch(std::byte* byte, bool write) {
#if defined(__x86_64__)
  if (write) {
    asm volatile("lock orb $0, %0" : "+m"(*byte) : : "cc");
  } else {
    asm volatile("testb $0, %0" : : "m"(*byte) : "cc");
  }
#else
  auto* const value = reinterpret_cast<std::uint8_t*>(byte);
  static_cast<void>(write ? __atomic_fetch_or(value, 0, __ATOMIC_RELAXED) : __atomic_load_n(value, __ATOMIC_RELAXED));
#endif
}

/// Stores `count` copies of a 1, 2 or 4 byte value, under the same rule.
inline void raw_fill(void* to, std::uint32_t value, unsigned element_bytes, std::size_t count) {
#if defined(MOCKGPU_SANITIZED) && defined(__x86_64__)
  switch (element_bytes) {
    case 1: asm volatile("rep stosb" : "+D"(to), "+c"(count) : "a"(value) : "memory"); break;
    case 2: asm volatile("rep stosw" : "+D"(to), "+c"(count) : "a"(value) : "memory"); break;
    default: asm volatile("rep stosl" : "+D"(to), "+c"(count) : "a"(value) : "memory"); break;
  }
#else
  if (element_bytes == 1) {
    std::memset(to, static_cast<int>(value & 0xff), count);
    return;
  }
  auto* at = static_cast<std::byte*>(to);
  for (std::size_t i = 0; i < count; ++i, at += element_bytes) std::memcpy(at, &value, element_bytes);
#endif
}

}  // namespace mockgpu::emu
