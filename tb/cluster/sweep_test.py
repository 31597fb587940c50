#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`odonata sweep` as jobs: sweep_test.py PROGRAM stub|slurm. Exit code 77: skipped, with the reason."""
import fcntl
import json
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from one_node import OneNode  # noqa: E402
from stub import Stub  # noqa: E402

PROGRAM, SCHEDULER = str(pathlib.Path(sys.argv[1]).resolve()), sys.argv[2]
SWEEP = """title = "test"
[net]
size = "tiny"
warmup = 1000
cycles = 1000
traffic = "adv+1"
[[part]]
[part.vary]
routing = ["min", "val"]
load = [0.05, 0.1]
[[part]]
saturation = { low = 0.05, high = 0.3, step = 0.05 }
[part.net]
routing = "min"
[[part]]
[part.net]
cycles = CYCLES
routing = "doar"
load = 0.3
[part.slurm]
ranks = RANKS
"""


class ClusterTest(unittest.TestCase):
    scheduler = None

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="odonata-cluster."))
        self.addCleanup(shutil.rmtree, self.folder)
        self.toml = self.folder / "s.toml"
        self.text(20000, 1)

    def text(self, cycles, ranks):
        self.toml.write_text(SWEEP.replace("CYCLES", str(cycles)).replace("RANKS", str(ranks)))

    def odonata(self, *words, code=0):
        done = subprocess.run(
            [PROGRAM, "sweep", *map(str, words)], env=self.scheduler.environment, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def refused(self, *words):
        out, err = self.odonata(*words, code=2)
        self.assertEqual((out, err.count("\n")), ("", 1), out + err)
        self.assertTrue(err.startswith("odonata: error: "), err)
        return err

    def submit(self, *words):
        out, _ = self.odonata(self.toml, "--slurm", "--task-time", 0, "--out", self.folder / "o", *words)
        return re.search(r"tasks 0\.\.(\d+) as ([\d, ]+), then the merge (\d+)", out).groups()

    def finished(self):
        self.scheduler.wait(lambda: not self.scheduler.jobs(), "an empty queue")

    def result(self, name="o.json"):
        return json.loads((self.folder / name).read_text())

    def without_scheduler(self):
        if SCHEDULER == "slurm":
            self.skipTest("needs no scheduler: with the stub")

    def plain(self):
        """The same sweep by one process."""
        self.odonata(self.toml, "--out", self.folder / "plain")
        return (self.folder / "plain.csv").read_text()

    def test_tasks_and_merge_find_what_one_process_finds(self):
        last, _, _ = self.submit()
        self.assertEqual(int(last), 5)  # four runs, a search, a run
        self.finished()
        self.assertEqual(self.result()["verdict"], "pass")
        self.assertEqual((self.folder / "o.csv").read_text(), self.plain())
        _, err = self.odonata(self.toml, "--slurm", "--out", self.folder / "o")
        self.assertIn("nothing is left to run", err)

    def test_a_failing_task_is_told_and_submitted_again(self):
        (self.folder / "o.d").mkdir()
        part = self.folder / "o.d" / "task-1.jsonl"
        with open(part, "w") as writer:
            fcntl.flock(writer, fcntl.LOCK_EX)  # the task finds another writer at its file
            self.submit("--array-max", 3)
            self.finished()
        self.assertEqual(self.result()["verdict"], "fail")
        self.assertEqual((self.folder / "o.d" / "task-1.exit").read_text(), "2\n")
        out, _ = self.odonata("--plan", self.folder / "o.d" / "plan.json", "--merge", code=1)
        self.assertRegex(out, r"task 1: \d of \d curves without a result; exit code 2\n")
        known = len((self.folder / "o.jsonl").read_text().splitlines())
        self.assertGreater(known, 0)
        self.submit()  # only what is missing
        plan = json.loads((self.folder / "o.d" / "plan.json").read_text())
        self.assertLess(sum(len(t["curves"]) for t in plan["tasks"]), 6)
        self.finished()
        self.assertEqual(self.result()["verdict"], "pass")
        self.assertEqual((self.folder / "o.csv").read_text(), self.plain())

    def test_slurm_starts_a_requeued_task_again(self):
        if SCHEDULER == "stub":
            self.skipTest("a stub requeues nothing")
        self.text(400000, 1)
        _, arrays, _ = self.submit()
        longest = arrays.split(",")[0] + "_0"
        self.scheduler.wait(lambda: f"{longest} RUNNING" in self.scheduler.jobs(), "the long task runs")
        self.scheduler.run("scontrol", "requeue", longest)
        self.scheduler.wait(lambda: f"{longest} PENDING" in self.scheduler.jobs(), "the long task waits again")
        self.assertIn("are still in the queue", self.refused(self.toml, "--slurm", "--out", self.folder / "o"))
        self.finished()
        self.assertIn("DUE TO JOB REQUEUE", (self.folder / "o.d" / "task-0.log").read_text())
        self.assertEqual((self.folder / "o.d" / "task-0.exit").read_text(), "0\n")
        self.assertEqual(self.result()["verdict"], "pass")

    def test_what_sbatch_is_told(self):
        self.without_scheduler()
        calls = self.scheduler.folder / "calls"
        calls.unlink(missing_ok=True)
        self.text(1000, 4)
        self.submit("--jobs", 3, "--sbatch", "--partition=long --time=10")
        array, ranks, merge = [json.loads(line) for line in calls.read_text().splitlines()]
        for word in (
            "--parsable",
            "--array=0-4%3",
            "--ntasks=1",
            "--requeue",
            "--open-mode=append",
            "--partition=long",
            "--time=10",
        ):
            self.assertIn(word, array)
        self.assertIn("--array=5-5%3", ranks)
        self.assertIn("--ntasks=4", ranks)
        self.assertIn("--dependency=afterany:1:2", merge)
        self.assertIn("--partition=long", merge)

    def test_tasks_for_another_scheduler(self):
        self.without_scheduler()
        out, _ = self.odonata(self.toml, "--print-tasks", "--task-time", 0, "--out", self.folder / "o")
        tasks = out.splitlines()
        self.assertEqual(len(tasks), 6)
        for task in reversed(tasks):  # in any order
            subprocess.run(task, shell=True, check=True)
        self.odonata("--plan", self.folder / "o.d" / "plan.json", "--merge")
        self.assertEqual((self.folder / "o.csv").read_text(), self.plain())
        self.text(20000, 2)  # tasks of one process and of two: together no more than was said
        out, _ = self.odonata(self.toml, "--print-tasks", "--array-max", 2, "--out", self.folder / "p")
        self.assertEqual(len(out.splitlines()), 2)

    def test_tasks_and_merge_find_relative_files_from_anywhere(self):
        self.without_scheduler()
        graph = {"switches": ["a", "b"], "links": [{"between": ["a", "b"]}]}
        graph["nodes"] = [{"name": f"n{n}", "switch": s} for n, s in enumerate("ab")]
        (self.folder / "g.json").write_text(json.dumps(graph))
        (self.folder / "q.toml").write_text(
            '[net]\ntopology = "g.json"\nwarmup = 50\ncycles = 200\n[[part]]\n[part.vary]\nload = [0.1, 0.3]\n'
        )
        words = [PROGRAM, "sweep", "q.toml", "--print-tasks", "--task-time", "0", "--out", "o"]
        tasks = subprocess.run(words, cwd=self.folder, capture_output=True, text=True, check=True).stdout.splitlines()
        self.assertEqual(len(tasks), 2)
        for task in tasks:
            subprocess.run(task, shell=True, check=True, cwd="/")
        subprocess.run(["sh", self.folder / "o.d" / "merge.sh"], check=True, cwd="/")
        self.assertEqual(len(self.result()["points"]), 2)

    def test_no_more_tasks_than_an_array_has(self):
        self.without_scheduler()
        part = "[[part]]\nslurm = {{ ranks = {0} }}\n[part.vary]\nseed = [{0}1, {0}2, {0}3, {0}4, {0}5, {0}6]\n"
        toml = self.folder / "ranks.toml"
        toml.write_text('[net]\nsize = "tiny"\nwarmup = 200\ncycles = 1000\n' + "".join(map(part.format, (1, 2, 4))))
        for most in range(3, 10):
            out, _ = self.odonata(
                toml, "--print-tasks", "--array-max", most, "--task-time", 0, "--out", self.folder / f"m{most}"
            )
            self.assertLessEqual(len(out.splitlines()), most)
        err = self.refused(toml, "--print-tasks", "--array-max", 2, "--out", self.folder / "m2")
        self.assertIn("--array-max", err)

    def test_other_results_other_builds_and_wrong_plans_are_refused(self):
        self.without_scheduler()
        out, _ = self.odonata(
            self.toml, "--print-tasks", "--array-max", 2, "--task-time", 0, "--out", self.folder / "o"
        )
        for task in out.splitlines():
            subprocess.run(task, shell=True, check=True)
        folder = self.folder / "o.d"
        plan = folder / "plan.json"
        good = (folder / "task-0.jsonl").read_text()
        # the same run with another result, and a right checksum
        first = json.loads(good.splitlines()[0])
        first["result"]["digest"] = "0000000000000000"
        body = json.dumps({k: v for k, v in first.items() if k != "sum"}, separators=(",", ":"), ensure_ascii=False)
        total = 0xCBF29CE484222325
        for byte in body.encode():
            total = ((total ^ byte) * 0x100000001B3) % 2**64
        (folder / "task-7.jsonl").write_text(f'{{"sum":"{total:016x}",' + body[1:] + "\n")
        err = self.refused("--plan", plan, "--merge")
        self.assertIn("task-7.jsonl': other results than known of the same run", err)
        self.assertEqual((self.folder / "o.jsonl").read_text(), "")  # nothing was taken
        (folder / "task-7.jsonl").unlink()
        # damaged lines are passed over and counted
        (folder / "task-0.jsonl").write_text(good + good[:100] + "\n")
        _, err = self.odonata("--plan", plan, "--merge")
        self.assertIn("1 damaged lines passed over", err)
        # another build
        other = json.loads(plan.read_text())
        other["build"] = "0.0.1 (commit 0) 00000000"
        plan.write_text(json.dumps(other))
        self.assertIn(
            "made for another program, '0.0.1 (commit 0) 00000000'", self.refused("--plan", plan, "--task", 0)
        )
        self.assertIn("made for another program", self.refused("--plan", plan, "--merge"))
        plan.write_text("{}")
        self.assertIn("not a plan", self.refused("--plan", plan, "--merge"))
        self.assertIn("expected --task N or --merge", self.refused("--plan", plan))
        self.assertIn("of which --plan?", self.refused(self.toml, "--merge"))
        self.assertIn("FILE is missing", self.refused())
        self.assertIn("cannot be read", self.refused("--plan", self.folder / "none.json", "--merge"))

    def test_the_commands_of_the_page(self):
        """docs/cluster.md, block by block, each when the queue is empty; GNU parallel only where it is installed."""
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text()
        (self.folder / "my.toml").write_text(re.search(r"```toml\n(.*?)```", page, re.S)[1])
        (self.folder / "two.json").write_text(re.search(r"```json\n(.*?)```", page, re.S)[1])
        (self.folder / "bin").mkdir()
        (self.folder / "bin" / "odonata").symlink_to(PROGRAM)
        environment = dict(self.scheduler.environment, PATH=f"{self.folder}/bin:{self.scheduler.environment['PATH']}")
        commands = 0
        for block in re.findall(r"```sh\n(.*?)```", page, re.S):
            for command in re.findall(r"^\$ (.*)$", block, re.M):
                if command.startswith("parallel ") and not shutil.which("parallel"):
                    command = "sh tasks"
                done = subprocess.run(
                    command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True
                )
                self.assertEqual(done.returncode, 0, command + "\n" + done.stdout + done.stderr)
                commands += 1
            self.finished()
        self.assertGreater(commands, 8)
        for name in ("out/two.csv", "out/parallel.csv"):
            self.assertEqual((self.folder / name).read_text(), (self.folder / "out" / "my.csv").read_text())
        self.assertEqual(json.loads((self.folder / "out" / "study.json").read_text())["verdict"], "pass")
        self.assertIn("left right", (self.folder / "out" / "two-jobs.d" / "merge.log").read_text())

    def jobs(self, *words, code=0):
        done = subprocess.run(
            [PROGRAM, *map(str, words)], cwd=self.folder, env=self.scheduler.environment, capture_output=True, text=True
        )
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_a_study_in_parts_is_the_study(self):
        words = ["fault-study", "--size", "tiny", "--class", "local,router", "--samples", "100", "--poll-width", "1,4"]
        self.jobs(*words, "--json", "whole.json")
        self.jobs(*words, "--json", "parts.json", "--store", "s.jsonl", "--slurm", "--array-max", "3")
        self.finished()
        whole, parts = (json.loads((self.folder / name).read_text()) for name in ("whole.json", "parts.json"))
        for key in ("classes", "designs"):
            self.assertEqual(parts[key], whole[key])
        self.assertEqual(len(list((self.folder / "s_jobs.d").glob("task-*.jsonl"))), 3)
        self.assertIn(
            "nothing is left to run",
            self.jobs(*words, "--json", "parts.json", "--store", "s.jsonl", "--slurm", "--array-max", "3"),
        )

        planned = self.jobs(*words, "--store", "s3.jsonl", "--print-tasks", "--array-max", "3")
        self.assertIn("3 of 3 jobs to run, in 3 tasks", planned)  # no more parts than tasks

    def test_jobs_that_fail_are_told_and_run_again(self):
        self.without_scheduler()
        script = self.folder / "job.py"
        script.write_text(
            "import json, os, sys\nif os.path.exists('stop') and sys.argv[1] == '1':\n    sys.exit('no')\n"
            "print(sys.argv[1], file=open('ran', 'a'))\njson.dump({'n': int(sys.argv[1])}, open(sys.argv[2], 'w'))\n"
        )
        judge = (
            "import json; found = [j['result']['n'] for j in json.load(open('{results}'))]; print(found); raise "
            "SystemExit(found != [0, 1, 2])"
        )
        commands = [[sys.executable, str(script), str(n), "{result}"] for n in range(3)]
        names = [{"name": f"n{n}", "work": n + 1, "command": words} for n, words in enumerate(commands)]
        (self.folder / "list.json").write_text(
            json.dumps({"out": "o", "jobs": names, "merge": [sys.executable, "-c", judge]})
        )
        (self.folder / "stop").touch()
        self.jobs("jobs", "list.json", "--slurm", "--task-time", 0)
        self.finished()
        self.assertIn("job n1: no result; exit code 1", (self.folder / "o.d" / "merge.log").read_text())
        self.assertEqual(sorted((self.folder / "ran").read_text().split()), ["0", "2"])
        (self.folder / "stop").unlink()
        self.jobs("jobs", "list.json", "--slurm")  # only what is missing
        self.finished()
        self.assertIn("[0, 1, 2]", (self.folder / "o.d" / "merge.log").read_text())
        self.assertEqual(sorted((self.folder / "ran").read_text().split()), ["0", "1", "2"])
        self.assertIn("[0, 1, 2]", self.jobs("jobs", "list.json"))  # nothing is left: the merge alone
        commands[2].append("otherwise")
        (self.folder / "list.json").write_text(
            json.dumps({"out": "o", "jobs": names, "merge": [sys.executable, "-c", judge]})
        )
        leaves = [sys.executable, "-c", "import sys; open(sys.argv[1], 'w').write('{}')", "{result}"]
        killed = {"out": "k", "jobs": [{"name": "a", "command": leaves}], "merge": ["sh", "-c", "kill -TERM $$"]}
        (self.folder / "killed.json").write_text(json.dumps(killed))
        self.jobs("jobs", "killed.json", code=128 + 15)  # a judge that was killed has not said that all is well
        self.jobs("jobs", "list.json")  # a job whose command has changed is another one
        self.assertEqual(sorted((self.folder / "ran").read_text().split()), ["0", "1", "2", "2"])
        for text, words in (
            ("{}", "not a list of jobs: there is no 'out'"),
            ("5", "not a list of jobs: there is no 'out'"),
            ('{"out": "o", "jobs": []}', "not a list of jobs: there is no 'merge'"),
            ('{"out": "o", "jobs": [{"command": ["b"]}], "merge": ["true"]}', "not a list of jobs, expected out, jobs"),
            ('{"out": "o", "jobs": [], "merge": ["true"]}', "out, jobs or merge is empty"),
            ('{"out": "o", "jobs": [{"name": "a", "command": []}], "merge": ["true"]}', "job 'a' has no command"),
            ('{"out": "o", "jobs": [{"name": "", "command": ["b"]}], "merge": ["true"]}', "a job has an empty name"),
            (
                '{"out": "o", "jobs": [{"name": "a", "work": -1, "command": ["b"]}], "merge": ["true"]}',
                "job 'a' has a work of less than 0",
            ),
            (
                '{"out": "o", "jobs": [{"name": "a", "hours": 1, "command": ["b"]}], "merge": ["true"]}',
                "key 'hours' is unknown, expected one of name, work, command",
            ),
        ):
            (self.folder / "bad.json").write_text(text)
            self.assertIn(words, self.jobs("jobs", "bad.json", code=2))
        passing = {"name": "a", "command": ["sh", "-c", "echo {} >$0", "{result}"]}
        (self.folder / "code.json").write_text(
            json.dumps({"out": "c", "jobs": [passing], "merge": ["sh", "-c", "exit 3"]})
        )
        self.jobs("jobs", "code.json", code=3)  # that of the merge
        failing = {"name": "a", "command": ["sh", "-c", "exit 3"]}
        (self.folder / "old.json").write_text(json.dumps({"out": "old", "jobs": [failing], "merge": ["true"]}))
        (self.folder / "old.d").mkdir()
        (self.folder / "old.d" / "job-0.json").write_text('{"verdict": "pass"}')
        self.jobs("jobs", "old.json", code=1)  # what another run left is no result of this one
        self.assertIn("expected --store FILE", self.jobs("fault-study", "--size", "tiny", "--slurm", code=2))
        self.assertIn("--part 3/2", self.jobs("fault-study", "--size", "tiny", "--part", "3/2", code=2))

    def test_who_ends_a_list_of_jobs_ends_the_job_that_runs_and_keeps_what_was_found(self):
        self.without_scheduler()
        quick = ["sh", "-c", "echo quick >>ran; echo {} >$0", "{result}"]
        # Told to end it has written a result, as interrupted runs have; that is none.
        end = "[ -e go ] && exit 0"
        ways = {
            "in order": f"{end}; sleep 100 & trap 'kill $!; exit 130' TERM; echo slow >>ran; wait",
            "as a failure": f"{end}; sleep 100 & trap 'kill $!; exit 1' TERM; echo slow >>ran; wait",
            "at once": f"{end}; echo slow >>ran; exec sleep 100",
            "before it is told": f"{end}; echo slow >>ran; sleep 100",
        }
        for way, script in ways.items():
            with self.subTest(way):
                for name in ("ran", "go", "o.jsonl"):
                    (self.folder / name).unlink(missing_ok=True)
                shutil.rmtree(self.folder / "o.d", ignore_errors=True)
                self.interrupt_jobs(quick, ["sh", "-c", "echo {} >$0; " + script, "{result}"])

    def interrupt_jobs(self, quick, slow):
        jobs = [{"name": "quick", "work": 2, "command": quick}, {"name": "slow", "work": 1, "command": slow}]
        (self.folder / "list.json").write_text(json.dumps({"out": "o", "jobs": jobs, "merge": ["true"]}))
        ran = self.folder / "ran"
        with subprocess.Popen(
            [PROGRAM, "jobs", "list.json"],
            cwd=self.folder,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        ) as running:
            while not ran.exists() or "slow" not in ran.read_text():
                self.assertIsNone(running.poll())
                time.sleep(0.02)
            running.send_signal(signal.SIGINT)
            said = running.communicate(timeout=60)[0].decode()
        self.assertEqual(running.returncode, 130, said)
        self.assertRegex(said, r"slow: exit code (1|130|143); no result")
        (self.folder / "go").touch()
        self.assertIn("1 of 2 jobs to run", self.jobs("jobs", "list.json"))
        self.assertEqual(ran.read_text().split(), ["quick", "slow"])

    def two_jobs(self):
        """One task: a job that leaves no result, then a good one."""
        commands = [["sh", "-c", "exit 1"], ["sh", "-c", "echo {} >$0", "{result}"]]
        names = [{"name": f"n{n}", "work": 2 - n, "command": words} for n, words in enumerate(commands)]
        (self.folder / "two.json").write_text(json.dumps({"out": "t", "jobs": names, "merge": ["true"]}))
        self.jobs("jobs", "two.json", "--print-tasks", "--array-max", 1)
        return "jobs", "--plan", self.folder / "t.d" / "plan.json"

    def test_a_queue_that_cannot_be_asked_is_not_empty(self):
        """Jobs of the last submission may be in it still."""
        self.without_scheduler()
        self.two_jobs()
        tools = self.folder / "tools"
        tools.mkdir()
        for name, text in ("sbatch", "echo 7"), ("squeue", "echo Unable to contact slurm controller >&2; exit 1"):
            (tools / name).write_text(f"#!/bin/sh\n{text}\n")
            (tools / name).chmod(0o755)
        environment = dict(self.scheduler.environment, PATH=f"{tools}:{self.scheduler.environment['PATH']}")
        words = [PROGRAM, "jobs", "two.json", "--slurm"]
        first, second = (
            subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True) for _ in range(2)
        )
        self.assertEqual((first.returncode, second.returncode), (0, 2), first.stderr + second.stdout)
        self.assertIn("squeue: exit code 1: Unable to contact slurm controller", second.stderr)

    def test_a_task_fails_when_any_of_its_jobs_has_left_no_result(self):
        self.without_scheduler()
        plan = self.two_jobs()
        text = self.jobs(*plan, "--task", 0, code=1)
        self.assertRegex(text, "(?s)n0: exit code 1; no result.*n1: exit code 0\n")
        self.assertIn("n0: exit code 1; no result", self.jobs(*plan, "--task", 0, code=1))  # n1 is known, n0 still not
        merged = self.jobs(*plan, "--merge", code=1)
        self.assertRegex(merged, "job n0: no result; exit code 1, see .*t.d/job-0.log\n")
        self.two_jobs()
        self.assertIn("job n0: no result; it did not end\n", self.jobs(*plan, "--merge", code=1))

    def test_a_new_plan_forgets_how_tasks_have_ended(self):
        self.without_scheduler()
        plan = self.two_jobs()
        (self.folder / "t.d" / "task-0.exit").write_text("7\n")
        self.assertIn("job n0: no result; exit code 7\n", self.jobs(*plan, "--merge", code=1))
        self.two_jobs()
        self.assertIn("job n0: no result; it did not end\n", self.jobs(*plan, "--merge", code=1))

    def test_a_study_whose_file_says_that_it_is_of_tasks(self):
        """Its tasks and its merge have the same file, and hand out no more."""
        self.without_scheduler()
        (self.folder / "study.toml").write_text(
            'size = "tiny"\nclass = ["local"]\nsamples = 100\nstore = "s.jsonl"\njson = "s.json"\nprint-tasks = true\n'
        )
        study = ("fault-study", "--config", "study.toml")
        tasks = [line.split() for line in self.jobs(*study).splitlines() if line.startswith("sh ")]
        self.assertGreater(len(tasks), 1)
        for words in tasks:
            subprocess.run(words, cwd=self.folder, check=True, capture_output=True)
        self.jobs("jobs", "--plan", "s_jobs.d/plan.json", "--merge")
        merged = json.loads((self.folder / "s.json").read_text())
        self.jobs("fault-study", "--size", "tiny", "--class", "local", "--samples", 100, "--json", "alone.json")
        self.assertEqual(merged["classes"], json.loads((self.folder / "alone.json").read_text())["classes"])

    def test_a_task_of_a_study_has_the_other_words_as_they_are(self):
        """Its own options are left out with their values, however these are written."""
        self.without_scheduler()
        for store in (("--store=s.jsonl",), ("--store", "s.jsonl")):
            self.jobs("fault-study", "--size", "tiny", *store, "--samples", 100, "--print-tasks", "--seed=5")
            plan = json.loads((self.folder / "s_jobs.d" / "plan.json").read_text())
            self.assertGreater(len(plan["list"]["jobs"]), 1)
            for job in plan["list"]["jobs"]:
                words = " ".join(job["command"])
                self.assertIn("fault-study --size tiny --samples 100 --seed=5 --part ", words)
                self.assertNotIn("s.jsonl", words)

    def test_soaks_and_mutants_as_jobs(self):
        """The scripts of the harness: two short soaks, and what the jobs of a mutation campaign would have left."""
        self.without_scheduler()
        root = pathlib.Path(__file__).resolve().parents[2]
        table = self.folder / "soak.toml"
        table.write_text(
            '[[run]]\nblock = "credit_monitor"\nsizes = ["paper"]\ntraffic = "ur"\ntransactions = 300\n'
            '[[run]]\nblock = "bitmap_sender"\nsizes = ["paper"]\ntraffic = "ur"\ntransactions = 200\n'
        )
        done = subprocess.run(
            [
                sys.executable,
                root / "tb/harness/soak.py",
                PROGRAM,
                "--table",
                table,
                "--record",
                self.folder / "soak.csv",
                "--out",
                self.folder / "soak",
                "--slurm",
            ],
            env=self.scheduler.environment,
            capture_output=True,
            text=True,
            cwd=root,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.finished()
        log = (self.folder / "soak" / "1.soak.d" / "merge.log").read_text()
        self.assertRegex(log, r"\[1/2\] seed 1: credit_monitor paper, 300 transactions, \d+ cycles: pass")
        record = (self.folder / "soak.csv").read_text().splitlines()
        self.assertEqual([line.split(",")[1] for line in record], ["block", "credit_monitor", "bitmap_sender"])
        # What the units' jobs would have left is judged as one campaign.
        kind = {"mutants": 10, "killed": 9, "preset": 0, "equivalent": 1, "open": 0}
        found = [{"name": n, "exit": 0, "result": {"survivors": [], "by_kind": {n: kind}}} for n in ("left", "right")]
        (self.folder / "found.json").write_text(json.dumps(found))
        done = subprocess.run(
            [
                sys.executable,
                root / "tb/harness/mutate.py",
                "congestion",
                "--results",
                self.folder / "found.json",
                "--json",
                self.folder / "mutants.json",
            ],
            capture_output=True,
            text=True,
            cwd=root,
        )
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(json.loads((self.folder / "mutants.json").read_text())["killed"], 18)

    def test_a_scheduler_that_cannot_be_reached_is_one_line(self):
        environment = self.scheduler.environment
        bad = self.folder / "bin"
        bad.mkdir()
        (bad / "sbatch").write_text("#!/bin/sh\necho 'sbatch: error: Unable to contact slurm controller' >&2\nexit 1\n")
        (bad / "sbatch").chmod(0o755)
        try:
            type(self).scheduler.environment = dict(environment, PATH=f"{bad}:{environment['PATH']}")
            self.assertIn(
                "Unable to contact slurm controller",
                self.refused_last(self.toml, "--slurm", "--out", self.folder / "o"),
            )
            type(self).scheduler.environment = dict(environment, PATH=str(self.folder))
            self.assertIn("Slurm is not installed here", self.refused(self.toml, "--slurm", "--out", self.folder / "n"))
            self.assertEqual(list(self.folder.glob("n*")), [])
        finally:
            type(self).scheduler.environment = environment

    def refused_last(self, *words):
        """As refused(), behind the estimate."""
        out, err = self.odonata(*words, code=2)
        self.assertEqual((out, err.count("\n")), ("", 2), out + err)
        return err.splitlines()[-1]


if __name__ == "__main__":
    if SCHEDULER == "slurm" and (reason := OneNode.why_not()):
        print(f"skipped: Slurm cannot run here: {reason}; the stub test (cluster_stub) stands in for it")
        sys.exit(77)
    with tempfile.TemporaryDirectory(prefix="odonata-slurm.") as scratch:
        with (OneNode if SCHEDULER == "slurm" else Stub)(pathlib.Path(scratch) / "s") as scheduler:
            ClusterTest.scheduler = scheduler
            result = unittest.main(argv=sys.argv[:1], exit=False, verbosity=2).result
    sys.exit(0 if result.wasSuccessful() else 1)
