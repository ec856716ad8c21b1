#include <cerrno>

#include "emu/amd/kfd.h"

// Requests of features that this driver is built without, or that nothing here can use: each is answered as
// the real driver answers in that case.
namespace mockgpu::emu::amd {
namespace kfd = isa::amd::kfd;

int Kfd::not_permitted(void*) { return -EPERM; }

/// A driver built without HSA_AMD_SVM. Its sysfs does not promise SVM either.
int Kfd::svm(void*) { return -EPERM; }

/// Checkpoints need a capability that a client is not assumed to have.
int Kfd::criu_op(void*) { return -EACCES; }

/// Debugging needs the hardware scheduler, which this driver does without.
int Kfd::dbg_trap(void*) { return -EINVAL; }

}  // namespace mockgpu::emu::amd
