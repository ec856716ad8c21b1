#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "isa/amd/commands/field.h"
#include "isa/amd/commands/pm4_header.h"

/// PM4 type-3 packets of a compute (MEC) queue. A packet is a header word followed by its body. Every struct
/// below is a body: it **excludes the header word**, so body word n is "dw n+1" of AMD's packet descriptions.
/// All words are little-endian. Layouts: Linux amdgpu headers (nvd.h, soc15d.h), Mesa's packet tables.
namespace mockgpu::isa::amd::pm4 {

// ---- Register writes: SET_SH_REG, SET_SH_REG_INDEX, SET_UCONFIG_REG, SET_UCONFIG_REG_INDEX ----

/// Body start of the SET_*_REG packets; the values of consecutive registers follow.
struct SetReg {
  std::uint32_t target;

  static constexpr Bits kOffset{0, 16};  ///< words from the base of the register space (see registers.h)
  static constexpr Bits kVmidShift{23, 5};
  static constexpr Bits kIndex{28, 4};  ///< SET_SH_REG_INDEX: 3 = AND with the kernel's CU mask
  constexpr std::uint32_t offset() const { return kOffset.get(target); }
  constexpr std::uint32_t index() const { return kIndex.get(target); }
};
static_assert(sizeof(SetReg) == 4 && offsetof(SetReg, target) == 0);
void describe(const SetReg& body, FieldPrinter& printer);

// ---- Caches ----

/// GCR_CNTL of ACQUIRE_MEM (gfx10+) and the GCR bits of SDMA's GCR_REQ.
namespace gcr {
inline constexpr Bits kGliInv{0, 2};  ///< instruction cache: 0 no, 1 all, 2 range, 3 first and last
inline constexpr Bits kGl1Range{2, 2};
inline constexpr Bits kGlmWb{4, 1};
inline constexpr Bits kGlmInv{5, 1};
inline constexpr Bits kGlkWb{6, 1};
inline constexpr Bits kGlkInv{7, 1};
inline constexpr Bits kGlvInv{8, 1};
inline constexpr Bits kGl1Inv{9, 1};
inline constexpr Bits kGl2Us{10, 1};
inline constexpr Bits kGl2Range{11, 2};  ///< 0 all
inline constexpr Bits kGl2Discard{13, 1};
inline constexpr Bits kGl2Inv{14, 1};
inline constexpr Bits kGl2Wb{15, 1};
inline constexpr Bits kSeq{16, 2};  ///< 0 parallel, 1 forward, 2 reverse
inline constexpr Bits kRangeIsPa{18, 1};
/// What a host-coherent runtime writes around everything: 0xc3f1.
inline constexpr std::uint32_t kFull = kGliInv.set(1) | kGlmWb.set(1) | kGlmInv.set(1) | kGlkWb.set(1) |
                                       kGlkInv.set(1) | kGlvInv.set(1) | kGl1Inv.set(1) | kGl2Inv.set(1) |
                                       kGl2Wb.set(1);
/// Before a dispatch: no instruction cache, no L2: 0x03f0.
inline constexpr std::uint32_t kBeforeDispatch = kFull & ~(kGliInv.mask() | kGl2Inv.mask() | kGl2Wb.mask());
}  // namespace gcr

/// ACQUIRE_MEM, gfx10 and later.
struct AcquireMem {
  std::uint32_t pws;      ///< pixel-wait-sync controls (graphics): 0 on compute
  std::uint32_t size_lo;  ///< 256-byte units; all ones = everything
  std::uint32_t size_hi;
  std::uint32_t base_lo;  ///< address >> 8
  std::uint32_t base_hi;
  std::uint32_t poll_interval;
  std::uint32_t gcr_cntl;  ///< `gcr` bits
};
static_assert(sizeof(AcquireMem) == 28 && offsetof(AcquireMem, pws) == 0 &&
              offsetof(AcquireMem, size_lo) == 4 && offsetof(AcquireMem, size_hi) == 8 &&
              offsetof(AcquireMem, base_lo) == 12 && offsetof(AcquireMem, base_hi) == 16 &&
              offsetof(AcquireMem, poll_interval) == 20 && offsetof(AcquireMem, gcr_cntl) == 24);
void describe(const AcquireMem& body, FieldPrinter& printer);

/// ACQUIRE_MEM, gfx9.
struct AcquireMemGfx9 {
  std::uint32_t coher_cntl;
  std::uint32_t size_lo;
  std::uint32_t size_hi;
  std::uint32_t base_lo;
  std::uint32_t base_hi;
  std::uint32_t poll_interval;

