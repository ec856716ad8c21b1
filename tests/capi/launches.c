/* Launches of plain code: registers in and out, shapes, LDS and scratch, wrong use. */
#include "check.h"

static void test_registers(void) {
  /* s_add_u32 s4, s0, s1; v_add_nc_u32 v2, v0, v1; v_cmp_gt_u32 vcc_lo, 5, v0; s_mov_b32 m0, 0x1234; s_endpgm
   */
  static const uint32_t code[] = {0x80040100, 0x4a040300, 0x7c980085, 0xbefd00ff, 0x00001234, 0xbfb00000};
  mockgpu_machine* machine = open_gfx1100(0);
  mockgpu_launch launch = launch_code(code, sizeof code);
  mockgpu_wave* waves = calloc(3, sizeof *waves);
  mockgpu_result result;
  /* Exec without lane 3; s1 and one lane of v1 of the second wave only. */
  const mockgpu_register_value initial[] = {
      {MOCKGPU_SGPR, 0, 0, MOCKGPU_ALL, 0xffffffff, 0},
      {MOCKGPU_SGPR, 1, 0, 1, 2, 0},
      {MOCKGPU_VGPR, 1, MOCKGPU_ALL, MOCKGPU_ALL, 100, 0},
      {MOCKGPU_VGPR, 1, 7, 1, 1000, 0},
      {MOCKGPU_SGPR, MOCKGPU_EXEC_LO, 0, MOCKGPU_ALL, 0xfffffff7, 0},
      {MOCKGPU_VGPR, 2, MOCKGPU_ALL, MOCKGPU_ALL, 55, 0},
      {MOCKGPU_SGPR, 105, 0, 0, 9, 0},
      {MOCKGPU_MODE, 0, 0, MOCKGPU_ALL, 0xf1, 0},
  };
  unsigned lane;
  launch.grid[0] = 64;
  launch.initial = initial;
  launch.initial_count = sizeof initial / sizeof initial[0];
  launch.waves = waves;
  launch.wave_capacity = 3;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, &result));
  CHECK(result.waves == 2 && result.workgroups == 2 && result.wave_instructions == 10);
  CHECK(waves[0].status == MOCKGPU_WAVE_ENDED && waves[1].status == MOCKGPU_WAVE_ENDED);
  CHECK(waves[2].status == MOCKGPU_WAVE_NOT_STARTED);
  CHECK(waves[1].group[0] == 1 && waves[1].wave == 0 && waves[1].lanes == 32 && waves[1].vgpr_count == 16);
  CHECK(waves[0].sgpr[4] == 0xffffffff && waves[0].scc == 0);
  CHECK(waves[1].sgpr[4] == 1 && waves[1].scc == 1);
  CHECK(waves[0].sgpr[105] == 9 && waves[1].sgpr[105] == 0);
  CHECK(waves[0].exec == 0xfffffff7 && waves[0].vcc == 0x17); /* lanes 0, 1, 2, 4 */
  CHECK(waves[0].m0 == 0x1234 && waves[0].mode == 0xf1);
  CHECK(waves[0].pc == (uint64_t)(uintptr_t)(code + 5));
  for (lane = 0; lane < 32; ++lane) {
    CHECK(waves[0].vgpr[2][lane] == (lane == 3 ? 55 : lane + 100));
    CHECK(waves[1].vgpr[2][lane] == (lane == 3 ? 55 : lane + (lane == 7 ? 1000 : 100)));
  }
  free(waves);
  mockgpu_close(machine);
}

