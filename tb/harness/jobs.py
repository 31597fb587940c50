# SPDX-License-Identifier: Apache-2.0
"""Work of the harness as tasks on many machines: a list of jobs for `odonata jobs` (docs/cluster.md)."""
import json
import subprocess

FLAGS, VALUES = ("slurm", "print_tasks"), ("sbatch", "array_max", "task_time")


def add_options(parser):
    group = parser.add_argument_group("cluster (docs/cluster.md)")
    group.add_argument("--slurm", action="store_true", help="as job arrays of Slurm; the last job judges")
    group.add_argument("--print-tasks", action="store_true", help="print a command a task for another scheduler")
    group.add_argument("--sbatch", metavar="WORDS", help="options for sbatch")
    group.add_argument("--array-max", metavar="N", help="at most so many tasks")
    group.add_argument("--task-time", metavar="SECONDS", help="of processor time that a task is packed to")


def wanted(options):
    return options.slurm or options.print_tasks


def hand_out(program, prefix, jobs, merge, options):
    """Writes PREFIX.jobs.json and hands it to `odonata jobs`; its exit code. A job: name, work (seconds, about),
    command with the word {result}."""
    prefix.parent.mkdir(parents=True, exist_ok=True)
    path = prefix.with_name(prefix.name + ".jobs.json")
    path.write_text(json.dumps({"out": str(prefix), "jobs": jobs, "merge": [str(word) for word in merge]}, indent=1))
    words = ["--" + name.replace("_", "-") for name in FLAGS if getattr(options, name)]
    for name in VALUES:
        if (value := getattr(options, name)) is not None:
            words += ["--" + name.replace("_", "-"), value]
    return subprocess.run([program, "jobs", path, *words]).returncode
