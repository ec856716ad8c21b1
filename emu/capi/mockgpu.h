/* mockgpu: runs machine code of AMD GPUs on this processor. The C interface of libmockgpu; C99 and C++.
 *
 * A machine stands for one GPU of a named target. Its memory is memory of the caller: a GPU address is a host
 * address. Either the caller maps the ranges that a kernel may use (mockgpu_map), or every page of the
 * process may be used (MOCKGPU_HOST_MEMORY). A wild address is a MOCKGPU_MEMORY_FAULT with a report, never a
 * crash.
 *
 * Functions return MOCKGPU_OK or what went wrong; mockgpu_message() has the words. One thread at a time may
 * use a machine; different machines are independent. All structs are zero-initialised by the caller, and
 * their `size` is set to their sizeof, so that later versions can add members behind the ones that are here.
 */
#ifndef MOCKGPU_H
#define MOCKGPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define MOCKGPU_API __attribute__((visibility("default")))
#else
#define MOCKGPU_API
#endif

/* The interface that this header describes. It grows compatibly within one number. */
#define MOCKGPU_API_VERSION 1

/* The MOCKGPU_API_VERSION of the library. */
MOCKGPU_API uint32_t mockgpu_api_version(void);

/* ---- Status ---- */

typedef enum mockgpu_status {
  MOCKGPU_OK = 0,
  MOCKGPU_BAD_USAGE = 1,    /* a wrong argument */
  MOCKGPU_BAD_FILE = 2,     /* a code object that is malformed or for another target */
  MOCKGPU_BAD_PACKET = 3,   /* launch registers beyond the hardware's limits */
  MOCKGPU_BAD_REQUEST = 4,  /* refused by the driver; not by this interface */
  MOCKGPU_UNSUPPORTED = 5,  /* real, but not implemented here */
  MOCKGPU_UNDECODABLE = 6,  /* bytes that are no instruction of the target */
  MOCKGPU_MEMORY_FAULT = 7, /* an access to memory that is not there or must not be used so */
  MOCKGPU_HANG = 8,         /* all waves wait, or the instruction limit was reached */
  MOCKGPU_TRAP = 9,         /* the code trapped (s_trap) */
  MOCKGPU_OUT_OF_MEMORY = 10,
  MOCKGPU_NO_DEVICE = 11,
  MOCKGPU_TIMEOUT = 12,
  MOCKGPU_IO = 13,     /* the operating system refused */
  MOCKGPU_FAILED = 14, /* anything else */
} mockgpu_status;

/* `memory-fault`, `bad-usage`...; `ok` for MOCKGPU_OK, `unknown` for what is no status. */
MOCKGPU_API const char* mockgpu_status_name(mockgpu_status status);

/* ---- Machines ---- */

typedef struct mockgpu_machine mockgpu_machine;

enum {
  /* Kernels may use all memory of this process, with the rights that the operating system gives it; code runs
   * from everything that can be read. Ranges of mockgpu_map have the rights given there. */
  MOCKGPU_HOST_MEMORY = 1,
};

typedef struct mockgpu_machine_options {
  uint32_t size;
  uint32_t flags;
  const char* target; /* "gfx1100" */
  const char* level;  /* host instructions to use: "baseline", "v3"...; null = the best that the host has */
  uint64_t
      hang_instructions; /* wave-instructions without a finished workgroup that count as a hang; 0 = 10 G */
  uint64_t seed;         /* not 0: interleave workgroups and waves by this seed */
  uint32_t threads;      /* host threads for one launch, the caller's included; 0 = 1 */
  uint32_t reserved;
} mockgpu_machine_options;

/* Opens a machine. On failure *machine is null, and mockgpu_message(null) says why. */
MOCKGPU_API mockgpu_status mockgpu_open(const mockgpu_machine_options* options, mockgpu_machine** machine);

/* Closes a machine and the objects that it loaded. Null is allowed. */
MOCKGPU_API void mockgpu_close(mockgpu_machine* machine);

