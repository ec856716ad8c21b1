#pragma once
#include <signal.h>

#include <csetjmp>
#include <cstddef>
#include <cstdint>

namespace mockgpu::emu {

class AddressMap;

/// Where a guarded access failed, as the host's hardware tells it.
struct HostFault {
  std::uint64_t address = 0;  ///< host address; the first byte that could not be accessed
  bool write = false;         ///< known on x86-64 only
};

/// Turns a host fault (SIGSEGV, SIGBUS) on simulated memory into a return value. Client memory can go away
/// behind our back; that must be a GPU fault (design, section 5). Faults elsewhere, and on threads that are
/// not guarded, go to the handler that was there before ours.
///
/// What runs guarded is left by a jump: it must hold no lock and own nothing where it touches memory.
class Guard {
 public:
  /// Guards the memory that `map` shows; it must stay alive.
  explicit Guard(const AddressMap& map) : map_(&map) {}
  virtual ~Guard() = default;
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;

  /// Runs `body(context)`. False if a fault ended it: fault() says which.
  bool run(void (*body)(void*), void* context);
  const HostFault& fault() const { return fault_; }

  /// Makes the process's signal handlers ours, unless they are. Cheap enough for every launch, dear for every
  /// turn. Handlers that others set after it see faults first.
  static void arm();

 protected:
  /// Called by the signal handler before the jump, with registers or a piece of stack of what was
  /// interrupted, innermost first: the place to find out what ran. Must be safe in a signal handler.
  virtual void inspect(const std::uintptr_t* words, std::size_t count) noexcept;

 private:
  static void handle(int signal, siginfo_t* info, void* context);
  static void take(int signal);
  bool covers(std::uint64_t address) const;
  bool call(void (*body)(void*), void* context);

  const AddressMap* map_;
  Guard* outer_ = nullptr;
  HostFault fault_;
  sigjmp_buf jump_;
};

/// Runs `body`, which accesses memory that `map` shows, guarded: false if part of it has gone.
template <typename Body>
bool guarded(const AddressMap& map, Body body) {
  Guard guard(map);
  return guard.run([](void* context) { (*static_cast<Body*>(context))(); }, &body);
}

/// Bytes of [host, host + size), from its beginning, that are still there. Looks at one byte of each page.
std::uint64_t bytes_present(const AddressMap& map, std::byte* host, std::uint64_t size, bool write);

}  // namespace mockgpu::emu
