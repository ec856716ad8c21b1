#include <mockgpu.h>
#include <string.h>

int main(void) {
  static const uint32_t code[] = {0xbfb00000}; /* s_endpgm */
  mockgpu_machine_options options;
  mockgpu_machine* machine;
  mockgpu_launch launch;
  mockgpu_status status;
  memset(&options, 0, sizeof options);
  memset(&launch, 0, sizeof launch);
  options.size = sizeof options;
  options.target = "gfx1100";
  launch.size = sizeof launch;
  launch.code = code;
  launch.code_bytes = sizeof code;
  if (mockgpu_open(&options, &machine) != MOCKGPU_OK) return 1;
  status = mockgpu_run(machine, &launch, NULL);
  mockgpu_close(machine);
  return status != MOCKGPU_OK;
}
