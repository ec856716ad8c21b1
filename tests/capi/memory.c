/* Memory of the caller: ranges, any page of the process, and memory that goes away. */
#define _DEFAULT_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <sys/mman.h>

#include "check.h"

static void test_ranges(void) {
  mockgpu_machine* machine = open_gfx1100(0);
  uint32_t in[32], out[64];
  mockgpu_launch launch = launch_code(kCopy, sizeof kCopy);
  mockgpu_result result;
  unsigned i;
  for (i = 0; i < 32; ++i) in[i] = 1000 + i;
  memset(out, 0, sizeof out);
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  add_address(&launch, in);
  add_address(&launch, out);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(result.fault_address == (uint64_t)(uintptr_t)in && !result.fault_is_write);
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_map(machine, in, sizeof in, MOCKGPU_READ, "in"));
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_map(machine, out, 128, MOCKGPU_READ | MOCKGPU_WRITE, "out"));
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_map(machine, out + 31, 8, MOCKGPU_READ, "overlaps"));
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, &result));
  CHECK(memcmp(in, out, 128) == 0 && out[32] == 0);

  /* Stores to read-only memory, and beyond the range. */
  launch.user_sgpr_count = 2;
  add_address(&launch, in);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(result.fault_address == (uint64_t)(uintptr_t)in && result.fault_is_write);
  CHECK(strstr(mockgpu_message(machine), "read-only") != NULL);
  launch.user_sgpr_count = 2;
  add_address(&launch, out + 1);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(result.fault_address == (uint64_t)(uintptr_t)(out + 32) && out[32] == 0);
  CHECK(strstr(mockgpu_message(machine), "\"out\"") != NULL);

  launch.user_sgpr_count = 2;
  add_address(&launch, out);
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_unmap(machine, out));
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  mockgpu_close(machine);
}

static void* page(int protection) {
  void* at = mmap(NULL, 4096, protection, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(at != MAP_FAILED);
  return at;
}

static mockgpu_status copy(mockgpu_machine* machine, const void* from, void* to, uint64_t* fault) {
  mockgpu_launch launch = launch_code(kCopy, sizeof kCopy);
  mockgpu_result result;
  mockgpu_status status;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  launch.code_bytes = 0; /* code of the process, like everything else */
  add_address(&launch, from);
  add_address(&launch, to);
  status = mockgpu_run(machine, &launch, &result);
  *fault = result.fault_address;
  return status;
}

/* Code that ran without a bound keeps none. */
static void test_bound_of_known_code(void) {
  static const uint32_t code[] = {0xbf800000, 0xbf800000, 0xbfb00000}; /* s_nop 0, s_nop 0, s_endpgm */
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  mockgpu_launch launch = launch_code(code, sizeof code);
  launch.code_bytes = 0;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  launch.code_bytes = 4;
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, NULL));
  launch.code_bytes = sizeof code;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  mockgpu_close(machine);
}