static void test_wave64(void) {
  static const uint32_t code[] = {0x4a040300, 0xbfb00000}; /* v_add_nc_u32 v2, v0, v1; s_endpgm */
  mockgpu_machine* machine = open_gfx1100(0);
  mockgpu_launch launch = launch_code(code, sizeof code);
  mockgpu_wave* wave = calloc(1, sizeof *wave);
  const mockgpu_register_value initial[] = {{MOCKGPU_VGPR, 1, 63, MOCKGPU_ALL, 8, 0},
                                            {MOCKGPU_SGPR, MOCKGPU_EXEC_HI, 0, MOCKGPU_ALL, 0x80000000, 0}};
  launch.wave_size = 64;
  launch.grid[0] = launch.block[0] = 64;
  launch.rsrc1 = MOCKGPU_RSRC1_VGPRS64(9);
  launch.initial = initial;
  launch.initial_count = 2;
  launch.waves = wave;
  launch.wave_capacity = 1;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  CHECK(wave->lanes == 64 && wave->vgpr_count == 12 && wave->exec == 0x80000000ffffffff);
  CHECK(wave->vgpr[2][63] == 71 && wave->vgpr[2][62] == 0 && wave->vgpr[2][31] == 31);
  free(wave);
  mockgpu_close(machine);
}

/* Workgroup ids behind the user SGPRs; the last workgroup is partial. */
static void test_shape(void) {
  mockgpu_machine* machine = open_gfx1100(0);
  uint32_t out[64];
  mockgpu_launch launch = launch_code(kStore, sizeof kStore);
  mockgpu_wave* waves = calloc(6, sizeof *waves);
  memset(out, 0, sizeof out);
  CHECK_STATUS(machine, MOCKGPU_OK,
               mockgpu_map(machine, out, sizeof out, MOCKGPU_READ | MOCKGPU_WRITE, "out"));
  add_address(&launch, out);
  launch.rsrc2 = MOCKGPU_RSRC2_GROUP_ID_X | MOCKGPU_RSRC2_GROUP_ID_Y;
  launch.grid[0] = 40;
  launch.grid[1] = 3;
  launch.waves = waves;
  launch.wave_capacity = 6;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  CHECK(out[0] == 1 && out[7] == 8); /* by the last workgroup: s2 = group id x = 1 */
  CHECK(waves[5].sgpr[2] == 1 && waves[5].sgpr[3] == 2 && waves[5].group[1] == 2);
  CHECK(waves[5].exec == 0xff && waves[4].exec == 0xffffffff);
  free(waves);
  mockgpu_close(machine);
}

static void test_lds_and_scratch(void) {
  /* v_lshlrev_b32 v1, 2, v0; ds_store_b32 v1, v0; s_waitcnt lgkmcnt(0); ds_load_b32 v2, v1;
   * s_waitcnt lgkmcnt(0); scratch_store_b32 off, v2, off offset:4; scratch_load_b32 v3, off, off offset:4;
   * s_waitcnt vmcnt(0); global_store_b32 v1, v3, s[0:1]; s_endpgm */
  static const uint32_t code[] = {0x30020082, 0xd8340000, 0x00000001, 0xbf89fc07, 0xd8d80000,
                                  0x02000001, 0xbf89fc07, 0xdc690004, 0x007c0200, 0xdc510004,
                                  0x037c0000, 0xbf8903f7, 0xdc6a0000, 0x00000301, 0xbfb00000};
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  uint32_t* out = malloc(1024 * sizeof *out);
  mockgpu_launch launch = launch_code(code, sizeof code);
  unsigned i, wrong = 0;
  add_address(&launch, out);
  launch.grid[0] = 4096;
  launch.block[0] = 1024;
  launch.lds_bytes = 4096;
  launch.scratch_bytes = 8;
  memset(out, 0xff, 1024 * sizeof *out);
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  for (i = 0; i < 1024; ++i) wrong += out[i] != i;
  CHECK(wrong == 0);
  /* Half the LDS: what lies beyond reads 0. */
  launch.lds_bytes = 2048;
  launch.grid[0] = 1024;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, NULL));
  for (i = 0; i < 1024; ++i) wrong += out[i] != (i < 512 ? i : 0);
  CHECK(wrong == 0);
  /* No scratch: a fault. */
  launch.scratch_bytes = 0;
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, NULL));
  launch.lds_bytes = 1 << 20;
  CHECK_STATUS(machine, MOCKGPU_BAD_PACKET, mockgpu_run(machine, &launch, NULL));
  free(out);
  mockgpu_close(machine);
}

