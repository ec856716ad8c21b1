/* Kernels of code objects. */
#include "check.h"

static unsigned char* read_file(const char* name, size_t* size) {
  char path[1024];
  FILE* file;
  unsigned char* bytes = NULL;
  snprintf(path, sizeof path, "%s/kernels/%s", MOCKGPU_TEST_DATA, name);
  file = fopen(path, "rb");
  CHECK(file != NULL);
  *size = 0;
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  *size = (size_t)ftell(file);
  rewind(file);
  bytes = malloc(*size);
  CHECK(fread(bytes, 1, *size, file) == *size);
  fclose(file);
  return bytes;
}

struct vecadd_arguments {
  const float *a, *b;
  float* c;
  uint32_t n;
};

static void test_vecadd(void) {
  enum { kCount = 1000 };
  mockgpu_machine* machine = open_gfx1100(MOCKGPU_HOST_MEMORY);
  mockgpu_object* object = NULL;
  size_t size;
  unsigned char* bytes = read_file("gfx1100/vecadd.co", &size);
  float *a = malloc(kCount * sizeof *a), *b = malloc(kCount * sizeof *b), *c = calloc(kCount, sizeof *c);
  struct vecadd_arguments arguments;
  mockgpu_launch launch;
  mockgpu_result result;
  unsigned i, wrong = 0;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_load(machine, bytes, size, &object));
  free(bytes);
  CHECK(strcmp(mockgpu_kernel_name(object, 0), "vecadd") == 0);
  CHECK(mockgpu_kernel_name(object, 100) == NULL);
  CHECK(mockgpu_symbol(object, "vecadd") % 256 == 0 && mockgpu_symbol(object, "vecadd") != 0);
  CHECK(mockgpu_symbol(object, "nothing") == 0);
  for (i = 0; i < kCount; ++i) a[i] = (float)i, b[i] = 0.5f;
  memset(&arguments, 0, sizeof arguments);
  arguments.a = a;
  arguments.b = b;
  arguments.c = c;
  arguments.n = kCount;
  memset(&launch, 0, sizeof launch);
  memset(&result, 0, sizeof result);
  launch.size = sizeof launch;
  result.size = sizeof result;
  launch.object = object;
  launch.kernel = "vecadd";
  launch.arguments = &arguments;
  launch.argument_bytes = 28;
  launch.grid[0] = 1024;
  launch.block[0] = 256;
  CHECK_STATUS(machine, MOCKGPU_OK, mockgpu_run(machine, &launch, &result));
  for (i = 0; i < kCount; ++i) wrong += c[i] != (float)i + 0.5f;
  CHECK(wrong == 0 && result.workgroups == 4);

  arguments.b = NULL;
  CHECK_STATUS(machine, MOCKGPU_MEMORY_FAULT, mockgpu_run(machine, &launch, &result));
  CHECK(strstr(mockgpu_message(machine), "vecadd+0x") != NULL);
  launch.argument_bytes = 24;
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  launch.kernel = "nothing";
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_run(machine, &launch, NULL));
  mockgpu_unload(machine, object);
  mockgpu_unload(machine, NULL);
  free(a);
  free(b);
  free(c);
  mockgpu_close(machine);
}

static void test_bad_objects(void) {
  mockgpu_machine* machine = open_gfx1100(0);
  mockgpu_object* object = (mockgpu_object*)machine;
  size_t size;
  unsigned char* bytes = read_file("gfx1030/vecadd.co", &size);
  CHECK_STATUS(machine, MOCKGPU_BAD_FILE, mockgpu_load(machine, "no ELF file", 11, &object));
  CHECK(object == NULL);
  if (bytes) CHECK_STATUS(machine, MOCKGPU_BAD_FILE, mockgpu_load(machine, bytes, size, &object));
  CHECK_STATUS(machine, MOCKGPU_BAD_USAGE, mockgpu_load(machine, NULL, 0, &object));
  free(bytes);
  mockgpu_close(machine);
}

void test_objects(void) {
  test_vecadd();
  test_bad_objects();
}
