#include <array>

#include "isa/amd/form.h"

namespace mockgpu::isa::amd {
namespace {

constexpr bool exact = false, approx = true;

struct OpRow {
  std::string_view name;
  bool approximate;
};

constexpr OpRow kOps[] = {
#define MOCKGPU_OP(name, exactness) {#name, exactness},
#include "isa/amd/ops.inc"
#undef MOCKGPU_OP
};

const OpRow& row(Op op) {
  static constexpr OpRow kNone{"", false};
  return op < Op::count ? kOps[static_cast<std::size_t>(op)] : kNone;
}

}  // namespace

std::string_view op_name(Op op) { return row(op).name; }

FormFlags form_flags(const Form& form) {
  namespace p = property;
  FormFlags flags{};
  flags.branch = form.has(p::branch);
  flags.terminator = form.has(p::term);
  flags.no_fallthrough = form.has(p::no_fallthrough);
  flags.barrier = form.has(p::barrier);
  flags.call = form.has(p::call);
  flags.load = form.has(p::load);
  flags.store = form.has(p::store);
  flags.atomic = form.has(p::atomic);
  flags.vmcnt = form.has(p::vm);
  flags.lgkmcnt = form.has(p::lgkm);
  flags.expcnt = form.has(p::expc);
  flags.asynccnt = form.has(p::asynccnt);
  flags.tensorcnt = form.has(p::tensorcnt);
  flags.trans = form.has(p::trans);
  flags.reads_vcc = form.has(p::vcc);
  flags.writes_vcc = form.has(p::w_vcc);
  flags.reads_exec = form.has(p::exec);
  flags.writes_exec = form.has(p::w_exec);
  flags.reads_scc = form.has(p::scc);
  flags.writes_scc = form.has(p::w_scc);
  flags.reads_m0 = form.has(p::m0);
  flags.reads_mode = form.has(p::mode);
  flags.writes_mode = form.has(p::w_mode);
  flags.approximate = row(form.op).approximate;
  return flags;
}

}  // namespace mockgpu::isa::amd
