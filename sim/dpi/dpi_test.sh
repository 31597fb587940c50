#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The example bench with DPI (docs/examples/dpi): passes on the RTL, fails on RTL with a bug and explains it. Arguments:
# source folder, folder of odonata_dpi_pkg.sv, libodonata_dpi.so.
set -euo pipefail
cd "$1"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if command -v ccache >/dev/null; then export OBJCACHE=ccache; fi
play() {
  verilator --binary --timing -Wno-fatal -O1 -j 2 --Mdir "$folder/$1" --top-module scoreboard -CFLAGS -O0 \
    -MAKEFLAGS OPT_FAST=-O0 "$2/odonata_dpi_pkg.sv" -f "docs/examples/dpi/$1.f" docs/examples/dpi/scoreboard.sv "$3" \
    >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  LD_LIBRARY_PATH=$(dirname "$3") "$folder/$1/Vscoreboard" >"$folder/$1.out"
}
play good "$2" "$3"
grep -q '^PASS: [1-9][0-9]* decisions compared' "$folder/good.out" || { cat "$folder/good.out"; exit 1; }
if (play bug "$2" "$3" 2>"$folder/fatal"); then
  echo "the bench ends well on RTL with a bug"
  exit 1
fi
for words in '^FAIL in cycle' '^  vc: ' '^Lowest class'; do
  grep -q "$words" "$folder/bug.out" || { cat "$folder/bug.out" "$folder/fatal"; exit 1; }
done
