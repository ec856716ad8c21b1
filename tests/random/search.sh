#!/bin/sh
# Looks for programs on which the mock GPU and the host differ: search.sh RANDOM_SEARCH FIRST_SEED SEEDS
# RANDOM_SEARCH is the built program of that name. Every seed is 20 programs in 8 variants. A folder with a
# difference is kept and named. The target `random_programs_search` runs 20 seeds.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
failed=0
seed=$2
while [ $seed -lt $(($2 + $3)) ]; do
  folder=$(mktemp -d)/seed$seed
  "$here/build.sh" "$folder" $seed 20
  if "$1" "$folder"; then rm -rf "$(dirname "$folder")"; else failed=1; echo "kept: $folder"; fi
  seed=$((seed + 1))
done
exit $failed
