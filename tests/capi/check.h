/* What the tests of the C interface share. */
#ifndef MOCKGPU_TESTS_CAPI_CHECK_H
#define MOCKGPU_TESTS_CAPI_CHECK_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "mockgpu.h"

extern int failures;

#define CHECK(condition)                                                      \
  do {                                                                        \
    if (!(condition)) {                                                       \
      fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                             \
    }                                                                         \
  } while (0)

/* A status, with the machine's words where it is another one. */
#define CHECK_STATUS(machine, expected, call)                                                         \
  do {                                                                                                \
    const mockgpu_status got = (call);                                                                \
    if (got != (expected)) {                                                                          \
      fprintf(stderr, "%s:%d: %s gave %s: %s\n", __FILE__, __LINE__, #call, mockgpu_status_name(got), \
              mockgpu_message(machine));                                                              \
      ++failures;                                                                                     \
    }                                                                                                 \
  } while (0)

mockgpu_machine* open_gfx1100(uint32_t flags);

/* A launch of `words` of code with one wave of 32, 16 VGPRs, and addresses in user SGPRs. */
mockgpu_launch launch_code(const uint32_t* code, size_t bytes);
void add_address(mockgpu_launch* launch, const void* address);

void test_launches(void);
void test_memory(void);
void test_objects(void);

/* Assembled by an independent assembler from the text in the comments. */

/* v_lshlrev_b32 v1, 2, v0; v_add_nc_u32 v2, s2, v0; global_store_b32 v1, v2, s[0:1]; s_endpgm */
static const uint32_t kStore[] = {0x30020082, 0x4a040002, 0xdc6a0000, 0x00000201, 0xbfb00000};
/* v_lshlrev_b32 v1, 2, v0; global_load_b32 v2, v1, s[0:1]; s_waitcnt vmcnt(0);
 * global_store_b32 v1, v2, s[2:3]; s_endpgm */
static const uint32_t kCopy[] = {0x30020082, 0xdc520000, 0x02000001, 0xbf8903f7,
                                 0xdc6a0000, 0x00020201, 0xbfb00000};

#endif
