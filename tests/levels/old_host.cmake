# Runs the demo's command under qemu-user on a processor without AVX.
find_program(QEMU NAMES qemu-x86_64 qemu-x86_64-static)
if(NOT QEMU)
  message("skipped: qemu-x86_64 is not installed")
  return()
endif()
execute_process(COMMAND ${QEMU} -cpu Nehalem ${MOCKGPU} run ${KERNEL} --kernel vecadd --grid 1000 --block 256
                        --arg f32[1000]=iota --arg f32[1000]=ones --arg f32[1000]=zeros --arg u32=1000 --show 2:4
                        --machine gfx1100
                OUTPUT_VARIABLE out ERROR_VARIABLE err RESULT_VARIABLE result)
message("${out}${err}")
if(NOT result EQUAL 0 OR NOT out MATCHES "1[^0-9]+2[^0-9]+3[^0-9]+4")
  message(FATAL_ERROR "exit code ${result}")
endif()
