#!/bin/sh
# Random programs, compiled for the mock GPU and, as the reference, for this host, with LLVM 19:
#   tests/random/build.sh                    rebuilds the 200 in the tree
#   tests/random/build.sh --check            builds them into a temporary folder and compares with the tree
#   tests/random/build.sh FOLDER SEED COUNT  writes COUNT programs of SEED to FOLDER, in all variants
# A set NAME is NAME.co with kernels p0, p1... and NAME.expected with what the host computes: for each kernel one
# 64-bit word per work-item. Exit code 1: different, 77: LLVM 19 or Python is not installed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
clang=clang-${LLVM_VERSION:-19}
for tool in "$clang" "ld.lld-${LLVM_VERSION:-19}" python3; do
  command -v "$tool" >/dev/null || { echo "build.sh: $tool is not installed" >&2; exit 77; }
done

# Programs look at group memory through pointers of several types, so no strict aliasing.
host() {  # source, expected
  "$clang" -x c -std=c11 -w -fno-strict-aliasing -O1 -DHOST -ffp-contract=off -I"$here" "$1" -o "$1.host" -lm
  "$1.host" >"$2"
  rm "$1.host"
}
gpu() {  # source, code object, options
  source=$1 object=$2; shift 2
  "$clang" -x cl -cl-std=CL2.0 -w -fno-strict-aliasing -target amdgcn-amd-amdhsa -mcpu=gfx1100 -mcode-object-version=5 -nogpulib \
    -ffp-contract=off -cl-fp32-correctly-rounded-divide-sqrt -I"$here" "$source" -o "$object" -Wl,-s "$@"
  chmod a-x "$object"
}
options() {  # variant, as O2_wave64
  case $1 in
    *_wave64) echo "-${1%_wave64} -mwavefrontsize64" ;;
    *) echo "-$1" ;;
  esac
}

variants="O0 O1 O2 O3 O0_wave64 O1_wave64 O2_wave64 O3_wave64"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
if [ $# -eq 3 ]; then
  mkdir -p "$1"
  python3 "$here/generate.py" "$2" "$3" >"$1/programs.c"
  host "$1/programs.c" "$work/expected"
  for variant in $variants; do
    gpu "$1/programs.c" "$1/$variant.co" $(options $variant)
    cp "$work/expected" "$1/$variant.expected"
  done
  exit 0
fi
out=$here/gfx1100
[ "${1:-}" != --check ] || out=$work
mkdir -p "$out"
seed=0 status=0
# Fewer of the long ones: 200 in all.
for set in O0:5 O1:50 O2:25 O3:20 O0_wave64:3 O1_wave64:52 O2_wave64:25 O3_wave64:20; do
  seed=$((seed + 1)) variant=${set%:*}
  python3 "$here/generate.py" $seed "${set#*:}" >"$work/programs.c"
  host "$work/programs.c" "$out/$variant.expected"
  gpu "$work/programs.c" "$out/$variant.co" $(options $variant)
  [ "$out" = "$work" ] || continue
  # The files differ in the compiler's version strings: compare what is executed.
  for tree in "$here/gfx1100" "$out"; do
    "llvm-objcopy-${LLVM_VERSION:-19}" -O binary --only-section=.text "$tree/$variant.co" "$work/$(basename "$tree").text"
  done
  cmp "$work/gfx1100.text" "$work/$(basename "$work").text" && cmp "$out/$variant.expected" "$here/gfx1100/$variant.expected" || status=1
done
exit $status
