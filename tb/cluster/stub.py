# SPDX-License-Identifier: Apache-2.0
"""Where Slurm cannot run: sbatch that runs a script's tasks at once, one after the other,
and squeue of an empty queue. They note their words."""
import os
import pathlib

SBATCH = """#!/usr/bin/env python3
import json, os, pathlib, re, subprocess, sys
here = pathlib.Path(__file__).resolve().parent
with open(here / "calls", "a") as calls:
    calls.write(json.dumps(sys.argv[1:]) + "\\n")
number = sum(1 for _ in open(here / "calls"))
array = [w for w in sys.argv if w.startswith("--array=")]
first, last = map(int, re.match("--array=([0-9]+)-([0-9]+)", array[0]).groups()) if array else (0, 0)
output = [w for w in sys.argv if w.startswith("--output=")][0][len("--output="):]
for task in range(first, last + 1):
    with open(output.replace("%a", str(task)), "a") as log:
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(task)) if array else None
        subprocess.run(["sh", sys.argv[-1]], env=environment, stdout=log, stderr=log)
print("what a plugin of the site says before the number")
print(number)
"""


class Stub:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, PATH=f"{self.folder}:{os.environ['PATH']}")

    def __enter__(self):
        self.folder.mkdir(parents=True)
        for name, text in {"sbatch": SBATCH, "squeue": "#!/bin/sh\nexit 0\n", "sinfo": "#!/bin/sh\nexit 0\n"}.items():
            path = self.folder / name
            path.write_text(text)
            path.chmod(0o755)
        return self

    def jobs(self):
        return []

    def wait(self, condition, what, seconds=0):
        if not condition():
            raise RuntimeError(what)

    def __exit__(self, *_):
        pass
