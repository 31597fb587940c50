#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# ./dev, when it is killed, ends what it has started: here a script in the place of tb/harness/area.py with a child of its own.
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
