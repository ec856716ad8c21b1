#include "isa/amd/commands/pm4.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>

#include "isa/amd/commands/registers.h"
#include "isa/base/error.h"

namespace mockgpu::isa::amd::pm4 {
namespace {

constexpr NamedValue kOpcodeNames[] = {
    {0x10, "NOP"},
    {0x11, "SET_BASE"},
    {0x12, "CLEAR_STATE"},
    {0x15, "DISPATCH_DIRECT"},
    {0x16, "DISPATCH_INDIRECT"},
    {0x1e, "ATOMIC_MEM"},
    {0x22, "COND_EXEC"},
    {0x23, "PRED_EXEC"},
    {0x28, "CONTEXT_CONTROL"},
    {0x37, "WRITE_DATA"},
    {0x39, "MEM_SEMAPHORE"},
    {0x3c, "WAIT_REG_MEM"},
    {0x3f, "INDIRECT_BUFFER"},
    {0x40, "COPY_DATA"},
    {0x42, "PFP_SYNC_ME"},
    {0x46, "EVENT_WRITE"},
    {0x49, "RELEASE_MEM"},
    {0x50, "DMA_DATA"},
    {0x58, "ACQUIRE_MEM"},
    {0x59, "REWIND"},
    {0x5e, "LOAD_UCONFIG_REG"},
    {0x5f, "LOAD_SH_REG"},
    {0x60, "LOAD_CONFIG_REG"},
    {0x61, "LOAD_CONTEXT_REG"},
    {0x63, "LOAD_SH_REG_INDEX"},
    {0x68, "SET_CONFIG_REG"},
    {0x69, "SET_CONTEXT_REG"},
    {0x76, "SET_SH_REG"},
    {0x77, "SET_SH_REG_OFFSET"},
    {0x78, "SET_QUEUE_REG"},
    {0x79, "SET_UCONFIG_REG"},
    {0x7a, "SET_UCONFIG_REG_INDEX"},
    {0x93, "WAIT_REG_MEM64"},
    {0x95, "HDP_FLUSH"},
    {0x98, "INVALIDATE_TLBS"},
    {0x99, "AQL_PACKET"},
    {0x9b, "SET_SH_REG_INDEX"},
    {0xa0, "SET_RESOURCES"},
    {0xa1, "MAP_PROCESS"},
    {0xa2, "MAP_QUEUES"},
    {0xa3, "UNMAP_QUEUES"},
    {0xa4, "QUERY_STATUS"},
    {0xa5, "RUN_LIST"},
    {0xa6, "MAP_PROCESS_VM"},
};

constexpr NamedValue kGcrBits[] = {
    {1u << 4, "GLM_WB"},   {1u << 5, "GLM_INV"}, {1u << 6, "GLK_WB"},       {1u << 7, "GLK_INV"},
    {1u << 8, "GLV_INV"},  {1u << 9, "GL1_INV"}, {1u << 10, "GL2_US"},      {1u << 13, "GL2_DISCARD"},
    {1u << 14, "GL2_INV"}, {1u << 15, "GL2_WB"}, {1u << 18, "RANGE_IS_PA"},
};
constexpr NamedValue kReleaseGcrBits[] = {
    {1u << 12, "GLM_WB"},  {1u << 13, "GLM_INV"}, {1u << 14, "GLV_INV"},
    {1u << 15, "GL1_INV"}, {1u << 16, "GL2_US"},  {1u << 19, "GL2_DISCARD"},
    {1u << 20, "GL2_INV"}, {1u << 21, "GL2_WB"},  {1u << 24, "GLK_WB"},
};
constexpr NamedValue kEventNames[] = {
    {0x07, "CS_PARTIAL_FLUSH"},    {0x14, "CACHE_FLUSH_AND_INV_TS"},
    {0x28, "BOTTOM_OF_PIPE_TS"},   {0x2f, "CS_DONE"},
    {0x33, "THREAD_TRACE_START"},  {0x34, "THREAD_TRACE_STOP"},
    {0x35, "THREAD_TRACE_MARKER"}, {0x36, "THREAD_TRACE_FLUSH"},
    {0x37, "THREAD_TRACE_FINISH"},
};
constexpr NamedValue kDataSelNames[] = {{0, "none"},         {1, "low32"},      {2, "value64"},
                                        {3, "gpu_clock"},    {4, "cp_counter"}, {5, "gds"},
                                        {6, "emulated_sclk"}};
constexpr NamedValue kIntSelNames[] = {
    {0, "none"},          {1, "interrupt_only"}, {2, "after_write"}, {3, "data_after_write"},
    {4, "unconditional"}, {5, "compare32"},      {6, "compare64"}};
constexpr NamedValue kReleaseDstNames[] = {
    {0, "memory"}, {1, "l2"}, {2, "wptr_register"}, {3, "wptr_poll_mask"}};
constexpr NamedValue kCompareNames[] = {{0, "always"}, {1, "<"},  {2, "<="}, {3, "=="},
                                        {4, "!="},     {5, ">="}, {6, ">"}};
constexpr NamedValue kSpaceNames[] = {{0, "register"}, {1, "memory"}};
constexpr NamedValue kWaitOperationNames[] = {{0, "wait"}, {1, "write_wait"}, {3, "wait_preemptable"}};
constexpr NamedValue kWriteDstNames[] = {{0, "register"}, {1, "memory_sync"}, {2, "l2"},
                                         {3, "gds"},      {5, "memory"},      {6, "adc_persistent"}};
constexpr NamedValue kCopySrcNames[] = {{0, "register"},
                                        {1, "memory"},
                                        {2, "l2"},
                                        {3, "gds"},
                                        {4, "perf_counter"},
                                        {5, "immediate"},
                                        {6, "atomic_return"},
                                        {7, "gds_atomic_return0"},
                                        {8, "gds_atomic_return1"},
                                        {9, "gpu_clock"},
                                        {10, "system_clock"}};
constexpr NamedValue kCopyDstNames[] = {{0, "register"},   {1, "memory_sync"},  {2, "l2"},
                                        {3, "gds"},        {4, "perf_counter"}, {5, "memory"},
                                        {6, "register_dc"}};
constexpr NamedValue kDmaSrcNames[] = {{0, "address"}, {1, "gds"}, {2, "data"}, {3, "l2"}};
constexpr NamedValue kDmaDstNames[] = {{0, "address"}, {1, "gds"}, {2, "nowhere"}, {3, "l2"}};
constexpr NamedValue kDmaCommandBits[] = {
    {1u << 26, "source_is_register"}, {1u << 27, "destination_is_register"},
    {1u << 28, "source_fixed"},       {1u << 29, "destination_fixed"},
    {1u << 30, "raw_wait"},           {1u << 31, "no_write_confirm"},
};
constexpr NamedValue kAtomicNames[] = {
    {0x01, "float_cmpswap"}, {0x02, "float_min"}, {0x03, "float_max"}, {0x07, "swap"}, {0x08, "cmpswap"},
    {0x0f, "add"},           {0x10, "sub"},       {0x11, "smin"},      {0x12, "umin"}, {0x13, "smax"},
    {0x14, "umax"},          {0x15, "and"},       {0x16, "or"},        {0x17, "xor"},  {0x18, "inc"},
    {0x19, "dec"},
};
constexpr NamedValue kInitiatorBits[] = {
    {1u << 0, "COMPUTE_SHADER_EN"},  {1u << 1, "PARTIAL_TG_EN"},
    {1u << 2, "FORCE_START_AT_000"}, {1u << 5, "USE_THREAD_DIMENSIONS"},
    {1u << 6, "ORDER_MODE"},         {1u << 14, "RESTORE"},
    {1u << 15, "CS_W32_EN"},
};

std::string selection_name(std::uint32_t value, std::span<const NamedValue> names) {
  for (const NamedValue& named : names) {
    if (named.value == value) return std::string(named.name);
  }
  return fmt::format("{}", value);
}

void describe_gcr(std::uint32_t gcr, FieldPrinter& printer) {
  printer.hex("gcr_cntl", gcr);
  printer.unsigned_number("gli_inv", gcr::kGliInv.get(gcr));
  std::uint32_t known = 0;
  for (const NamedValue& bit : kGcrBits) known |= bit.value;
  printer.flags("gcr", gcr & known, kGcrBits);
  printer.rare("gl1_range", gcr::kGl1Range.get(gcr));
  printer.rare("gl2_range", gcr::kGl2Range.get(gcr));
  printer.rare("seq", gcr::kSeq.get(gcr));
}

/// The values of a SET_*_REG packet with the registers' gfx11 names.
std::string format_set_reg(std::span<const std::uint32_t> packet, std::uint32_t base) {
  const auto body = read_body<SetReg>(packet);
  FieldPrinter printer;
  printer.hex("offset", body.offset());
  printer.rare("index", body.index());
  for (std::size_t i = 2; i < packet.size(); ++i) {
    const std::uint32_t address = base + body.offset() + static_cast<std::uint32_t>(i - 2);
    printer.hex(register_name_at(address, RegisterFile::gfx11), packet[i]);
  }
  return fmt::format("{{{}}}", printer.str());
}

std::string format_body(Opcode opcode, std::span<const std::uint32_t> packet) {
  switch (opcode) {
    case Opcode::set_sh_reg:
    case Opcode::set_sh_reg_index: return format_set_reg(packet, kShRegBase);
    case Opcode::set_uconfig_reg:
    case Opcode::set_uconfig_reg_index: return format_set_reg(packet, kUconfigRegBase);
    case Opcode::acquire_mem:
      if (packet.size() == 7) return fmt::format("{}", read_body<AcquireMemGfx9>(packet));
      return fmt::format("{}", read_body<AcquireMem>(packet));
    case Opcode::release_mem: return fmt::format("{}", read_body<ReleaseMem>(packet));
    case Opcode::event_write: return fmt::format("{}", read_body<EventWrite>(packet));
    case Opcode::wait_reg_mem: return fmt::format("{}", read_body<WaitRegMem>(packet));
    case Opcode::wait_reg_mem64: return fmt::format("{}", read_body<WaitRegMem64>(packet));
    case Opcode::write_data: {
      const auto body = read_body<WriteData>(packet);  // throws before `subspan` could go out of range
      return fmt::format("{} {}", body, format_words(packet.subspan(4)));
    }
    case Opcode::copy_data: return fmt::format("{}", read_body<CopyData>(packet));
    case Opcode::atomic_mem: return fmt::format("{}", read_body<AtomicMem>(packet));
    case Opcode::dma_data: return fmt::format("{}", read_body<DmaData>(packet));
    case Opcode::dispatch_direct: return fmt::format("{}", read_body<DispatchDirect>(packet));
    case Opcode::dispatch_indirect: return fmt::format("{}", read_body<DispatchIndirect>(packet));
    case Opcode::indirect_buffer: return fmt::format("{}", read_body<IndirectBuffer>(packet));
    case Opcode::cond_exec: return fmt::format("{}", read_body<CondExec>(packet));
    case Opcode::pred_exec: return fmt::format("{}", read_body<PredExec>(packet));
    default: return format_words(packet.subspan(1));
  }
}

}  // namespace

std::string release_data_name(ReleaseData selection) {
  return selection_name(static_cast<std::uint32_t>(selection), kDataSelNames);
}
std::string release_interrupt_name(ReleaseInterrupt selection) {
  return selection_name(static_cast<std::uint32_t>(selection), kIntSelNames);
}
std::string release_destination_name(std::uint32_t selection) {
  return selection_name(selection, kReleaseDstNames);
}
std::string write_destination_name(WriteDestination selection) {
  return selection_name(static_cast<std::uint32_t>(selection), kWriteDstNames);
}
std::string copy_source_name(CopySource selection) {
  return selection_name(static_cast<std::uint32_t>(selection), kCopySrcNames);
}
std::string copy_destination_name(CopyDestination selection) {
  return selection_name(static_cast<std::uint32_t>(selection), kCopyDstNames);
}

std::string_view opcode_name(std::uint8_t opcode) {
  for (const NamedValue& named : kOpcodeNames) {
    if (named.value == opcode) return named.name;
  }
  return {};
}

void describe(const SetReg& body, FieldPrinter& printer) {
  printer.hex("offset", body.offset());
  printer.rare("vmid_shift", SetReg::kVmidShift.get(body.target));
  printer.rare("index", body.index());
}

void describe(const AcquireMem& body, FieldPrinter& printer) {
  printer.rare("pws", body.pws);
  printer.hex("size", join(body.size_lo, body.size_hi));
  printer.hex("base", join(body.base_lo, body.base_hi));
  printer.unsigned_number("poll_interval", body.poll_interval);
  describe_gcr(body.gcr_cntl, printer);
}

void describe(const AcquireMemGfx9& body, FieldPrinter& printer) {
  printer.hex("coher_cntl", body.coher_cntl);
  printer.hex("size", join(body.size_lo, body.size_hi));
  printer.hex("base", join(body.base_lo, body.base_hi));
  printer.unsigned_number("poll_interval", body.poll_interval);
}

void describe(const EventWrite& body, FieldPrinter& printer) {
  printer.choice("event", EventWrite::kType.get(body.event), kEventNames);
  printer.unsigned_number("index", EventWrite::kIndex.get(body.event));
}

void describe(const ReleaseMem& body, FieldPrinter& printer) {
  printer.choice("event", ReleaseMem::kEventType.get(body.event), kEventNames);
  printer.unsigned_number("index", body.event_index());
  std::uint32_t known = 0;
  for (const NamedValue& bit : kReleaseGcrBits) known |= bit.value;
  printer.flags("gcr", body.event & known, kReleaseGcrBits);
  printer.rare("gl2_range", ReleaseMem::kGl2Range.get(body.event));
  printer.rare("seq", ReleaseMem::kSeq.get(body.event));
  printer.rare("policy", ReleaseMem::kPolicy.get(body.event));
  printer.choice("dst_sel", body.dst_sel(), kReleaseDstNames);
  printer.choice("int_sel", ReleaseMem::kIntSel.get(body.select), kIntSelNames);
  printer.choice("data_sel", ReleaseMem::kDataSel.get(body.select), kDataSelNames);
  printer.hex("address", body.address());
  printer.hex("data", body.data());
  printer.unsigned_number("int_ctxid", body.int_ctxid);
}

void describe(const WaitRegMem& body, FieldPrinter& printer) {
  printer.choice("function", WaitRegMem::kFunction.get(body.control), kCompareNames);
  printer.choice("space", WaitRegMem::kSpace.get(body.control), kSpaceNames);
  printer.choice("operation", WaitRegMem::kOperation.get(body.control), kWaitOperationNames);
  printer.rare("engine", WaitRegMem::kEngine.get(body.control));
  if (body.memory()) {
    printer.hex("address", body.address());
  } else if (body.operation() == WaitOperation::write_wait) {
    printer.text("write", register_name_at(body.address_lo, RegisterFile::gfx11));
    printer.text("poll", register_name_at(body.address_hi, RegisterFile::gfx11));
  } else {
    printer.text("register", register_name_at(body.address_lo, RegisterFile::gfx11));
  }
  printer.hex("reference", body.reference);
  printer.hex("mask", body.mask);
  printer.unsigned_number("interval", WaitRegMem::kInterval.get(body.interval));
}

void describe(const WaitRegMem64& body, FieldPrinter& printer) {
  printer.choice("function", WaitRegMem::kFunction.get(body.control), kCompareNames);
  printer.choice("space", WaitRegMem::kSpace.get(body.control), kSpaceNames);
  printer.choice("operation", WaitRegMem::kOperation.get(body.control), kWaitOperationNames);
  if (body.memory()) {
    printer.hex("address", body.address());
  } else {
    printer.text("register", register_name_at(body.address_lo, RegisterFile::gfx11));
  }
  printer.hex("reference", body.reference());
  printer.hex("mask", body.mask());
  printer.unsigned_number("interval", WaitRegMem::kInterval.get(body.interval));
}

void describe(const WriteData& body, FieldPrinter& printer) {
  printer.choice("dst_sel", WriteData::kDstSel.get(body.control), kWriteDstNames);
  printer.rare("one_address", WriteData::kOneAddress.get(body.control));
  printer.unsigned_number("write_confirm", WriteData::kWriteConfirm.get(body.control));
  printer.rare("policy", WriteData::kPolicy.get(body.control));
  printer.hex("address", body.address());
}

void describe(const CopyData& body, FieldPrinter& printer) {
  printer.choice("src_sel", CopyData::kSrcSel.get(body.control), kCopySrcNames);
  printer.choice("dst_sel", CopyData::kDstSel.get(body.control), kCopyDstNames);
  printer.unsigned_number("count64", CopyData::kCount64.get(body.control));
  printer.unsigned_number("write_confirm", CopyData::kWriteConfirm.get(body.control));
  printer.hex("source", body.source());
  printer.hex("destination", body.destination());
}

std::string atomic_op_name(std::uint32_t op) {
  const std::uint32_t base = op & ~static_cast<std::uint32_t>(kAtomic64 | kAtomicNoReturn);
  for (const NamedValue& named : kAtomicNames) {
    if (named.value != base) continue;
    return fmt::format("{}{}{}", named.name, (op & kAtomic64) ? "64" : "32",
                       (op & kAtomicNoReturn) ? "_noret" : "");
  }
  return {};
}

void describe(const AtomicMem& body, FieldPrinter& printer) {
  const std::string name = atomic_op_name(body.op());
  if (name.empty()) {
    printer.hex("op", body.op());
  } else {
    printer.text("op", name);
  }
  printer.unsigned_number("command", body.command());
  printer.hex("address", body.address());
  printer.hex("source", body.source());
  printer.hex("compare", body.compare());
  printer.unsigned_number("interval", AtomicMem::kInterval.get(body.interval));
}

void describe(const DmaData& body, FieldPrinter& printer) {
  printer.choice("src_sel", DmaData::kSrcSel.get(body.control), kDmaSrcNames);
  printer.choice("dst_sel", DmaData::kDstSel.get(body.control), kDmaDstNames);
  printer.unsigned_number("cp_sync", DmaData::kCpSync.get(body.control));
  printer.hex("source", body.source());
  printer.hex("destination", body.destination());
  printer.unsigned_number("byte_count", body.byte_count());
  printer.flags("command", body.command & ~DmaData::kByteCount.mask(), kDmaCommandBits);
}

void describe(const DispatchDirect& body, FieldPrinter& printer) {
  printer.unsigned_number("dim_x", body.dim_x);
  printer.unsigned_number("dim_y", body.dim_y);
  printer.unsigned_number("dim_z", body.dim_z);
  printer.flags("initiator", body.initiator, kInitiatorBits);
}

void describe(const DispatchIndirect& body, FieldPrinter& printer) {
  printer.hex("address", body.address());
  printer.flags("initiator", body.initiator, kInitiatorBits);
}

void describe(const IndirectBuffer& body, FieldPrinter& printer) {
  printer.hex("base", body.base());
  printer.unsigned_number("size_words", body.size_words());
  printer.unsigned_number("chain", body.chain() ? 1 : 0);
  printer.unsigned_number("valid", IndirectBuffer::kValid.get(body.control));
  printer.rare("vmid", IndirectBuffer::kVmid.get(body.control));
  printer.rare("priv", IndirectBuffer::kPriv.get(body.control));
}

void describe(const CondExec& body, FieldPrinter& printer) {
  printer.hex("address", body.address());
  printer.rare("command", CondExec::kCommand.get(body.command));
  printer.unsigned_number("exec_count", body.exec_count());
}

void describe(const PredExec& body, FieldPrinter& printer) {
  printer.unsigned_number("exec_count", body.exec_count());
  printer.hex("xcc_mask", body.xcc_mask());
}

void throw_short_packet(std::uint32_t header, std::size_t have, std::size_t need) {
  const Header decoded = decode_header(header);
  const std::string_view name = opcode_name(decoded.opcode);
  throw Error(Tag::bad_packet, fmt::format("{} (header {:#010x}) has {} body words but needs {}",
                                           name.empty() ? "PM4 packet" : name, header, have, need));
}

std::string format_packet(std::span<const std::uint32_t> packet) {
  if (packet.empty()) return "(no packet)";
  const Header header = decode_header(packet[0]);
  if (header.type == 2) return "FILLER";
  if (header.type != 3) return fmt::format("ILLEGAL type {} packet, header {:#010x}", header.type, packet[0]);
  const std::string_view known = opcode_name(header.opcode);
  const std::string name = known.empty() ? fmt::format("OPCODE_{:#04x}", header.opcode) : std::string(known);
  const std::span<const std::uint32_t> whole =
      packet.first(std::min<std::size_t>(packet.size(), header.packet_words()));
  if (whole.size() < header.packet_words()) {
    return fmt::format("{} (truncated: {} of {} words) {}", name, whole.size(), header.packet_words(),
                       format_words(whole.subspan(1)));
  }
  try {
    return fmt::format("{} {}", name, format_body(static_cast<Opcode>(header.opcode), whole));
  } catch (const Error&) {
    return fmt::format("{} (too short) {}", name, format_words(whole.subspan(1)));
  }
}

}  // namespace mockgpu::isa::amd::pm4
