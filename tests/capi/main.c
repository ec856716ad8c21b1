#include "check.h"

int failures = 0;

mockgpu_machine* open_gfx1100(uint32_t flags) {
  mockgpu_machine_options options;
  mockgpu_machine* machine = NULL;
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.flags = flags;
  options.target = "gfx1100";
  CHECK_STATUS(NULL, MOCKGPU_OK, mockgpu_open(&options, &machine));
  return machine;
}

mockgpu_launch launch_code(const uint32_t* code, size_t bytes) {
  mockgpu_launch launch;
  memset(&launch, 0, sizeof launch);
  launch.size = sizeof launch;
  launch.grid[0] = launch.block[0] = 32;
  launch.code = code;
  launch.code_bytes = bytes;
  launch.rsrc1 = MOCKGPU_RSRC1_VGPRS32(16) | MOCKGPU_RSRC1_FLOAT_MODE(0xf0);
  return launch;
}

void add_address(mockgpu_launch* launch, const void* address) {
  const uint64_t value = (uint64_t)(uintptr_t)address;
  launch->user_sgprs[launch->user_sgpr_count++] = (uint32_t)value;
  launch->user_sgprs[launch->user_sgpr_count++] = (uint32_t)(value >> 32);
}

int main(void) {
  CHECK(mockgpu_api_version() == MOCKGPU_API_VERSION);
  test_launches();
  test_memory();
  test_objects();
  if (failures) fprintf(stderr, "%d checks failed\n", failures);
  return failures != 0;
}