  static constexpr Bits kTcWb{18, 1};
  static constexpr Bits kTcl1Inv{22, 1};
  static constexpr Bits kTcInv{23, 1};
  static constexpr Bits kShKcacheInv{27, 1};
  static constexpr Bits kShIcacheInv{29, 1};
};
static_assert(sizeof(AcquireMemGfx9) == 24 && offsetof(AcquireMemGfx9, coher_cntl) == 0 &&
              offsetof(AcquireMemGfx9, size_lo) == 4 && offsetof(AcquireMemGfx9, size_hi) == 8 &&
              offsetof(AcquireMemGfx9, base_lo) == 12 && offsetof(AcquireMemGfx9, base_hi) == 16 &&
              offsetof(AcquireMemGfx9, poll_interval) == 20);
void describe(const AcquireMemGfx9& body, FieldPrinter& printer);

// ---- Events ----

/// Event types of EVENT_WRITE and RELEASE_MEM that matter on compute.
enum class Event : std::uint8_t {
  cs_partial_flush = 0x07,  ///< with event index 4: wait for all earlier waves of the queue
  cache_flush_and_inv_ts = 0x14,
  bottom_of_pipe_ts = 0x28,
  cs_done = 0x2f,
  thread_trace_start = 0x33,
  thread_trace_stop = 0x34,
  thread_trace_marker = 0x35,
  thread_trace_flush = 0x36,
  thread_trace_finish = 0x37,
};

/// EVENT_WRITE; event index 2 (pipeline statistics) adds two address words.
struct EventWrite {
  std::uint32_t event;

  static constexpr Bits kType{0, 6};
  static constexpr Bits kIndex{8, 4};
};
static_assert(sizeof(EventWrite) == 4 && offsetof(EventWrite, event) == 0);
void describe(const EventWrite& body, FieldPrinter& printer);

/// What RELEASE_MEM stores.
enum class ReleaseData : std::uint8_t {
  none = 0,
  low32 = 1,
  value64 = 2,
  gpu_clock = 3,
  cp_counter = 4,
  gds = 5
};
/// When RELEASE_MEM interrupts.
enum class ReleaseInterrupt : std::uint8_t {
  none = 0,
  interrupt_only = 1,
  after_write = 2,       ///< interrupt after the write is confirmed
  data_after_write = 3,  ///< no interrupt
  unconditional = 4,
  compare32 = 5,
  compare64 = 6,
};

/// The names of RELEASE_MEM's selections, or their number.
std::string release_data_name(ReleaseData selection);
std::string release_interrupt_name(ReleaseInterrupt selection);
std::string release_destination_name(std::uint32_t selection);

/// RELEASE_MEM (gfx9 and later): at the end of the pipe, write data, then interrupt.
struct ReleaseMem {
  std::uint32_t event;
  std::uint32_t select;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t data_lo;
  std::uint32_t data_hi;
  std::uint32_t int_ctxid;

