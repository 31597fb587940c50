#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed package (docs/examples/package.md): a clean prefix, the lockstep example built from it by CMake with another compiler than ours, and by
# pkg-config. Arguments: source folder, build folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
prefix=$folder/prefix
for component in dev program; do cmake --install "$2" --prefix "$prefix" --component $component >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }; done
if grep -rqs -e "$1" -e march=native "$prefix"/lib*/cmake "$prefix"/lib*/pkgconfig; then
  echo "the package names this machine or its sources"
  exit 1
fi
cp -r "$1/docs/examples/lockstep" "$folder/example"
cmake -S "$folder/example" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER=g++ >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
cmake --build "$folder/build" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
[ "$("$folder/build/lockstep" | tail -n 1)" = "10000 frames compared, pass" ]
code=0
said=$("$folder/build/lockstep" careless) || code=$?
[ "$code" -eq 1 ] && [[ "$said" == *"frame valid: expected 0x1, got 0x0"* ]] || { echo "exit code $code: $said"; exit 1; }

# The other examples: a routing outside the engine's tree, a TLM platform.
for example in routing tlm; do
  cmake -S "$1/docs/examples/$example" -B "$folder/$example" -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  cmake --build "$folder/$example" >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
  "$folder/$example/$example" >"$folder/$example.out"
done
[ "$(grep -c 'nothing lost$' "$folder/routing.out")" -eq 2 ] && grep -q '^yx: accepted' "$folder/routing.out" || { cat "$folder/routing.out"; exit 1; }
[ "$(grep -c 'the golden unit agrees$' "$folder/tlm.out")" -eq 8 ] || { cat "$folder/tlm.out"; exit 1; }

sed 's/odonata 0.2/odonata 0.3/' "$1/docs/examples/lockstep/CMakeLists.txt" >"$folder/example/CMakeLists.txt"
if cmake -S "$folder/example" -B "$folder/other" -DCMAKE_PREFIX_PATH="$prefix" >"$folder/log" 2>&1; then
  echo "version 0.3 was found"
  exit 1
fi
grep -q 'version: 0.2' "$folder/log"
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name odonata.pc)") pkg-config --cflags --libs odonata)
[[ "$flags" == *-std=c++20* && "$flags" == *-lodonata_models* ]]
[ -f "$(pkg-config --variable=includedir "$(find "$prefix" -name odonata.pc)")/odonata/tb/units.h" ]
"$prefix/bin/odonata" --version
grep -q '^.TH ODONATA 1' "$prefix/share/man/man1/odonata.1"
bash -c "source '$prefix/share/bash-completion/completions/odonata'; COMP_WORDS=(odonata cosim --siz) COMP_CWORD=2; _odonata; [ \"\${COMPREPLY[0]}\" = --size ]"

# The Debian packages, unpacked.
(cd "$2" && cpack -G DEB -B "$folder/debs" -D CPACK_COMPONENTS_ALL="program;dev;doc") >"$folder/log" 2>&1 || { cat "$folder/log"; exit 1; }
for name in odonata libodonata-dev odonata-doc; do dpkg-deb -x "$folder"/debs/${name}_0.2.0_*.deb "$folder/root"; done
"$folder/root/usr/bin/odonata" --version
for file in lib/libodonata_cosim.a include/odonata_device.h include/odonata/tb/units.h share/odonata/rtl/route_compute/route_compute.sv \
  share/doc/odonata/LICENSE share/doc/odonata/docs/tutorial.md share/man/man1/odonata.1; do
  [ -f "$folder/root/usr/$file" ] || { echo "$file is in no package"; exit 1; }
done