static void test_host_memory(void) {
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  static uint32_t source[32] = {1, 2, 3};
  uint32_t* heap = malloc(128);
  uint32_t stack[32];
  uint32_t *a, *b;
  uint64_t fault = 0;
  CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, source, heap, &fault));
  CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, heap, stack, &fault));
  CHECK(memcmp(stack, source, 128) == 0);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, NULL, heap, &fault));
  CHECK(fault == 0);
  a = page(PROT_READ);
  munmap(a, 4096);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, a, heap, &fault));
  CHECK(fault == (uint64_t)(uintptr_t)a);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, source, (void*)(uintptr_t)kCopy, &fault));
  CHECK(strstr(mockgpu_message(machine), "read-only") != NULL);

  /* A mapping where nothing lies, below what programs have. */
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_map(machine, (void*)0x1000, 4096, MOCKGPU_READ, "low"));
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, (void*)0x1000, heap, &fault));
  CHECK(fault == 0x1000);
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE,
               mockgpu_map(machine, (void*)((uintptr_t)1 << 63), 4096, MOCKGPU_READ, "no address"));
  CHECK_STATUS(
      machine, MOCKGPU_BAD_USAGE,
      mockgpu_map(machine, (void*)(((uintptr_t)1 << 47) - 4096), 8192, MOCKGPU_READ, "past the end"));

  /* Two pages that were fine when they were first touched. */
  a = page(PROT_READ | PROT_WRITE);
  b = page(PROT_READ | PROT_WRITE);
  CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, a, b, &fault));
  munmap(a, 4096);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, a, b, &fault));
  CHECK(fault == (uint64_t)(uintptr_t)a);
  CHECK(strstr(mockgpu_message(machine), "global_load_b32") != NULL);
  CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, source, b, &fault));
  mprotect(b, 4096, PROT_READ);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, source, b, &fault));
  CHECK(fault == (uint64_t)(uintptr_t)b);
  CHECK(strstr(mockgpu_message(machine), "global_store_b32") != NULL);
  /* Rights that came back are seen. */
  mprotect(b, 4096, PROT_READ | PROT_WRITE);
  CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, source, b, &fault));
  munmap(b, 4096);
  free(heap);
  mockgpu_close(machine);
}

/* Ranges that the caller gave and then unmapped. */
static void test_range_gone(void) {
  mockgpu_machine* machine = open_gfx1100(0);
  uint32_t* out = page(PROT_READ | PROT_WRITE);
  mockgpu_launch launch = launch_code(kStore, sizeof kStore);
  mockgpu_result result;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_map(machine, out, 4096, MOCKGPU_READ | MOCKGPU_WRITE, "out"));
  add_address(&launch, out);
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  munmap(out, 4096);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(result.fault_address == (uint64_t)(uintptr_t)out && result.fault_is_write);
  mockgpu_close(machine);
}

/* Code that went away between two launches. */
static void test_code_gone(void) {
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  uint32_t* code = page(PROT_READ | PROT_WRITE);
  uint32_t out[32];
  mockgpu_launch launch;
  memcpy(code, kStore, sizeof kStore);
  launch = launch_code(code, 0);
  add_address(&launch, out);
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  munmap(code, 4096);
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, NULL));
  mockgpu_close(machine);
}

static sigjmp_buf escape;
static volatile sig_atomic_t caught = 0;

static void on_signal(int signal, siginfo_t* info, void* context) {
  (void)signal;
  (void)info;
  (void)context;
  ++caught;
  siglongjmp(escape, 1);
}

/* Whether a store of this program itself reaches the handler. */
static int store_is_caught(uint32_t* at) {
  const int before = (int)caught;
  if (sigsetjmp(escape, 1) == 0) *(volatile uint32_t*)at = 1;
  return (int)caught != before;
}

/* The caller's own handler still gets the caller's own faults, and only those. */
static void test_handlers(void) {
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  struct sigaction mine, before;
  uint32_t* gone = page(PROT_READ | PROT_WRITE);
  uint32_t to[32];
  uint64_t fault = 0;
  int round;
  memset(&mine, 0, sizeof mine);
  mine.sa_sigaction = on_signal;
  mine.sa_flags = SA_SIGINFO | SA_NODEFER;
  sigaction(SIGSEGV, &mine, &before);
  for (round = 1; round <= 2; ++round) {
    gone = mmap(gone, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0);
    CHECK_STATUS(machine, MOCKGPU_OK, copy(machine, gone, to, &fault));
    munmap(gone, 4096);
    CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, copy(machine, gone, to, &fault));
    CHECK(caught == round - 1);
    CHECK(store_is_caught(gone) && caught == round);
    /* A handler that is set after ours: the next launch takes the signal back. */
    sigaction(SIGSEGV, &mine, NULL);
  }
  sigaction(SIGSEGV, &before, NULL);
  mockgpu_close(machine);
}

void test_memory(void) {
  test_ranges();
  test_bound_of_known_code();
  test_host_memory();
  test_range_gone();
  test_code_gone();
  test_handlers();
}
