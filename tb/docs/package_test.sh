#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# The installed package (docs/examples/package.md): a clean prefix, and the Debian packages installed into an empty
# root; every example is run from there. Arguments: source folder, build folder.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
if command -v ccache >/dev/null; then export OBJCACHE=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache; fi
# quietly COMMAND...: its output only when it fails.
quietly() { "$@" >"$folder/log" 2>&1 || { cat "$folder/log"; echo "failed: $*"; exit 1; }; }
# expect CODE WORDS COMMAND...: exit code and output of a command.
expect() {
  local code=0
  "${@:3}" >"$folder/log" 2>&1 || code=$?
  [ "$code" -eq "$1" ] && grep -q -- "$2" "$folder/log" && return
  cat "$folder/log"
  echo "exit code $code, expected $1 and '$2': ${*:3}"
  exit 1
}

# ---- cmake --install into a prefix; the lockstep example with another compiler than ours, other versions, pkg-config.
prefix=$folder/prefix
for component in dev program; do quietly cmake --install "$2" --prefix "$prefix" --component $component; done
if grep -rqs -e "$1" -e march=native "$prefix"/lib*/cmake "$prefix"/lib*/pkgconfig ||
  grep -qs -e "$2" "$prefix/bin/odonata"; then
  echo "the package names this machine or its sources"
  exit 1
fi
cp -r "$1/docs/examples/lockstep" "$folder/example"
quietly cmake -S "$folder/example" -B "$folder/build" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_CXX_COMPILER=g++
quietly cmake --build "$folder/build"
expect 0 '^10000 frames compared, pass$' "$folder/build/lockstep"
expect 1 'frame valid: expected 0x1, got 0x0' "$folder/build/lockstep" careless
sed 's/odonata 0.2/odonata 0.3/' "$1/docs/examples/lockstep/CMakeLists.txt" >"$folder/example/CMakeLists.txt"
expect 1 'version: 0.2' cmake -S "$folder/example" -B "$folder/other" -DCMAKE_PREFIX_PATH="$prefix"
flags=$(PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name odonata.pc)") pkg-config --cflags --libs odonata)
[[ "$flags" == *-std=c++20* && "$flags" == *-lodonata_models* ]]
[ -f "$(pkg-config --variable=includedir "$(find "$prefix" -name odonata.pc)")/odonata/tb/units.h" ]
quietly "$prefix/bin/odonata" --version

# ---- The Debian packages, all of them, installed into an empty root by dpkg: no file is in two of them, none needs a
# script. What the 190 modules of odonata-rtl need is not looked up here (a third of the time), what the program needs
# is.
(cd "$2" && quietly cpack -G DEB -B "$folder/debs" -D CPACK_DEBIAN_COMPRESSION_TYPE=zstd \
  -D CPACK_DEBIAN_RTL_PACKAGE_SHLIBDEPS=OFF)
