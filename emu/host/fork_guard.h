#pragma once
#include <sys/mman.h>

namespace mockgpu::emu {

/// Knows a forked child: a page that the kernel wipes there. A driver's file belongs to the process that
/// opened it, and a child has neither the machine's threads nor a copy of the device's memory. Asking costs
/// one load.
class ForkGuard {
 public:
  ForkGuard() {
    void* page = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) return;
    if (madvise(page, kBytes, MADV_WIPEONFORK) != 0) {
      ::munmap(page, kBytes);
      return;
    }
    parent_ = static_cast<unsigned char*>(page);
    *parent_ = 1;
  }
  ~ForkGuard() {
    if (parent_ != &always_) ::munmap(parent_, kBytes);
  }
  ForkGuard(const ForkGuard&) = delete;
  ForkGuard& operator=(const ForkGuard&) = delete;

  bool forked() const { return *static_cast<const volatile unsigned char*>(parent_) == 0; }

 private:
  static constexpr unsigned kBytes = 4096;
  unsigned char always_ = 1;  ///< where the kernel lacks wiped pages, no child is recognised
  unsigned char* parent_ = &always_;
};

}  // namespace mockgpu::emu