static void test_endings(void) {
  static const uint32_t endless[] = {0xbfa0ffff};          /* s_branch to itself */
  static const uint32_t away[] = {0xbfa00064, 0xbfb00000}; /* s_branch behind the code */
  static const uint32_t nothing[] = {0xffffffff};
  mockgpu_machine_options options;
  mockgpu_machine* machine = NULL;
  mockgpu_wave* wave = calloc(1, sizeof *wave);
  mockgpu_result result;
  mockgpu_launch launch = launch_code(endless, sizeof endless);
  memset(&options, 0, sizeof options);
  options.size = sizeof options;
  options.flags = MOCKGPU_HOST_MEMORY;
  options.target = "gfx1100";
  options.hang_instructions = 100000;
  CHECK_STATUS(NULL, MOCKGPU_OK, mockgpu_open(&options, &machine));
  launch.waves = wave;
  launch.wave_capacity = 1;
  CHECK_STATUS(machine, MOCKGPU_HANG, mockgpu_run(machine, &launch, NULL));
  CHECK(wave->status == MOCKGPU_WAVE_STOPPED && wave->pc == (uint64_t)(uintptr_t)endless);
  CHECK(strstr(mockgpu_message(machine), "error[hang]") != NULL);

  launch.code = away;
  launch.code_bytes = sizeof away;
  memset(&result, 0, sizeof result);
  result.size = sizeof result;
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(result.fault_address == (uint64_t)(uintptr_t)away + 4 + 4 * 100 && !result.fault_is_write);

  launch.code = nothing;
  launch.code_bytes = sizeof nothing;
  CHECK_STATUS(machine, MOCKGPU_UNDECODABLE, mockgpu_run(machine, &launch, NULL));
  free(wave);
  mockgpu_close(machine);
}

static void test_wrong_use(void) {
  mockgpu_machine_options options;
  mockgpu_machine* machine = (mockgpu_machine*)&options;
  mockgpu_launch launch = launch_code(kStore, sizeof kStore);
  mockgpu_register_value initial = {MOCKGPU_VGPR, 16, MOCKGPU_ALL, MOCKGPU_ALL, 0, 0};
  memset(&options, 0, sizeof options);
  CHECK(mockgpu_open(&options, &machine) == MOCKGPU_BAD_USAGE && machine == NULL);
  options.size = sizeof options;
  options.target = "gfx9999";
  CHECK(mockgpu_open(&options, &machine) == MOCKGPU_BAD_USAGE && machine == NULL);
  CHECK(strstr(mockgpu_message(NULL), "gfx9999") != NULL);
  options.target = "gfx1100";
  options.level = "v99";
  CHECK(mockgpu_open(&options, &machine) == MOCKGPU_BAD_USAGE);
  CHECK(mockgpu_run(NULL, &launch, NULL) == MOCKGPU_BAD_USAGE);
  CHECK(strcmp(mockgpu_status_name(MOCKGPU_MEMORY_FAULT), "memory-fault") == 0);
  CHECK(strcmp(mockgpu_status_name(MOCKGPU_OK), "ok") == 0);
  CHECK(strcmp(mockgpu_status_name((mockgpu_status)99), "unknown") == 0);

  machine = open_gfx1100(0);
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_map(machine, kStore, 0, MOCKGPU_READ, NULL));
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_map(machine, kStore, 16, 8, NULL));
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_unmap(machine, kStore));
  launch.block[0] = 1025;
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  launch.block[0] = 32;
  launch.user_sgpr_count = 17;
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  launch.user_sgpr_count = 2;
  launch.rsrc2 = 3 << 1; /* USER_SGPR */
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  launch.rsrc2 = 0;
  launch.initial = &initial;
  launch.initial_count = 1;
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  launch.initial_count = 0;
  launch.rsrc1 = 0; /* 8 VGPRs are enough for this code */
  launch.size = 0;
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  mockgpu_close(machine);
  mockgpu_close(NULL);
}

void test_launches(void) {
  test_registers();
  test_wave64();
  test_shape();
  test_lds_and_scratch();
  test_endings();
  test_wrong_use();
}