  static constexpr Bits kEventType{0, 6};
  static constexpr Bits kEventIndex{8, 4};  ///< 5 = end of pipe, 6 = shader done
  static constexpr Bits kGlmWb{12, 1};      // kGlmWb..kSeq: gfx10 and later
  static constexpr Bits kGlmInv{13, 1};
  static constexpr Bits kGlvInv{14, 1};
  static constexpr Bits kGl1Inv{15, 1};
  static constexpr Bits kGl2Us{16, 1};
  static constexpr Bits kGl2Range{17, 2};
  static constexpr Bits kGl2Discard{19, 1};
  static constexpr Bits kGl2Inv{20, 1};
  static constexpr Bits kGl2Wb{21, 1};
  static constexpr Bits kSeq{22, 2};
  static constexpr Bits kGlkWb{24, 1};  ///< gfx11 and later
  static constexpr Bits kPolicy{25, 2};
  static constexpr Bits kExecute{28, 1};
  static constexpr Bits kDstSel{16, 2};  ///< 0 memory controller, 1 L2, 2 queue write pointer register
  static constexpr Bits kIntSel{24, 3};
  static constexpr Bits kDataSel{29, 3};
  /// The cache bits that a host-coherent runtime sets with an end-of-pipe event: 0x70f000.
  static constexpr std::uint32_t kFlushAll = kGlmWb.mask() | kGlmInv.mask() | kGlvInv.mask() |
                                             kGl1Inv.mask() | kGl2Inv.mask() | kGl2Wb.mask() | kSeq.set(1);

  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
  constexpr std::uint64_t data() const { return join(data_lo, data_hi); }
  constexpr Event event_type() const { return static_cast<Event>(kEventType.get(event)); }
  constexpr std::uint32_t event_index() const { return kEventIndex.get(event); }
  constexpr ReleaseData data_sel() const { return static_cast<ReleaseData>(kDataSel.get(select)); }
  constexpr ReleaseInterrupt int_sel() const { return static_cast<ReleaseInterrupt>(kIntSel.get(select)); }
  constexpr std::uint32_t dst_sel() const { return kDstSel.get(select); }
};
static_assert(sizeof(ReleaseMem) == 28 && offsetof(ReleaseMem, event) == 0 &&
              offsetof(ReleaseMem, select) == 4 && offsetof(ReleaseMem, address_lo) == 8 &&
              offsetof(ReleaseMem, address_hi) == 12 && offsetof(ReleaseMem, data_lo) == 16 &&
              offsetof(ReleaseMem, data_hi) == 20 && offsetof(ReleaseMem, int_ctxid) == 24);
void describe(const ReleaseMem& body, FieldPrinter& printer);

// ---- Waits ----

/// Comparison of WAIT_REG_MEM and SDMA's POLL_REGMEM: unsigned, (value & mask) against the reference.
enum class Compare : std::uint8_t {
  always = 0,
  less = 1,
  less_equal = 2,
  equal = 3,
  not_equal = 4,
  greater_equal = 5,
  greater = 6,
};
/// Whether `value` (already masked) satisfies the comparison; function 7 is reserved and never true.
constexpr bool holds(Compare function, std::uint64_t value, std::uint64_t reference) {
  switch (function) {
    case Compare::always: return true;
    case Compare::less: return value < reference;
    case Compare::less_equal: return value <= reference;
    case Compare::equal: return value == reference;
    case Compare::not_equal: return value != reference;
    case Compare::greater_equal: return value >= reference;
    case Compare::greater: return value > reference;
  }
  return false;
}

enum class WaitOperation : std::uint8_t {
  wait = 0,
  write_wait = 1,  ///< write the reference to register `address_lo`, then poll register `address_hi`
  wait_preemptable = 3,
};

/// WAIT_REG_MEM.
struct WaitRegMem {
  std::uint32_t control;
  std::uint32_t address_lo;  ///< memory: low address; register: word address; write_wait: register to write
  std::uint32_t address_hi;  ///< memory: high address; write_wait: register to poll
  std::uint32_t reference;
  std::uint32_t mask;
  std::uint32_t interval;

  static constexpr Bits kFunction{0, 3};
  static constexpr Bits kSpace{4, 2};  ///< 0 register, 1 memory
  static constexpr Bits kOperation{6, 2};
  static constexpr Bits kEngine{8, 2};
  static constexpr Bits kInterval{0, 16};

  constexpr Compare function() const { return static_cast<Compare>(kFunction.get(control)); }
  constexpr bool memory() const { return kSpace.get(control) == 1; }
  constexpr WaitOperation operation() const { return static_cast<WaitOperation>(kOperation.get(control)); }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(WaitRegMem) == 24 && offsetof(WaitRegMem, control) == 0 &&
              offsetof(WaitRegMem, address_lo) == 4 && offsetof(WaitRegMem, address_hi) == 8 &&
              offsetof(WaitRegMem, reference) == 12 && offsetof(WaitRegMem, mask) == 16 &&
              offsetof(WaitRegMem, interval) == 20);
void describe(const WaitRegMem& body, FieldPrinter& printer);

/// Whether function, space and operation of a control word exist: no value of them is reserved.
constexpr bool is_wait(std::uint32_t control) {
  return WaitRegMem::kFunction.get(control) != 7 && WaitRegMem::kSpace.get(control) <= 1 &&
         WaitRegMem::kOperation.get(control) != 2;
}

/// WAIT_REG_MEM64: `control` as in WAIT_REG_MEM; a memory address is 8-byte aligned.
struct WaitRegMem64 {
  std::uint32_t control;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t reference_lo;
  std::uint32_t reference_hi;
  std::uint32_t mask_lo;
  std::uint32_t mask_hi;
  std::uint32_t interval;