/* What the last failing call said, as lines without a final newline; empty if none failed. With null: of the
 * last failing mockgpu_open of this thread. Valid until the next call with the machine. */
MOCKGPU_API const char* mockgpu_message(const mockgpu_machine* machine);

/* ---- Memory ---- */

enum {
  MOCKGPU_READ = 1,
  MOCKGPU_WRITE = 2,
  MOCKGPU_EXECUTE = 4,
};

/* Lets kernels use [address, address + bytes) with `rights`. The range must not overlap another one. `name`
 * is for messages; null = none. The memory stays the caller's: it must outlive the mapping, or faults. */
MOCKGPU_API mockgpu_status mockgpu_map(mockgpu_machine* machine, const void* address, uint64_t bytes,
                                       uint32_t rights, const char* name);

/* Ends the mapping that begins at `address`. */
MOCKGPU_API mockgpu_status mockgpu_unmap(mockgpu_machine* machine, const void* address);

/* ---- Code objects ---- */

typedef struct mockgpu_object mockgpu_object;

/* Loads an ELF code object (or its entry of a clang offload bundle) into memory of the machine, which kernels
 * may read, write and execute. `bytes` are not needed afterwards. */
MOCKGPU_API mockgpu_status mockgpu_load(mockgpu_machine* machine, const void* bytes, uint64_t size,
                                        mockgpu_object** object);

/* Unloads an object. Null is allowed. */
MOCKGPU_API void mockgpu_unload(mockgpu_machine* machine, mockgpu_object* object);

/* The name of kernel `index`, counted from 0; null if there are not so many. Valid until the object is
 * unloaded. */
MOCKGPU_API const char* mockgpu_kernel_name(const mockgpu_object* object, uint32_t index);

/* The GPU address of a symbol, e.g. a global variable; 0 if there is none. */
MOCKGPU_API uint64_t mockgpu_symbol(const mockgpu_object* object, const char* name);

/* ---- Launches ---- */

/* Fields of the registers that start a launch (gfx10 to gfx12; the manuals name them COMPUTE_PGM_RSRC1, 2).
 */
#define MOCKGPU_RSRC1_VGPRS32(count) ((((uint32_t)(count) + 7u) / 8u - 1u) & 63u) /* wave32; count >= 1 */
#define MOCKGPU_RSRC1_VGPRS64(count) ((((uint32_t)(count) + 3u) / 4u - 1u) & 63u) /* wave64; count >= 1 */
#define MOCKGPU_RSRC1_FLOAT_MODE(mode) \
  (((uint32_t)(mode)&255u) << 12)          /* 0xf0: to nearest even, subnormals kept */
#define MOCKGPU_RSRC2_GROUP_ID_X (1u << 7) /* behind the user SGPRs: workgroup ids, those that are enabled \
                                            */
#define MOCKGPU_RSRC2_GROUP_ID_Y (1u << 8)
#define MOCKGPU_RSRC2_GROUP_ID_Z (1u << 9)
#define MOCKGPU_RSRC2_GROUP_SIZE (1u << 10) /* then waves of the workgroup; bit 31 in its first wave */

typedef enum mockgpu_register_kind {
  MOCKGPU_SGPR = 0, /* 0..105 s, 106 and 107 vcc, 108..123 ttmp, 125 m0, 126 and 127 exec */
  MOCKGPU_VGPR = 1,
  MOCKGPU_SCC = 2,
  MOCKGPU_MODE = 3,
} mockgpu_register_kind;

#define MOCKGPU_VCC_LO 106
#define MOCKGPU_VCC_HI 107
#define MOCKGPU_M0 125
#define MOCKGPU_EXEC_LO 126
#define MOCKGPU_EXEC_HI 127
#define MOCKGPU_ALL (-1)