root=$folder/root
mkdir -p "$root"/var/lib/dpkg/{updates,info,triggers} "$root/etc"
touch "$root"/var/lib/dpkg/{status,available}
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(fakeroot)
quietly "${as_root[@]}" dpkg --root="$root" --log=/dev/null --path-include='/usr/share/*' \
  --force-depends,not-root,bad-path --install "$folder"/debs/*.deb
packages=(odonata odonata-rtl libodonata-dev odonata-doc)
[ ! -d "$2/python/odonata" ] || packages+=(python3-odonata)
for name in "${packages[@]}"; do
  [ "$(dpkg-query --admindir="$root/var/lib/dpkg" -W -f='${Status}' "$name")" = "install ok installed" ]
  [ -f "$root/usr/share/doc/$name/copyright" ]
done
usr=$root/usr
for file in lib/libodonata_cosim.a include/odonata_device.h include/odonata/tb/units.h \
  share/odonata/rtl/route_compute/route_compute.sv share/doc/odonata/LICENSE share/doc/odonata/docs/tutorial.md \
  share/man/man1/odonata.1 lib/odonata/rtl/route_compute_tiny.so; do
  [ -f "$usr/$file" ] || { echo "$file is in no package"; exit 1; }
done
grep -q '^.TH ODONATA 1' "$usr/share/man/man1/odonata.1"
bash -c "source '$usr/share/bash-completion/completions/odonata'
  COMP_WORDS=(odonata cosim --siz) COMP_CWORD=2; _odonata; [ \"\${COMPREPLY[0]}\" = --size ]"

# ---- From here on only what was installed is used, in a folder of its own; rtl and docs are where the pages' commands
# expect them.
export PATH=$usr/bin:$PATH ODONATA="$usr/bin/odonata"
mkdir -p "$folder/bench/out"
ln -s "$usr/share/odonata/rtl" "$folder/bench/rtl"
ln -s "$usr/share/doc/odonata/docs" "$folder/bench/docs"
cd "$folder/bench"
examples=docs/examples

# The program, with the Verilated RTL of the package.
(cd / && expect 0 "calling init: $usr/.*lib/odonata/rtl/pcs_transport" env LD_DEBUG=files \
  odonata cosim --block pcs_transport --size tiny --traffic corner --transactions 1000)

# C++ and TLM by CMake; the lockstep by pkg-config, with the RTL of the package.
for example in routing topology tlm; do
  quietly cmake -S $examples/$example -B "$folder/$example" -DCMAKE_PREFIX_PATH="$usr"
  quietly cmake --build "$folder/$example"
done
export PKG_CONFIG_PATH=$usr/lib/pkgconfig
quietly g++ $(pkg-config --cflags odonata) $examples/lockstep/main.cpp -o "$folder/lockstep" \
  $(pkg-config --libs odonata)
ODONATA_RTL_DIR=$usr/lib/odonata/rtl expect 0 '^10000 frames compared, pass$' "$folder/lockstep" rtl
expect 0 '^yx: accepted.*nothing lost$' "$folder/routing/routing"
quietly g++ "$(find "$folder/routing" -name main.cpp.o)" -o "$folder/yx" $(pkg-config --libs odonata)
expect 0 '^yx: accepted.*nothing lost$' "$folder/yx"
expect 0 '^ring of 16 at load 0.20: accepted 0.20.*nothing lost$' "$folder/topology/ring"
expect 2 "^ring: topology 'rings:4' is unknown, expected .*ring:N" "$folder/topology/ring" rings:4
expect 0 'the golden unit agrees$' "$folder/tlm/tlm"
[ "$(grep -c 'the golden unit agrees$' "$folder/log")" -eq 8 ] || { cat "$folder/log"; exit 1; }

# A device in C; RTL of one's own, from another folder, with the sources of the package.
quietly cc -shared -fPIC -I "$usr/include" $examples/own_device.c -o out/own_pcs.so
expect 0 'compared' odonata cosim --block pcs_transport --size tiny --traffic corner --transactions 5000 \
  --device-lib out/own_pcs.so
(cd / && quietly odonata wrap --size tiny --top rc_five --files "$folder/bench/$examples/own_rtl/five.f" \
  -o "$folder/bench/out/rc_five.so")
five="--size tiny --device-lib out/rc_five.so"
for latency in 5 auto; do
  expect 0 'compared' odonata cosim $five --traffic corner --transactions 20000 --latency $latency
done
expect 1 'Mismatch' odonata cosim $five --traffic corner --transactions 20000
expect 1 'latency' odonata pipeline $five --requests 2000
sed -n '/^# five.toml/,/^```/p' $examples/own_rtl.md | sed '/^```/d' >five.toml
expect 0 'pass' odonata pipeline $five --requests 2000 --expect five.toml
expect 2 'answers after 5 cycles and takes a request every 1; routers and engine are built for 4 and 1' \
  odonata crosscheck --load 0.2 --cycles 100 --device-lib out/rc_five.so

# Vectors in iverilog, as their page says.
quietly odonata vectors --block credit_monitor --traffic corner --cycles 2000 --out out/vectors
(cd out/vectors &&
  quietly iverilog -g2012 -s replay -o replay replay.sv $(sed 's#^#../../#' ../../rtl/congestion/congestion.f) &&
  expect 0 '^PASS' vvp replay)
expect 0 'pass$' odonata vectors --check out/vectors/result.hex

# A network of one's own; a bench with DPI.
expect 0 'conservation  *ok' odonata net --topology $examples/topology/two_rows.json --load 0.1 --depth 32 \
  --warmup 500 --cycles 2000
[ ! -f "$usr/lib/libodonata_dpi.so" ] ||
  "$1/sim/dpi/dpi_test.sh" "$folder/bench" "$usr/share/odonata/dpi" "$usr/lib/libodonata_dpi.so"

# Python.
[ -d "$2/python/odonata" ] || exit 0
export PYTHONPATH=$usr/lib/python3/dist-packages PYTHONDONTWRITEBYTECODE=1
expect 0 '^500 cycles compared, pass$' /usr/bin/python3 $examples/cocotb_like.py
quietly /usr/bin/python3 $examples/plot.py out/curve.svg
grep -q '<svg' out/curve.svg
expect 0 "^pass $usr" /usr/bin/python3 -c '
import odonata
five = odonata.Cosim("route_compute", device_lib="out/rc_five.so", latency=5)
print(five.run(transactions=2000, traffic="corner")["verdict"], odonata.__file__)'