  constexpr Compare function() const { return static_cast<Compare>(WaitRegMem::kFunction.get(control)); }
  constexpr bool memory() const { return WaitRegMem::kSpace.get(control) == 1; }
  constexpr WaitOperation operation() const {
    return static_cast<WaitOperation>(WaitRegMem::kOperation.get(control));
  }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
  constexpr std::uint64_t reference() const { return join(reference_lo, reference_hi); }
  constexpr std::uint64_t mask() const { return join(mask_lo, mask_hi); }
};
static_assert(sizeof(WaitRegMem64) == 32 && offsetof(WaitRegMem64, control) == 0 &&
              offsetof(WaitRegMem64, address_lo) == 4 && offsetof(WaitRegMem64, address_hi) == 8 &&
              offsetof(WaitRegMem64, reference_lo) == 12 && offsetof(WaitRegMem64, reference_hi) == 16 &&
              offsetof(WaitRegMem64, mask_lo) == 20 && offsetof(WaitRegMem64, mask_hi) == 24 &&
              offsetof(WaitRegMem64, interval) == 28);
void describe(const WaitRegMem64& body, FieldPrinter& printer);

// ---- Data movement ----

enum class WriteDestination : std::uint8_t {
  reg = 0,
  memory_sync = 1,
  l2 = 2,
  gds = 3,
  memory = 5,
};

/// The name of a destination, or its number.
std::string write_destination_name(WriteDestination selection);

/// WRITE_DATA; the data words follow.
struct WriteData {
  std::uint32_t control;
  std::uint32_t address_lo;  ///< register: word address in [17:0]
  std::uint32_t address_hi;

  static constexpr Bits kDstSel{8, 4};
  static constexpr Bits kOneAddress{16, 1};  ///< 1: every word goes to the same address
  static constexpr Bits kWriteConfirm{20, 1};
  static constexpr Bits kPolicy{25, 2};

  constexpr WriteDestination destination() const {
    return static_cast<WriteDestination>(kDstSel.get(control));
  }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(WriteData) == 12 && offsetof(WriteData, control) == 0 &&
              offsetof(WriteData, address_lo) == 4 && offsetof(WriteData, address_hi) == 8);
void describe(const WriteData& body, FieldPrinter& printer);

enum class CopySource : std::uint8_t {
  reg = 0,
  memory = 1,
  l2 = 2,
  gds = 3,
  perf_counter = 4,
  immediate = 5,
  atomic_return = 6,
  gds_atomic_return0 = 7,
  gds_atomic_return1 = 8,
  gpu_clock = 9,
  system_clock = 10,
};
enum class CopyDestination : std::uint8_t {
  reg = 0,
  memory_sync = 1,
  l2 = 2,
  gds = 3,
  perf_counter = 4,
  memory = 5,
  reg_dc = 6,
};

/// Their names, or numbers.
std::string copy_source_name(CopySource selection);
std::string copy_destination_name(CopyDestination selection);

/// COPY_DATA.
struct CopyData {
  std::uint32_t control;
  std::uint32_t source_lo;
  std::uint32_t source_hi;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;

  static constexpr Bits kSrcSel{0, 4};
  static constexpr Bits kDstSel{8, 4};
  static constexpr Bits kCount64{16, 1};  ///< 1: 64 bits, 0: 32 bits
  static constexpr Bits kWriteConfirm{20, 1};

  constexpr CopySource source_sel() const { return static_cast<CopySource>(kSrcSel.get(control)); }
  constexpr CopyDestination destination_sel() const {
    return static_cast<CopyDestination>(kDstSel.get(control));
  }
  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
};
static_assert(sizeof(CopyData) == 20 && offsetof(CopyData, control) == 0 &&
              offsetof(CopyData, source_lo) == 4 && offsetof(CopyData, source_hi) == 8 &&
              offsetof(CopyData, destination_lo) == 12 && offsetof(CopyData, destination_hi) == 16);
void describe(const CopyData& body, FieldPrinter& printer);

/// The atomic unit's operation numbers (ATOMIC_MEM, SDMA ATOMIC): add kAtomic64 for 64-bit data and
/// kAtomicNoReturn for the forms that return nothing.
enum class AtomicOp : std::uint8_t {
  float_cmpswap = 0x01,
  float_min = 0x02,
  float_max = 0x03,
  swap = 0x07,
  cmpswap = 0x08,
  add = 0x0f,
  sub = 0x10,
  smin = 0x11,
  umin = 0x12,
  smax = 0x13,
  umax = 0x14,
  bit_and = 0x15,
  bit_or = 0x16,
  bit_xor = 0x17,
  inc = 0x18,  ///< old >= source ? 0 : old + 1
  dec = 0x19,  ///< old == 0 || old > source ? source : old - 1
};
inline constexpr std::uint8_t kAtomic64 = 0x20;
inline constexpr std::uint8_t kAtomicNoReturn = 0x40;
/// AMD-like spelling of an operation number with its width: `add64`; empty when unknown.
std::string atomic_op_name(std::uint32_t op);

/// ATOMIC_MEM.
struct AtomicMem {
  std::uint32_t control;
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t source_lo;
  std::uint32_t source_hi;
  std::uint32_t compare_lo;
  std::uint32_t compare_hi;
  std::uint32_t interval;