/* A value that a register has when waves start, over what the launch would give it. */
typedef struct mockgpu_register_value {
  uint32_t kind;  /* mockgpu_register_kind */
  uint32_t index; /* of an SGPR or VGPR */
  int32_t lane;   /* of a VGPR; MOCKGPU_ALL = every one */
  int32_t
      wave; /* number of the wave in the launch: workgroups in order, x fastest; MOCKGPU_ALL = every one */
  uint32_t value;
  uint32_t reserved;
} mockgpu_register_value;

typedef enum mockgpu_wave_status {
  MOCKGPU_WAVE_NOT_STARTED = 0,
  MOCKGPU_WAVE_ENDED = 1,
  MOCKGPU_WAVE_STOPPED = 2, /* by a fault or hang: the state is where it stood */
} mockgpu_wave_status;

/* The registers of a wave at its end. */
typedef struct mockgpu_wave {
  uint32_t status; /* mockgpu_wave_status; the rest is 0 where it has not started */
  uint32_t group[3];
  uint32_t wave;       /* in its workgroup */
  uint32_t lanes;      /* 32 or 64 */
  uint32_t vgpr_count; /* registers that the wave has; those above are 0 */
  uint32_t scc;
  uint64_t pc; /* of the last instruction */
  uint64_t exec;
  uint64_t vcc;
  uint32_t m0;
  uint32_t mode;
  uint32_t sgpr[106];
  uint32_t ttmp[16];
  uint32_t vgpr[256][64]; /* by register and lane */
} mockgpu_wave;

typedef struct mockgpu_launch {
  uint32_t size;
  uint32_t wave_size;     /* 32 or 64; 0 = 32, or what the kernel says */
  uint32_t grid[3];       /* work-items; not a multiple of `block`: the last workgroups are smaller; 0 = 1 */
  uint32_t block[3];      /* work-items of a workgroup; 0 = 1 */
  uint32_t lds_bytes;     /* LDS of a workgroup, beside what RSRC2 or the kernel says */
  uint32_t scratch_bytes; /* scratch of a work-item, likewise */

  /* Either a kernel of an object: it gives entry, registers, LDS and scratch. */
  const mockgpu_object* object;
  const char* kernel; /* null = the only one */
  const void*
      arguments; /* the explicit ones, at the offsets of the kernel's metadata; hidden ones are filled in */
  uint64_t argument_bytes;

  /* Or code: it starts at `code`. With code_bytes, [code, code + code_bytes) is all that can be executed
   * beside mapped ranges with MOCKGPU_EXECUTE. */
  const void* code;
  uint64_t code_bytes;
  uint32_t rsrc1; /* MOCKGPU_RSRC1_VGPRS32(n) | MOCKGPU_RSRC1_FLOAT_MODE(0xf0)... */
  uint32_t rsrc2; /* its USER_SGPR field is 0 or user_sgpr_count */
  uint32_t rsrc3;
  uint32_t user_sgpr_count; /* at most 16 */
  uint32_t user_sgprs[16];  /* s0 and up */

  const mockgpu_register_value* initial; /* applied in order */
  uint64_t initial_count;

  mockgpu_wave* waves; /* receives the first `wave_capacity` waves of the launch; null = none */
  uint64_t wave_capacity;
} mockgpu_launch;

typedef struct mockgpu_result {
  uint32_t size;
  uint32_t fault_is_write;
  uint64_t fault_address;     /* of a MOCKGPU_MEMORY_FAULT */
  uint64_t wave_instructions; /* executed */
  uint64_t workgroups;        /* finished */
  uint64_t waves;             /* of the whole launch */
} mockgpu_result;

/* Runs a launch to its end. `result` may be null. After a failure the machine goes on as before: what the
 * waves had stored stays stored. */
MOCKGPU_API mockgpu_status mockgpu_run(mockgpu_machine* machine, const mockgpu_launch* launch,
                                       mockgpu_result* result);

#ifdef __cplusplus
}
#endif
#endif
