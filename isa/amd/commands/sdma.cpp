#include "isa/amd/commands/sdma.h"

#include <fmt/core.h>

#include <iterator>

#include "isa/base/error.h"

namespace mockgpu::isa::amd::sdma {
namespace {

constexpr NamedValue kOpcodeNames[] = {
    {0, "NOP"},         {1, "COPY"},     {2, "WRITE"},       {4, "INDIRECT"},    {5, "FENCE"},
    {6, "TRAP"},        {7, "SEM"},      {8, "POLL_REGMEM"}, {9, "COND_EXE"},    {10, "ATOMIC"},
    {11, "CONST_FILL"}, {12, "PTEPDE"},  {13, "TIMESTAMP"},  {14, "SRBM_WRITE"}, {15, "PRE_EXE"},
    {16, "GPUVM_INV"},  {17, "GCR_REQ"}, {32, "DUMMY_TRAP"},
};
constexpr NamedValue kCompareNames[] = {{0, "always"}, {1, "<"},  {2, "<="}, {3, "=="},
                                        {4, "!="},     {5, ">="}, {6, ">"}};
constexpr NamedValue kFillSizeNames[] = {{0, "byte"}, {1, "u16"}, {2, "word"}};
constexpr NamedValue kTimestampNames[] = {{0, "set_local"}, {1, "get_local"}, {2, "get_global"}};
constexpr NamedValue kGcrSubNames[] = {{0, "kernel"}, {1, "user"}};

std::string_view copy_name(std::uint32_t sub) {
  switch (static_cast<CopySub>(sub)) {
    case CopySub::linear: return "COPY_LINEAR";
    case CopySub::tiled: return "COPY_TILED";
    case CopySub::sub_window: return "COPY_LINEAR_SUB_WINDOW";
    case CopySub::tiled_sub_window: return "COPY_TILED_SUB_WINDOW";
    case CopySub::sub_window_large: return "COPY_LINEAR_SUB_WINDOW_LARGE";
  }
  return "COPY";
}

std::string format_body(std::span<const std::uint32_t> packet) {
  const std::uint32_t sub = sub_of(packet[0]);
  switch (opcode_of(packet[0])) {
    case Opcode::nop: return fmt::format("{}", read<Nop>(packet));
    case Opcode::copy:
      if (sub == static_cast<std::uint32_t>(CopySub::linear))
        return fmt::format("{}", read<CopyLinear>(packet));
      if (sub == static_cast<std::uint32_t>(CopySub::sub_window)) {
        return fmt::format("{}", read<CopySubWindow>(packet));
      }
      break;
    case Opcode::write:
      if (sub == static_cast<std::uint32_t>(WriteSub::linear)) {
        const auto body = read<WriteLinear>(packet);  // throws before `subspan` could go out of range
        return fmt::format("{} {}", body, format_words(packet.subspan(4)));
      }
      break;
    case Opcode::indirect: return fmt::format("{}", read<Indirect>(packet));
    case Opcode::fence:
      if (sub == 0) return fmt::format("{}", read<Fence>(packet));
      break;
    case Opcode::trap: return fmt::format("{}", read<Trap>(packet));
    case Opcode::poll_regmem:
      if (sub == static_cast<std::uint32_t>(PollSub::poll))
        return fmt::format("{}", read<PollRegmem>(packet));
      break;
    case Opcode::cond_exe: return fmt::format("{}", read<CondExe>(packet));
    case Opcode::atomic: return fmt::format("{}", read<Atomic>(packet));
    case Opcode::const_fill:
      if (sub == 0) return fmt::format("{}", read<ConstFill>(packet));
      break;
    case Opcode::timestamp: return fmt::format("{}", read<Timestamp>(packet));
    case Opcode::srbm_write:
      if (sub == 0) return fmt::format("{}", read<SrbmWrite>(packet));
      break;
    case Opcode::gcr_req: return fmt::format("{}", read<GcrReq>(packet));
    default: break;
  }
  return fmt::format("sub {} {}", sub, format_words(packet.subspan(1)));
}

}  // namespace

std::string_view opcode_name(std::uint8_t opcode) {
  for (const NamedValue& named : kOpcodeNames) {
    if (named.value == opcode) return named.name;
  }
  return {};
}

std::size_t packet_words(std::span<const std::uint32_t> words) {
  if (words.empty()) return 0;
  const std::uint32_t header = words[0];
  const std::uint32_t sub = sub_of(header);
  switch (opcode_of(header)) {
    case Opcode::nop: return 1 + Nop::kCount.get(header);
    case Opcode::copy:
      if (sub == 0) return CopyLinear::kBroadcast.get(header) ? 9 : 7;
      if (sub == 4) return 13;
      if (sub == 36) return 20;
      return 0;
    case Opcode::write:
      if (sub != 0 || words.size() < 4) return 0;
      return 4 + std::size_t{WriteLinear::kCount.get(words[3])} + 1;
    case Opcode::indirect: return 6;
    case Opcode::fence: return sub == 0 ? 4 : 0;
    case Opcode::trap: return 2;
    case Opcode::sem: return sub == 0 ? 3 : 0;
    case Opcode::poll_regmem:
      switch (sub) {
        case 0: return 6;
        case 1:
        case 2: return 4;
        case 3: return 13;
        case 4: return 4;
        default: return 0;
      }
    case Opcode::cond_exe: return 5;
    case Opcode::atomic: return 8;
    case Opcode::const_fill: return sub == 0 ? 5 : sub == 1 ? 6 : 0;
    case Opcode::timestamp: return sub <= 2 ? 3 : 0;
    case Opcode::srbm_write: return sub == 0 ? 3 : 0;
    case Opcode::pre_exe: return 2;
    case Opcode::gpuvm_inv: return 4;
    case Opcode::gcr_req: return 5;
    case Opcode::dummy_trap: return 2;
    case Opcode::ptepde: return 0;
  }
  return 0;
}

void describe(const Nop& packet, FieldPrinter& printer) {
  printer.unsigned_number("count", Nop::kCount.get(packet.header));
}

void describe(const CopyLinear& packet, FieldPrinter& printer) {
  printer.unsigned_number("byte_count", packet.byte_count());
  printer.hex("source", packet.source());
  printer.hex("destination", packet.destination());
  printer.rare("encrypt", CopyLinear::kEncrypt.get(packet.header));
  printer.rare("backwards", CopyLinear::kBackwards.get(packet.header));
  printer.rare("broadcast", CopyLinear::kBroadcast.get(packet.header));
  printer.rare("parameters", packet.parameters);
}

void describe(const CopySubWindow& packet, FieldPrinter& printer) {
  printer.unsigned_number("element_bytes", packet.element_bytes());
  printer.hex("source", packet.source());
  printer.unsigned_number("source_x", CopySubWindow::kX.get(packet.source_xy));
  printer.unsigned_number("source_y", CopySubWindow::kY.get(packet.source_xy));
  printer.unsigned_number("source_z", CopySubWindow::kZ.get(packet.source_z_pitch));
  printer.unsigned_number("source_pitch", CopySubWindow::kPitch.get(packet.source_z_pitch) + 1u);
  printer.unsigned_number("source_slice_pitch",
                          CopySubWindow::kSlicePitch.get(packet.source_slice_pitch) + 1u);
  printer.hex("destination", packet.destination());
  printer.unsigned_number("destination_x", CopySubWindow::kX.get(packet.destination_xy));
  printer.unsigned_number("destination_y", CopySubWindow::kY.get(packet.destination_xy));
  printer.unsigned_number("destination_z", CopySubWindow::kZ.get(packet.destination_z_pitch));
  printer.unsigned_number("destination_pitch", CopySubWindow::kPitch.get(packet.destination_z_pitch) + 1u);
  printer.unsigned_number("destination_slice_pitch",
                          CopySubWindow::kSlicePitch.get(packet.destination_slice_pitch) + 1u);
  printer.unsigned_number("rect_x", CopySubWindow::kRectX.get(packet.rect_xy) + 1u);
  printer.unsigned_number("rect_y", CopySubWindow::kRectY.get(packet.rect_xy) + 1u);
  printer.unsigned_number("rect_z", CopySubWindow::kRectZ.get(packet.rect_z) + 1u);
  printer.rare("destination_swap", CopySubWindow::kDestinationSwap.get(packet.rect_z));
  printer.rare("source_swap", CopySubWindow::kSourceSwap.get(packet.rect_z));
}

void describe(const WriteLinear& packet, FieldPrinter& printer) {
  printer.hex("destination", packet.destination());
  printer.unsigned_number("word_count", packet.word_count());
  printer.rare("swap", WriteLinear::kSwap.get(packet.count_minus_1));
}

void describe(const ConstFill& packet, FieldPrinter& printer) {
  printer.choice("fill_size", packet.fill_size(), kFillSizeNames);
  printer.hex("destination", packet.destination());
  printer.hex("data", packet.data);
  printer.rare("swap", ConstFill::kSwap.get(packet.header));
  printer.unsigned_number("count", ConstFill::kCount.get(packet.count));
  printer.unsigned_number("element_count", packet.element_count());
}

void describe(const Fence& packet, FieldPrinter& printer) {
  printer.hex("address", packet.address());
  printer.hex("data", packet.data);
  printer.rare("mtype", Fence::kMtype.get(packet.header));
}

void describe(const Trap& packet, FieldPrinter& printer) {
  printer.unsigned_number("int_ctx", packet.context());
}

void describe(const PollRegmem& packet, FieldPrinter& printer) {
  printer.choice("function", PollRegmem::kFunction.get(packet.header), kCompareNames);
  printer.text("space", packet.memory() ? "memory" : "register");
  printer.rare("hdp_flush", packet.hdp_flush() ? 1 : 0);
  printer.hex("address", packet.address());
  printer.hex("reference", packet.reference);
  printer.hex("mask", packet.mask);
  printer.unsigned_number("interval", PollRegmem::kInterval.get(packet.control));
  printer.unsigned_number("retry", PollRegmem::kRetry.get(packet.control));
}

void describe(const Atomic& packet, FieldPrinter& printer) {
  const std::string name = pm4::atomic_op_name(packet.op());
  if (name.empty()) {
    printer.hex("op", packet.op());
  } else {
    printer.text("op", name);
  }
  printer.unsigned_number("loop", packet.loop() ? 1 : 0);
  printer.hex("address", packet.address());
  printer.hex("source", packet.source());
  printer.hex("compare", packet.compare());
  printer.unsigned_number("interval", Atomic::kInterval.get(packet.control));
}

void describe(const Timestamp& packet, FieldPrinter& printer) {
  printer.choice("kind", sub_of(packet.header), kTimestampNames);
  printer.hex(sub_of(packet.header) == 0 ? "value" : "address", packet.address());
}

void describe(const Indirect& packet, FieldPrinter& printer) {
  printer.hex("base", packet.base());
  printer.unsigned_number("size_words", Indirect::kSize.get(packet.size_words));
  printer.rare("vmid", Indirect::kVmid.get(packet.header));
  printer.rare("priv", Indirect::kPriv.get(packet.header));
  const std::uint64_t csa = join(packet.csa_lo, packet.csa_hi);
  if (csa != 0) printer.hex("csa", csa);
}

void describe(const SrbmWrite& packet, FieldPrinter& printer) {
  printer.hex("byte_enables", SrbmWrite::kByteEnables.get(packet.header));
  printer.hex("register", SrbmWrite::kRegister.get(packet.address));
  printer.hex("data", packet.data);
}

void describe(const GcrReq& packet, FieldPrinter& printer) {
  printer.choice("kind", sub_of(packet.header), kGcrSubNames);
  printer.hex("control", packet.control());
  printer.hex("base", packet.base());
  printer.hex("limit", packet.limit());
  printer.rare("vmid", (packet.limit_hi_vmid >> 24) & 15u);
}

void describe(const CondExe& packet, FieldPrinter& printer) {
  printer.hex("address", packet.address());
  printer.hex("reference", packet.reference);
  printer.unsigned_number("exec_count", CondExe::kExecCount.get(packet.exec));
}

void throw_short_packet(std::uint32_t header, std::size_t have, std::size_t need) {
  const std::string_view name = opcode_name(static_cast<std::uint8_t>(kOpcode.get(header)));
  throw Error(Tag::bad_packet, fmt::format("SDMA {} (header {:#010x}) has {} words but needs {}",
                                           name.empty() ? "packet" : name, header, have, need));
}

std::string format_packet(std::span<const std::uint32_t> words) {
  if (words.empty()) return "(no packet)";
  const auto opcode = static_cast<std::uint8_t>(kOpcode.get(words[0]));
  const std::string_view known = opcode_name(opcode);
  std::string name = known.empty() ? fmt::format("OPCODE_{:#04x}", opcode) : std::string(known);
  if (opcode_of(words[0]) == Opcode::copy) name = copy_name(sub_of(words[0]));
  const std::size_t length = packet_words(words);
  if (length == 0) return fmt::format("{} (unknown or cut) {}", name, format_words(words.first(1)));
  if (words.size() < length) {
    return fmt::format("{} (truncated: {} of {} words) {}", name, words.size(), length, format_words(words));
  }
  return fmt::format("{} {}", name, format_body(words.first(length)));
}

}  // namespace mockgpu::isa::amd::sdma