  static constexpr Bits kOp{0, 7};
  static constexpr Bits kCommand{8, 4};  ///< 0 single pass, 1 loop until the compare is satisfied
  static constexpr Bits kInterval{0, 13};

  constexpr std::uint32_t op() const { return kOp.get(control); }
  constexpr std::uint32_t command() const { return kCommand.get(control); }
  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t compare() const { return join(compare_lo, compare_hi); }
};
static_assert(sizeof(AtomicMem) == 32 && offsetof(AtomicMem, control) == 0 &&
              offsetof(AtomicMem, address_lo) == 4 && offsetof(AtomicMem, address_hi) == 8 &&
              offsetof(AtomicMem, source_lo) == 12 && offsetof(AtomicMem, source_hi) == 16 &&
              offsetof(AtomicMem, compare_lo) == 20 && offsetof(AtomicMem, compare_hi) == 24 &&
              offsetof(AtomicMem, interval) == 28);
void describe(const AtomicMem& body, FieldPrinter& printer);

/// DMA_DATA.
struct DmaData {
  std::uint32_t control;
  std::uint32_t source_lo;  ///< the fill value when the source is data
  std::uint32_t source_hi;
  std::uint32_t destination_lo;
  std::uint32_t destination_hi;
  std::uint32_t command;

  static constexpr std::uint32_t kSelectAddress = 0, kSelectGds = 1, kSelectNowhere = 2, kSelectData = 2,
                                 kSelectL2 = 3;
  static constexpr Bits kDstSel{20, 2};  ///< 0 address, 1 GDS, 2 nowhere, 3 L2
  static constexpr Bits kSrcSel{29, 2};  ///< 0 address, 1 GDS, 2 data, 3 L2
  static constexpr Bits kCpSync{31, 1};
  static constexpr Bits kByteCount{0, 26};
  static constexpr Bits kSourceIsRegister{26, 1};
  static constexpr Bits kDestinationIsRegister{27, 1};
  static constexpr Bits kSourceFixed{28, 1};  ///< 1: the address does not advance
  static constexpr Bits kDestinationFixed{29, 1};
  static constexpr Bits kRawWait{30, 1};
  static constexpr Bits kNoWriteConfirm{31, 1};

  constexpr std::uint64_t source() const { return join(source_lo, source_hi); }
  constexpr std::uint64_t destination() const { return join(destination_lo, destination_hi); }
  constexpr std::uint32_t byte_count() const { return kByteCount.get(command); }
};
static_assert(sizeof(DmaData) == 24 && offsetof(DmaData, control) == 0 && offsetof(DmaData, source_lo) == 4 &&
              offsetof(DmaData, source_hi) == 8 && offsetof(DmaData, destination_lo) == 12 &&
              offsetof(DmaData, destination_hi) == 16 && offsetof(DmaData, command) == 20);
void describe(const DmaData& body, FieldPrinter& printer);

// ---- Dispatch and control flow ----

/// DISPATCH_DIRECT. The dimensions count workgroups, or work-items when the initiator has
/// USE_THREAD_DIMENSIONS.
struct DispatchDirect {
  std::uint32_t dim_x;
  std::uint32_t dim_y;
  std::uint32_t dim_z;
  std::uint32_t initiator;  ///< COMPUTE_DISPATCH_INITIATOR, see registers.h
};
static_assert(sizeof(DispatchDirect) == 16 && offsetof(DispatchDirect, dim_x) == 0 &&
              offsetof(DispatchDirect, dim_y) == 4 && offsetof(DispatchDirect, dim_z) == 8 &&
              offsetof(DispatchDirect, initiator) == 12);
void describe(const DispatchDirect& body, FieldPrinter& printer);

/// DISPATCH_INDIRECT on a compute queue: the address of {x, y, z} as three u32.
struct DispatchIndirect {
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t initiator;

  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
};
static_assert(sizeof(DispatchIndirect) == 12 && offsetof(DispatchIndirect, address_lo) == 0 &&
              offsetof(DispatchIndirect, address_hi) == 4 && offsetof(DispatchIndirect, initiator) == 8);
void describe(const DispatchIndirect& body, FieldPrinter& printer);

/// INDIRECT_BUFFER: call, or with CHAIN jump to, another stream of packets, read when it executes.
struct IndirectBuffer {
  std::uint32_t base_lo;
  std::uint32_t base_hi;
  std::uint32_t control;

