#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/tutorial.md, as they stand there: wrap and pipeline succeed, both lockstep runs find the bug and
# leave a waveform of it; with the bug taken out all succeed. Arguments: source folder, program.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/docs"
cp -r "$1/docs/examples" "$folder/docs/examples"
ln -s "$1/rtl" "$folder/rtl"
mapfile -t commands < <(grep -e '^odonata ' -e '^sed ' -e '^mkdir ' "$1/docs/tutorial.md")
export PATH=$(dirname "$2"):$PATH ODONATA_RTL_DIR=$folder/none # the program alone is enough
cd "$folder"
codes=()
for command in "${commands[@]}"; do
  code=0
  bash -c "$command" >log 2>&1 || code=$?
  echo "$code: $command"
  tail -n 8 log
  [ "$code" -ne 1 ] || cp log lockstep
  codes+=("$code")
done
[ "${codes[*]}" = "0 0 0 1 1 0 0 0 0" ] || { echo "exit codes ${codes[*]}, expected 0 0 0 1 1, then 0"; exit 1; }
grep -q 'virtual channel' lockstep
grep -q '^Waveform of the short run: out/mismatch_route_compute.fst' lockstep &&
  [ -s out/mismatch_route_compute.fst ] || { cat lockstep; exit 1; }
grep -q 'answers of out/my_rc.so compared' log
