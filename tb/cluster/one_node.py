# SPDX-License-Identifier: Apache-2.0
"""A Slurm of one node in a folder of its own: own ports and sockets, no systemd, no cgroups;
stopped by its own process ids."""
import os
import pathlib
import pwd
import secrets
import shutil
import socket
import subprocess
import time

PROGRAMS = ["munged", "slurmctld", "slurmd", "sbatch", "squeue", "scontrol", "scancel", "sinfo"]
PATHS = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"

CONF = """ClusterName=odonata
SlurmctldHost=localhost
SlurmUser={user}
SlurmdUser={user}
SlurmctldPort={ctld}
SlurmdPort={slurmd}
AuthType=auth/munge
CryptoType=crypto/munge
AuthInfo=socket={folder}/munge.socket,cred_expire=5
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MailProg=/bin/true
SlurmdParameters=config_overrides
SchedulerParameters=sched_interval=2,bf_interval=2
KillWait=5
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 RealMemory=1000 State=UNKNOWN
PartitionName=all Nodes=localhost Default=YES MaxTime=INFINITE State=UP
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class OneNode:
    """`with OneNode(folder) as slurm:` environment variables in slurm.environment;
    `why` says what is missing when it cannot run."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.children = []
        self.environment = dict(os.environ, PATH=PATHS, SLURM_CONF=str(self.folder / "slurm.conf"))

    @staticmethod
    def why_not():
        missing = [p for p in PROGRAMS if shutil.which(p, path=PATHS) is None]
        if missing:
            return "not installed: " + ", ".join(missing)
        return "" if os.getuid() == 0 else "needs root (slurmd starts the jobs)"

    def start(self, program, *arguments):
        path = shutil.which(program, path=PATHS)
        with open(self.folder / (program + ".out"), "wb") as out:
            self.children.append(
                subprocess.Popen(
                    [path, *arguments], env=self.environment, stdout=out, stderr=out, stdin=subprocess.DEVNULL
                )
            )

    def __enter__(self):
        for name in ("state", "spool"):
            (self.folder / name).mkdir(parents=True)
        os.chmod(self.folder, 0o755)
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(secrets.token_bytes(128))
        user = pwd.getpwuid(os.getuid()).pw_name
        (self.folder / "slurm.conf").write_text(
            CONF.format(user=user, folder=self.folder, ctld=free_port(), slurmd=free_port())
        )
        f = str(self.folder)
        try:
            self.start(
                "munged",
                "--foreground",
                "--force",
                f"--socket={f}/munge.socket",
                f"--key-file={key}",
                f"--pid-file={f}/munged.pid",
                f"--log-file={f}/munged.log",
                f"--seed-file={f}/munged.seed",
            )
            self.wait(lambda: (self.folder / "munge.socket").exists(), "munged")
            self.start("slurmctld", "-D", "-c")
            self.start("slurmd", "-D", "-N", "localhost")
            self.wait(lambda: "idle" in self.run("sinfo", "--noheader", "--format=%T", check=False), "an idle node")
        except BaseException:
            self.stop()
            raise
        return self

    def run(self, *words, check=True):
        done = subprocess.run(words, env=self.environment, capture_output=True, text=True)
        if check and done.returncode != 0:
            raise RuntimeError(f"{' '.join(words)}: exit code {done.returncode}: {done.stderr}")
        return done.stdout

    def jobs(self):
        """Lines "job state" of what is in the queue."""
        return self.run("squeue", "--noheader", "--array", "--format=%i %T", check=False).splitlines()

    def wait(self, condition, what, seconds=120):
        end = time.monotonic() + seconds
        while not condition():
            ended = [c for c in self.children if c.poll() is not None]
            if ended or time.monotonic() > end:
                logs = "".join(
                    f"-- {p.name}\n{p.read_text(errors='replace')[-3000:]}"
                    for p in sorted(self.folder.glob("*.out")) + sorted(self.folder.glob("*.log"))
                )
                raise RuntimeError(f"{what}: {'a daemon ended' if ended else 'did not come'}\n{logs}")
            time.sleep(0.3)

    def stop(self):
        """Ends the jobs, then the daemons that were started here."""
        if len(self.children) == 3 and all(c.poll() is None for c in self.children):
            self.run("scancel", "--user=" + pwd.getpwuid(os.getuid()).pw_name, check=False)
            end = time.monotonic() + 15
            while self.jobs() and time.monotonic() < end:
                time.sleep(0.3)
        for child in reversed(self.children):
            if child.poll() is None:
                child.terminate()
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
                child.wait()

    def __exit__(self, *_):
        self.stop()
