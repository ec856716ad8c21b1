#!/bin/sh
# Builds the prebuilt code objects of tests/kernels from their sources with LLVM 19 (clang-19, lld-19):
#   tests/kernels/build.sh            rebuilds the files in the tree
#   tests/kernels/build.sh FOLDER     writes them to FOLDER instead
#   tests/kernels/build.sh --targets FOLDER   writes the portable kernels there, for every target of LLVM 19
#   tests/kernels/build.sh --check    builds into a temporary folder and compares the machine code with the tree
# Exit code: 0 = done or equal, 1 = different or not buildable, 77 = LLVM 19 is not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
llvm=${LLVM_VERSION:-19}
clang=clang-$llvm
for tool in "$clang" "ld.lld-$llvm" "llvm-objcopy-$llvm"; do
  if ! command -v "$tool" >/dev/null; then
    echo "build.sh: $tool is not installed: apt-get install clang-$llvm lld-$llvm llvm-$llvm" >&2
    exit 77
  fi
done

check=no targets=no
out=$here
case ${1:-} in
  --targets) targets=yes; out=$2 ;;
  --check) check=yes; out=$(mktemp -d); trap 'rm -rf "$out"' EXIT ;;
  ?*) out=$1 ;;
esac
mkdir -p "$out/gfx1100" "$out/gfx1030"

opencl() {  # target, source, output, code-object version, more options
  target=$1 source=$2 output=$3 version=$4; shift 4
  "$clang" -x cl -cl-std=CL2.0 -target amdgcn-amd-amdhsa -mcpu="$target" -mcode-object-version="$version" -nogpulib \
    -DAMDGCN_BARE -I"$here/source" "$here/source/$source.cl" -o "$out/$target/$output.co" "$@"
}
assembly() {  # source path, output
  "$clang" -x assembler -target amdgcn-amd-amdhsa -mcpu=gfx1100 -I"$here/source" "$1" -o "$out/gfx1100/$2.co"
}

# gfx1100/NAME.co: -O2, waves of 32 lanes. gfx1100/O0/NAME.co, O2_wave64/NAME.co...: the other variants.
# The exact ones have exact references: no contraction, correctly rounded division and square root.
portable="vecadd reduce atomics math matmul scratch dot bench"
if [ $targets = yes ]; then
  for target in gfx900 gfx906 gfx908 gfx90a gfx942 gfx1010 gfx1030 gfx1100 gfx1151 gfx1200 gfx1201; do
    mkdir -p "$out/$target"
    case $target in
      gfx900 | gfx1010) names=${portable%% dot*}" bench" ;;
      gfx908 | gfx90a | gfx942) names="$portable mfma" ;;
      gfx11*) names="$portable wmma11" ;;
      gfx12*) names="$portable wmma12" ;;
      *) names=$portable ;;
    esac
    for name in $names; do opencl $target $name $name 5 -O2; done
  done
  assembly "$here/source/vecadd_asm.s" vecadd_asm
  exit 0
fi
exact="portable lds memory atomic_kinds cross matrix formats"
wave32="wmma11 wmma_loop"
variant() {  # folder with its slash, options
  folder=$1; shift
  mkdir -p "$out/gfx1100/$folder"
  for name in $portable; do opencl gfx1100 $name $folder$name 5 "$@"; done
  for name in $exact; do
    opencl gfx1100 $name $folder$name 5 "$@" -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt -Wl,-s
  done
  case $folder in
    *_wave64/) ;;
    *) for name in $wave32; do opencl gfx1100 $name $folder$name 5 "$@"; done ;;
  esac
}
variant "" -O2
variant O2_wave64/ -O2 -mwavefrontsize64 -Wl,-s
for level in 0 1 3; do
  variant O$level/ -O$level -Wl,-s
  variant O${level}_wave64/ -O$level -mwavefrontsize64 -Wl,-s
done
opencl gfx1100 vecadd vecadd_v4 4 -O2
opencl gfx1100 vecadd vecadd_v6 6 -O2
opencl gfx1030 vecadd vecadd 5 -O2
for name in vecadd_asm undecodable unsupported unmapped endless bad; do
  assembly "$here/source/$name.s" $name
done
for bytes in 200 65536; do
  name=straight_$bytes
  awk -v name=$name -v bytes=$bytes -f "$here/straight_line.awk" >"$out/$name.s"
  assembly "$out/$name.s" $name
  rm "$out/$name.s"
done
chmod a-x "$out"/gfx*/*.co "$out"/gfx*/O*/*.co
[ $check = yes ] || exit 0

# The files differ in the compiler's version strings: compare what is executed.
code() { "llvm-objcopy-$llvm" -O binary --only-section=.text "$1" "$2"; }
status=0
for file in "$out"/gfx*/*.co "$out"/gfx*/O*/*.co; do
  name=${file#"$out"/}
  if [ ! -f "$here/$name" ]; then
    echo "build.sh: $name is missing in the tree"; status=1; continue
  fi
  code "$file" "$out/new"; code "$here/$name" "$out/old"
  if ! cmp -s "$out/new" "$out/old"; then echo "build.sh: $name differs"; status=1; fi
done
for file in "$here"/gfx*/*.co "$here"/gfx*/O*/*.co; do
  name=${file#"$here"/}
  if [ ! -f "$out/$name" ]; then echo "build.sh: $name has no source"; status=1; fi
done
[ $status = 0 ] && echo "build.sh: the machine code is that of the sources"
exit $status
