#include "emu/memory/guard.h"

#include <ucontext.h>

#include <algorithm>
#include <cstring>
#include <mutex>

#include "emu/memory/address_space.h"
#include "emu/memory/raw_copy.h"
#include "isa/base/error.h"

namespace mockgpu::emu {
namespace {

/// No program has memory below this (vm.mmap_min_addr): null pointers of ours stay crashes.
constexpr std::uint64_t kLowestAddress = 0x10000;
/// Times that others took the signal and we took it back.
constexpr int kMostHandlers = 16;

/// The innermost guard of this thread. Initial-exec: a signal handler must not allocate it.
__attribute__((tls_model("initial-exec"))) thread_local Guard* innermost = nullptr;
__attribute__((tls_model("initial-exec"))) thread_local int depth = 0;

/// The handlers that were there before ours, oldest first.
struct Previous {
  struct sigaction actions[kMostHandlers];
  int count = 0;
};
Previous previous_segv, previous_bus;

/// Hands a fault to whoever had the signal before us. A handler that calls ours in turn gets to older ones.
void pass_on(int signal, siginfo_t* info, void* context) {
  const Previous& previous = signal == SIGBUS ? previous_bus : previous_segv;
  const int index = previous.count - 1 - depth;
  if (index >= 0) {
    const struct sigaction& action = previous.actions[index];
    ++depth;
    if (action.sa_flags & SA_SIGINFO) {
      action.sa_sigaction(signal, info, context);
      --depth;
      return;
    }
    if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
      action.sa_handler(signal);
      --depth;
      return;
    }
    --depth;
  }
  // The default: end the process where the fault is, which happens again when we return.
  ::signal(signal, SIG_DFL);
  if (info->si_code <= 0) ::raise(signal);  // sent by somebody: it does not happen again
}

}  // namespace

void Guard::take(int signal) {
  Previous& previous = signal == SIGBUS ? previous_bus : previous_segv;
  struct sigaction now;
  if (::sigaction(signal, nullptr, &now) != 0) return;
  if ((now.sa_flags & SA_SIGINFO) && now.sa_sigaction == handle) return;
  if (previous.count == kMostHandlers) return;
  previous.actions[previous.count++] = now;
  struct sigaction ours {};
  ours.sa_sigaction = handle;
  // The handler is left by a jump, so the signal must not stay blocked.
  ours.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  ::sigemptyset(&ours.sa_mask);
  ::sigaction(signal, &ours, nullptr);
}

void Guard::handle(int signal, siginfo_t* info, void* context) {
  Guard* const guard = innermost;
  const auto address = reinterpret_cast<std::uint64_t>(info->si_addr);
  if (!guard || info->si_code <= 0 || !guard->covers(address)) {
    pass_on(signal, info, context);
    return;
  }
  guard->fault_.address = address;
#if defined(__x86_64__)
  const auto& registers = static_cast<ucontext_t*>(context)->uc_mcontext.gregs;
  guard->fault_.write = (registers[REG_ERR] & 2) != 0;
  std::uintptr_t words[16];
  for (int i = 0; i < 16; ++i) words[i] = static_cast<std::uintptr_t>(registers[REG_R8 + i]);
  guard->inspect(words, 16);
  const auto stack = static_cast<std::uintptr_t>(registers[REG_RSP]) & ~std::uintptr_t{7};
  const auto end = reinterpret_cast<std::uintptr_t>(guard);
  if (stack < end) guard->inspect(reinterpret_cast<const std::uintptr_t*>(stack), (end - stack) / 8);
#endif
  innermost = guard->outer_;
  // What the kernel does when a handler returns; whoever is between it and us (the thread sanitizer) may have
  // blocked all signals.
  ::pthread_sigmask(SIG_SETMASK, &static_cast<ucontext_t*>(context)->uc_sigmask, nullptr);
  siglongjmp(guard->jump_, 1);
}

void Guard::arm() {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  depth = 0;  // a handler that jumped away left it
  take(SIGSEGV);
  take(SIGBUS);
}

void Guard::inspect(const std::uintptr_t*, std::size_t) noexcept {}

/// Whether the map ever showed this host address. Host memory is remembered by gangs longer than by
/// HostPages, so there every address counts that a program can have.
bool Guard::covers(std::uint64_t address) const {
  if (map_->pages() && address >= kLowestAddress) return true;
  for (const MappedRange& range : map_->ranges()) {
    const auto begin = reinterpret_cast<std::uint64_t>(range.host);
    if (address - begin < range.end - range.begin) return true;
  }
  return false;
}

bool Guard::run(void (*body)(void*), void* context) {
  outer_ = innermost;
  innermost = this;
  try {
    const bool whole = call(body, context);
    innermost = outer_;
    return whole;
  } catch (...) {
    innermost = outer_;
    throw;
  }
}

/// In a function of its own: nothing here changes between the two returns of sigsetjmp.
__attribute__((noinline)) bool Guard::call(void (*body)(void*), void* context) {
  if (sigsetjmp(jump_, 0) != 0) return false;
  body(context);
  return true;
}

std::uint64_t bytes_present(const AddressMap& map, std::byte* host, std::uint64_t size, bool write) {
  constexpr std::uint64_t kPage = 4096;
  volatile std::uint64_t done = 0;
  guarded(map, [&] {
    while (done < size) {
      std::byte* const byte = host + done;
      raw_touch(byte, write);
      done = done + kPage - reinterpret_cast<std::uint64_t>(byte) % kPage;
    }
  });
  const std::uint64_t looked_at = done;
  return std::min(looked_at, size);
}

}  // namespace mockgpu::emu
