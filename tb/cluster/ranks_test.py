#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""One network over the ranks of MPI: ranks_test.py PROGRAM MPIRUN. Exit code 77: skipped, with the reason."""
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

PROGRAM, MPIRUN = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ""
SHORT = "--warmup 500 --cycles 1500 --drain 1000"
# Results that may differ between runs of the same network.
SPEED = (
    "command_line",
    "ranks",
    "exchange",
    "seconds",
    "cpu_seconds",
    "cycles_per_s",
    "flit_hops_per_s",
    "memory_bytes",
)
ENVIRONMENT = dict(
    os.environ,
    OMPI_ALLOW_RUN_AS_ROOT="1",
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1",
    OMPI_MCA_rmaps_base_oversubscribe="1",
    OMPI_MCA_mpi_yield_when_idle="1",
    OMPI_MCA_btl_vader_single_copy_mechanism="none",
)


def children(process):
    """Process numbers below one, of the program."""
    found = []
    for status in pathlib.Path("/proc").glob("[0-9]*/status"):
        try:
            lines = dict(line.split(":\t", 1) for line in status.read_text().splitlines() if ":\t" in line)
        except OSError:
            continue
        if lines.get("PPid", "").strip() == str(process) and lines.get("Name", "").strip() == "odonata":
            found.append(int(status.parent.name))
    return sorted(found)


class RanksTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="odonata-ranks."))
        self.addCleanup(shutil.rmtree, self.folder)

    def command(self, ranks, words):
        return [MPIRUN, "-n", str(ranks), PROGRAM, *words.split()] if ranks else [PROGRAM, *words.split()]

    def run_words(self, ranks, words):
        return subprocess.run(self.command(ranks, words), env=ENVIRONMENT, capture_output=True, text=True, timeout=250)

    def result(self, ranks, words):
        path = self.folder / "r.json"
        path.unlink(missing_ok=True)
        done = self.run_words(ranks, f"{words} --json {path}")
        self.assertEqual(done.returncode, 0, words + "\n" + done.stdout + done.stderr)
        self.assertEqual(done.stdout.count("conservation"), 1, done.stdout)  # rank 0 prints
        out = json.loads(path.read_text())
        self.assertEqual(out["ranks"], ranks or 1)
        if out["ranks"] > 1 and out["exchange"]["imbalance"] is not None:  # null: nobody has measured it
            self.assertTrue(all(one >= 1 for one in out["exchange"]["imbalance"]), out["exchange"])
        return {
            key: value
            for key, value in out.items()
            if key not in SPEED and "command" not in key and key not in ("report", "sections", "headline")
        }

    def refused(self, ranks, words, expected):
        done = self.run_words(ranks, words)
        self.assertEqual(done.returncode, 2, done.stderr)
        ours = [line for line in done.stderr.splitlines() if line.startswith("odonata: ")]
        self.assertEqual(len(ours), 1, done.stderr)
        self.assertIn(expected, ours[0])
        self.assertEqual(done.stdout.replace("-", "").strip().count("odonata"), 0, done.stdout)

    def test_the_result_is_that_of_one_process(self):
        graph = self.folder / "graph.json"
        switches = [{"name": f"s{s}", "domain": s // 3} for s in range(12)]
        nodes = [{"name": f"n{s}", "switch": f"s{s}"} for s in range(12)]
        links = [{"between": [f"s{s}", f"s{s - 2 if s % 3 == 2 else s + 1}"], "latency": 1} for s in range(12)]
        links += [{"between": [f"s{s}", f"s{(s + 4) % 12}"], "latency": 7 + s} for s in range(0, 12, 3)]
        graph.write_text(json.dumps({"name": "rings", "switches": switches, "nodes": nodes, "links": links}))
        for words in (
            f"net --size tiny --traffic adv+1 --load 0.3 --timeline 200 {SHORT}",
            f"net --size tiny --routing ugal_g --traffic adv+1 --load 0.3 {SHORT}",
            f"net --size tiny --load 0.4 --packet 5 --switching wormhole --threads 2 {SHORT}",
            f"net --size tiny --load 0.3 --fail global:G0-G2@600 --repair all --repair-at 1200 --timeline 200 {SHORT}",
            f"net --size tiny --load 0.3 --balance 4 --fail random-links:4@600 {SHORT}",
            # what is not restored lies at the last rank alone
            "net --size tiny --load 0.1 --fail node:G7.s0.n0@200 --warmup 100 --cycles 6000",
            f"net --topology {graph} --routing up_down --load 0.1 {SHORT}",
            f"net --mesh 4x4 --routing d2ra --load 0.3 --timeline 200 {SHORT}",
            f"net --mesh 4x4 --routing duato --packet 5 --threads 2 --load 0.3 {SHORT}",
            f"net --torus 5x5 --routing torus_safe6_ring --load 0.1 --fail node:2,2@700 {SHORT}",
            f"net --fat-tree 4,3,2,2 --load 0.4 --fail leaf:1,1@700 {SHORT}",
        ):
            with self.subTest(words):
                self.assertEqual(self.result(3, words), self.result(0, words))

    def test_more_ranks_than_domains_are_refused(self):
        self.refused(5, f"net --mesh 2x2 --routing dor --load 0.1 {SHORT}", "5 ranks, but the network has 4 domains")
        self.refused(9, f"net --size tiny {SHORT}", "9 ranks, but the network has 8 domains")
        self.refused(2, f"net --size tiny --nonsense {SHORT}", "--nonsense")
        self.refused(2, f"net --size tiny {SHORT} --resume {self.folder}/none", "--resume")
        self.refused(2, "sweep sim/scenarios/sweep_tiny.toml", "of a --task only")
        self.refused(2, f"net --size tiny {SHORT} --checkpoint /dev/null", "expected a regular file")

    def test_a_launcher_of_another_kind_is_noticed(self):
        alone = dict(ENVIRONMENT, PMI_SIZE="2")  # says that there are two, and this one finds no other
        words = [PROGRAM, *f"net --size tiny {SHORT}".split()]
        done = subprocess.run(words, env=alone, capture_output=True, text=True, timeout=100)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("started as 2 processes that do not find each other", done.stderr)

    def test_the_rtl_of_all_routers_is_spread_over_the_ranks(self):
        """Route compute at every port, the fault plane of every router; a planted bug is told once,
        by the rank that has it."""
        short = "--warmup 200 --cycles 300 --drain 300"
        fault = f"--fail global:G0-G2@100 --hardware native {short} --block fault"
        for words in (f"--traffic adv+1 --load 0.2 {short}", f"--load 0.1 {fault}"):
            with self.subTest(words):
                words = f"net --size tiny {words} --device rtl --at all"
                whole = self.result(0, words)
                self.assertGreater(whole["compared"], 100)
                self.assertEqual(self.result(3, words), whole)
        for words in (
            "--mesh 4x4 --routing d2ra --load 0.2 --at 2,1",
            "--torus 4x4 --routing torus_safe6_ring --packet 2 --load 0.3 --at 2,3",
            "--fat-tree 4,4,2,2 --load 0.3 --at leaf:1,2",
            "--fat-tree 4,4,2,2 --load 0.3 --at column:1,0 --fail leaf:1,1@250",
        ):
            with self.subTest(words):
                words = f"net {words} {short} --device rtl"
                whole = self.result(0, words)
                self.assertGreater(whole["compared"], 50)
                self.assertEqual(self.result(3, words), whole)
        for ranks in (0, 3):
            done = self.run_words(
                ranks,
                "net --size tiny --traffic adv+1 --load 0.4 --warmup 500 --cycles 5000 --drain 0 --device rtl --at 6.1 "
                f"--plant gb-gc-swap --json {self.folder}/p.json",
            )
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertEqual(done.stdout.count("Replay: odonata cosim"), 1, done.stdout)
            self.assertEqual(json.loads((self.folder / "p.json").read_text())["verdict"], "fail")

    def test_ranks_have_to_run_the_same(self):
        def both(left, right):
            words = [MPIRUN, "-n", "1", *left, ":", "-n", "1", *right]
            done = subprocess.run(words, env=ENVIRONMENT, capture_output=True, text=True, timeout=100)
            self.assertEqual(done.returncode, 2, done.stderr)
            ours = [line for line in done.stderr.splitlines() if line.startswith("odonata: ")]
            self.assertEqual(len(ours), 1, done.stderr)
            return ours[0]

        net = f"net --size tiny {SHORT}".split()
        self.assertIn("settings: rank 1 has load '0.2'", both([PROGRAM, *net], [PROGRAM, *net, "--load", "0.2"]))
        state = [PROGRAM, *net, "--checkpoint", str(self.folder / "s.state")]
        every = [*state, "--checkpoint-every"]
        self.assertIn("rank 1 has checkpoint-every '200', rank 0 '300'", both([*every, "300"], [*every, "200"]))
        self.assertIn("rank 1 has checkpoint 'no', rank 0 'yes'", both(state, [PROGRAM, *net]))
        resume = [PROGRAM, *net, "--resume", str(self.folder / "s.state")]
        self.assertIn("rank 1 has resume 'yes', rank 0 'no'", both([PROGRAM, *net], resume))
        other = self.folder / "odonata"
        shutil.copy(PROGRAM, other)
        with open(other, "ab") as file:
            file.write(b"x")
        self.assertIn("different programs: rank 1 has build", both([PROGRAM, *net], [str(other), *net]))

    def test_a_killed_rank_loses_nothing_before_the_last_checkpoint(self):
        for words in (
            "--size tiny --traffic adv+1 --load 0.3 --warmup 500 --cycles 60000",
            "--mesh 6x6 --load 0.2 --cycles 60000",
        ):
            with self.subTest(words):
                self.kill_and_resume(f"net {words}")

    def kill_and_resume(self, words):
        state = self.folder / "state"
        state.unlink(missing_ok=True)
        whole = self.result(0, words)
        run = subprocess.Popen(
            self.command(4, f"{words} --checkpoint {state} --checkpoint-every 5000"),
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        try:
            end = time.monotonic() + 200
            while not state.exists():
                self.assertIsNone(run.poll(), "the run ended before its first checkpoint")
                self.assertLess(time.monotonic(), end)
                time.sleep(0.02)
            ranks = children(run.pid)
            self.assertEqual(len(ranks), 4)
            os.kill(ranks[2], signal.SIGKILL)
            self.assertNotEqual(run.wait(60), 0)
        finally:
            if run.poll() is None:
                run.kill()
                run.wait()
        self.assertEqual(self.result(3, f"{words} --resume {state}"), whole)
        self.assertEqual(self.result(0, f"{words} --resume {state}"), whole)
        data = bytearray(state.read_bytes())
        data[len(data) // 2] ^= 1
        state.write_bytes(data)
        self.refused(3, f"{words} --resume {state}", "checkpoint: damaged: the piece of domain")

    def test_the_commands_of_the_page(self):
        """docs/cluster.md §4."""
        page = (pathlib.Path(__file__).resolve().parents[2] / "docs" / "cluster.md").read_text()
        (self.folder / "odonata").symlink_to(pathlib.Path(PROGRAM).resolve())
        environment = dict(ENVIRONMENT, PATH=f"{self.folder}:{os.path.dirname(MPIRUN)}:{os.environ['PATH']}")
        commands = re.findall(r"^\$ (.*)$", re.search(r"```mpi\n(.*?)```", page, re.S)[1], re.M)
        self.assertEqual(len(commands), 5)
        for command in commands:
            done = subprocess.run(command, shell=True, cwd=self.folder, env=environment, capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, command + "\n" + done.stdout + done.stderr)

    def test_the_ranks_of_a_slurm_job(self):
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
        from one_node import OneNode

        if reason := OneNode.why_not():
            self.skipTest("Slurm cannot run here: " + reason)
        toml = self.folder / "s.toml"
        part = '[[part]]\n[part.net]\nsize = "tiny"\nload = 0.3\nwarmup = 500\ncycles = 1500\n'
        toml.write_text(part + "[part.slurm]\nranks = 2\n")
        with OneNode(self.folder / "slurm") as slurm:
            environment = dict(ENVIRONMENT, **{key: slurm.environment[key] for key in ("PATH", "SLURM_CONF")})
            done = subprocess.run(
                [PROGRAM, "sweep", toml, "--slurm", "--out", self.folder / "o"],
                env=environment,
                capture_output=True,
                text=True,
            )
            self.assertEqual(done.returncode, 0, done.stderr)
            slurm.wait(lambda: not slurm.jobs(), "an empty queue")
            logs = "".join(path.read_text() for path in sorted((self.folder / "o.d").glob("*.log")))
        self.assertEqual(json.loads((self.folder / "o.json").read_text())["verdict"], "pass", logs)
        subprocess.run([PROGRAM, "sweep", toml, "--out", self.folder / "plain"], check=True, capture_output=True)
        self.assertEqual((self.folder / "o.csv").read_text(), (self.folder / "plain.csv").read_text())


if __name__ == "__main__":
    if not MPIRUN or not shutil.which(MPIRUN):
        print(
            "skipped: the program was built without MPI (libopenmpi-dev, openmpi-bin); network_ranks_test stands "
            "in for it"
        )
        sys.exit(77)
    sys.dont_write_bytecode = True
    unittest.main(argv=sys.argv[:1] + sys.argv[3:], verbosity=2)
