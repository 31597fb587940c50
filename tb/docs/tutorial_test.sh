#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The commands of docs/tutorial.md, as they stand there: wrap and pipeline succeed, both lockstep runs find the bug. Arguments: source folder, program.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p "$folder/docs" "$folder/out"
cp -r "$1/docs/examples" "$folder/docs/examples"
ln -s "$1/rtl" "$folder/rtl"
mapfile -t commands < <(grep '^\./dev odonata' "$1/docs/tutorial.md")
cd "$folder"
codes=()
for command in "${commands[@]}"; do
  read -ra words <<<"${command#./dev odonata }"
  code=0
  "$2" "${words[@]}" >log 2>&1 || code=$?
  echo "$code: $command"
  tail -n 8 log
  codes+=("$code")
done
[ "${codes[*]}" = "0 0 1 1" ] || { echo "exit codes ${codes[*]}, expected 0 0 1 1"; exit 1; }
grep -q 'virtual channel' log
