#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./dev, when it is killed, ends what it has started: here a script in the place of tb/harness/area.py with a child of
# its own.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cp "$1/dev" "$folder/dev"
mkdir -p "$folder/tb/harness"
cat >"$folder/tb/harness/area.py" <<'TEXT'
#!/usr/bin/env bash
sleep 1000 &
echo $! $$ >started.part && mv started.part started
sleep 1000
TEXT
chmod +x "$folder/tb/harness/area.py"

"$folder/dev" area &
dev=$!
while [ ! -f "$folder/started" ]; do sleep 0.1; done
kill "$dev"
code=0
wait "$dev" || code=$?
[ "$code" -eq 143 ] || { echo "exit code $code, expected 143"; exit 1; }
for process in $(cat "$folder/started"); do
  for _ in $(seq 100); do
    grep -qs '^State:[[:space:]][^Z]' "/proc/$process/status" || continue 2
    sleep 0.1
  done
  echo "process $process is still there"
  kill -9 "$process"
  exit 1
done

# Without a kill: exit code and output are those of the command.
[ "$("$folder/dev" help | head -n 1)" = "./dev COMMAND" ]
code=0
"$folder/dev" nonsense 2>/dev/null || code=$?
[ "$code" -eq 2 ] || { echo "exit code $code, expected 2"; exit 1; }

# setup as an ordinary user on an image without the packages: one call of apt-get through sudo that names them all;
# without sudo it says what to do.
mkdir "$folder/bin"
echo 'echo 1000' >"$folder/bin/id"
echo 'exit 1' >"$folder/bin/dpkg-query"
echo "echo \"apt-get \$*\" >>$folder/calls" >"$folder/bin/apt-get"
echo "echo sudo >>$folder/calls; exec \"\$@\"" >"$folder/bin/sudo"
for tool in id dpkg-query apt-get sudo; do
  sed -i '1i #!/bin/bash' "$folder/bin/$tool"
  chmod +x "$folder/bin/$tool"
done
for tool in bash env dirname basename grep nproc cat rm mktemp; do
  ln -s "$(command -v "$tool")" "$folder/bin/$tool"
done
PATH="$folder/bin" "$folder/dev" setup >/dev/null
[ "$(grep -c sudo "$folder/calls")" -eq 2 ] &&
  grep -q '^apt-get install .* cmake .*verilator.* pybind11-dev' "$folder/calls" || { cat "$folder/calls"; exit 1; }
rm "$folder/bin/sudo"
code=0
said=$(PATH="$folder/bin" "$folder/dev" setup 2>&1) || code=$?
[ "$code" -eq 2 ] && [[ "$said" == *"as root: apt-get install cmake"* ]] || { echo "exit code $code: $said"; exit 1; }