  static constexpr Bits kSizeWords{0, 20};
  static constexpr Bits kChain{20, 1};
  static constexpr Bits kValid{23, 1};
  static constexpr Bits kVmid{24, 4};
  static constexpr Bits kPriv{31, 1};

  constexpr std::uint64_t base() const { return join(base_lo & ~3u, base_hi); }
  constexpr std::uint32_t size_words() const { return kSizeWords.get(control); }
  constexpr bool chain() const { return kChain.get(control) != 0; }
};
static_assert(sizeof(IndirectBuffer) == 12 && offsetof(IndirectBuffer, base_lo) == 0 &&
              offsetof(IndirectBuffer, base_hi) == 4 && offsetof(IndirectBuffer, control) == 8);
void describe(const IndirectBuffer& body, FieldPrinter& printer);

/// COND_EXEC: skips `exec_count` words when the u32 at the address is 0.
struct CondExec {
  std::uint32_t address_lo;
  std::uint32_t address_hi;
  std::uint32_t command;
  std::uint32_t exec;

  static constexpr Bits kCommand{28, 4};
  static constexpr Bits kExecCount{0, 14};

  constexpr std::uint64_t address() const { return join(address_lo, address_hi); }
  constexpr std::uint32_t exec_count() const { return kExecCount.get(exec); }
};
static_assert(sizeof(CondExec) == 16 && offsetof(CondExec, address_lo) == 0 &&
              offsetof(CondExec, address_hi) == 4 && offsetof(CondExec, command) == 8 &&
              offsetof(CondExec, exec) == 12);
void describe(const CondExec& body, FieldPrinter& printer);

/// PRED_EXEC: an XCC whose bit in the mask is 0 skips `exec_count` words.
struct PredExec {
  std::uint32_t control;

  static constexpr Bits kExecCount{0, 14};
  static constexpr Bits kXccMask{24, 8};

  constexpr std::uint32_t exec_count() const { return kExecCount.get(control); }
  constexpr std::uint32_t xcc_mask() const { return kXccMask.get(control); }
};
static_assert(sizeof(PredExec) == 4 && offsetof(PredExec, control) == 0);
void describe(const PredExec& body, FieldPrinter& printer);

// ---- Reading and writing packets ----

/// Throws Error(bad_packet) that names the opcode: it has `have` body words but needs `need`.
[[noreturn]] void throw_short_packet(std::uint32_t header, std::size_t have, std::size_t need);

/// The body of a packet as a struct. `packet` starts with the header word and holds the whole packet. Throws
/// Error(bad_packet) when the packet is shorter than the struct; extra words are allowed.
template <typename Body>
Body read_body(std::span<const std::uint32_t> packet) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) % 4 == 0);
  constexpr std::size_t kWords = sizeof(Body) / 4;
  if (packet.size() < kWords + 1) {
    throw_short_packet(packet.empty() ? 0 : packet[0], packet.empty() ? 0 : packet.size() - 1, kWords);
  }
  Body body;
  std::memcpy(&body, packet.data() + 1, sizeof(Body));
  return body;
}

/// Appends a whole packet (header, body, then `extra` words) to `out`.
template <typename Body>
void append(std::vector<std::uint32_t>& out, Opcode opcode, const Body& body,
            std::span<const std::uint32_t> extra = {}) {
  static_assert(std::is_trivially_copyable_v<Body> && sizeof(Body) % 4 == 0);
  constexpr std::size_t kWords = sizeof(Body) / 4;
  out.push_back(make_header(opcode, static_cast<std::uint32_t>(kWords + extra.size())));
  const std::size_t at = out.size();
  out.resize(at + kWords);
  std::memcpy(out.data() + at, &body, sizeof(Body));
  out.insert(out.end(), extra.begin(), extra.end());
}

/// One line for a whole packet: `WAIT_REG_MEM {function=ge, ...}`. Never fails: a short, unknown or illegal
/// packet prints as such, with its words. ACQUIRE_MEM is read in the gfx9 form when it has 6 body words.
std::string format_packet(std::span<const std::uint32_t> packet);

}  // namespace mockgpu::isa::amd::pm4
