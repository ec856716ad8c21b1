#!/bin/sh
# Rebuilds the code objects of this folder from their sources, with LLVM 19 (clang-19, lld-19).
set -eu
cd "$(dirname "$0")"
version=${LLVM_VERSION:-19}
clang="clang-$version"
opencl() {  # target, code object version, source, output
  "$clang" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$1" -mcode-object-version="$2" -nogpulib -O2 "$3" -o "$4"
}
opencl gfx1100 5 hidden.cl hidden_v5.co
opencl gfx1100 4 hidden.cl hidden_v4.co
opencl gfx1100 6 tiny.cl tiny_v6.co
opencl gfx11-generic 6 tiny.cl tiny_generic.co
opencl gfx90a:xnack-:sramecc+ 5 tiny.cl tiny_gfx90a.co
opencl gfx1030 5 tiny.cl tiny_gfx1030.co
"$clang" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100 -c relocations.s -o relocations.o
"ld.lld-$version" -shared -z notext --unresolved-symbols=ignore-all relocations.o -o relocations.co
rm relocations.o
: >empty
"clang-offload-bundler-$version" -type=o -bundle-align=64 \
  -targets=host-x86_64-unknown-linux-gnu-,hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-,hipv4-amdgcn-amd-amdhsa--gfx1030,hipv4-amdgcn-amd-amdhsa--gfx1100 \
  -input=empty -input=tiny_gfx90a.co -input=tiny_gfx1030.co -input=hidden_v5.co -output=bundle.hipfb
rm empty
chmod a-x ./*.co
