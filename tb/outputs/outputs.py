#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the commands of the records beside this file and compares everything that they say with what stands there.

  outputs.py PROGRAM [RECORD...]            exit code 1 and both texts where something differs
  outputs.py PROGRAM [RECORD...] --update   rewrites the records: read the difference before it is committed
  outputs.py PROGRAM --options              exit code 1 where a command has an option that no record of it has

A record is a text file: `$ odonata ...` and below it exit code, standard output, the result that --json would write
and the files that the command wrote. It says that numbers, names and words have not changed, not that they are right:
that is what the other tests say. A command that takes --json is given it, unless `# no --json` follows.

Of a result every value has a line, `path = value`; a list of more than 8 stands with its length, its ends and a sum of
all of it. Seconds, rates a second, memory and version are not compared (with tb/docs/examples.py); ns of the hardware
are.
"""
import argparse
import difflib
import functools
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tb" / "docs"))
import examples  # noqa: E402  (the masks of the documents' outputs)

HERE = pathlib.Path(__file__).resolve().parent
JSON = "out/result.json"
MASKED = re.compile(r"(^|_)seconds$|_per_s(econd)?$|^memory_bytes$|^version$")
TIME = re.compile(r"\b\d[\d.,]*( ?)(s|ms|KB|MB|GB)\b")  # of the machine; ns are those of the hardware
RATE = re.compile(r"a second|/s$|seconds|MB")
SAID_RATE = re.compile(r"[\d.,]+ (cycles/s|a second)")
# Options that no record has: what they make is compared elsewhere. Of a cross-check, which takes those of a network,
# the network's records count.
ELSEWHERE = {"--help", "--config", "--json", "--slurm", "--print-tasks", "--array-max", "--task-time", "--sbatch"}
ELSEWHERE |= {"--plan", "--task", "--merge", "--device-lib", "--device-limit"}
ELSEWHERE_OF = {
    "pipeline": {"--expect"},
    "cosim": {"--latency", "--interval"},
    "fault-study": {"--known"},
    "net": {"--list-parameters"},
    "sweep": {"--no-run"},
    "jobs": {"--jobs"},
    "vectors": {"--suite", "--check"},
}
COMMANDS_ELSEWHERE = {"wrap"}
PAGE_DATA = re.compile(r'<script type="application/json" id="data">(.*?)</script>', re.S)
VCD_HEAD = re.compile(r"\$(?:date|version).*?\$end", re.S)  # when it was written, and by which library
ESTIMATE = re.compile(r"about [\d.#]+ ?(?:s|min|h)\b")  # how fast this machine is
SHORT = 8  # entries of a list that stand one by one
TEXT = {".csv", ".md", ".goal", ".toml", ".jsonl", ".json", ".hex", ".txt", ".sv", ".f"}
LINES = 12  # of a file that stand one by one


def crc(text):
    return f"{zlib.crc32(text.encode()):08x}"


def masked(value):
    """The same without what may differ from run to run."""
    if isinstance(value, dict):
        if "header" in value and "rows" in value:
            rates = [bool(RATE.search(str(head))) for head in value["header"]]
            rows = [["#" if rate else cell for rate, cell in zip(rates, row)] for row in value["rows"]]
            value = {**value, "rows": rows}
        return {k: "#" if MASKED.search(k) else masked(v) for k, v in value.items()}
    if isinstance(value, list):
        return [masked(v) for v in value]
    if isinstance(value, float):
        return float(f"{value:.9g}")  # the last digits are the compiler's
    if isinstance(value, str):
        return TIME.sub(r"#\2", value)
    return value


def flat(value, path=""):
    """Lines `path = value` of a masked result."""
    if isinstance(value, dict) and value:
        for key, below in value.items():
            yield from flat(below, f"{path}.{key}" if path else key)
    elif isinstance(value, list) and len(value) > SHORT:
        text = json.dumps(value)
        yield f"{path} = {len(value)} values, sum {crc(text)}"
        yield from flat(value[0], f"{path}[0]")
        yield from flat(value[-1], f"{path}[{len(value) - 1}]")
    elif isinstance(value, list) and any(isinstance(v, (dict, list)) for v in value):
        for i, below in enumerate(value):
            yield from flat(below, f"{path}[{i}]")
    else:
        text = json.dumps(value, ensure_ascii=False)
        yield f"{path} = {text}" if len(text) <= 300 else f"{path} = {len(text)} characters, sum {crc(text)}"


def short(lines, name):
    """Many lines as their ends and a sum of all of them."""
    if len(lines) <= 3 * LINES:
        return lines
    return [*lines[:LINES], f"{name}: {len(lines)} lines, sum {crc(chr(10).join(lines))}", *lines[-LINES:]]


def file_lines(path):
    """What stands of a file that a command wrote."""
    data = path.read_bytes()
    if path.suffix == ".html" and (shown := PAGE_DATA.search(data.decode())):
        # of a page the results that it draws, by their sum: how it draws them has tests of its own
        return [f"{name} = sum {crc(json.dumps(value))}" for name, value in page_parts(json.loads(shown[1]))]
    if path.suffix == ".vcd":
        return [f"sum {crc(VCD_HEAD.sub('', data.decode()))}"]
    if path.suffix not in TEXT:
        # waveforms of Verilator are its own; traces are compared by their sum
        return [] if path.suffix == ".fst" else [f"{len(data)} bytes, sum {zlib.crc32(data):08x}"]
    if path.suffix == ".json":
        value = masked(json.loads(data))
        parts = value.items() if isinstance(value, dict) else [("", value)]
        return [line for key, below in parts for line in short(list(flat(below, key)), key)]
    if path.suffix == ".jsonl":
        lines = [line for part in data.decode().splitlines() for line in flat(masked(json.loads(part)))]
    else:
        lines = examples.normal(data.decode().splitlines(), TIME)
    return short(lines, "..")


def page_parts(shown):
    """(name, value) of what a page is given: its title, and its results section by section."""
    yield "title", shown["title"]
    for i, result in enumerate(shown["results"]):
        result = dict(masked(result))
        for section in result.pop("report", []):
            yield f"[{i}] {section.get('title', section['type'])}", section
        yield f"[{i}] the rest", {k: v for k, v in result.items() if k != "command_line"}


@functools.cache
def takes_json(program, command):
    return "--json" in subprocess.run([program, command, "--help"], capture_output=True, text=True).stdout


def said(program, command, folder):
    """Everything that a command says, as the lines of its record."""
    words = shlex.split(command, comments=True)
    if not command.endswith("# no --json") and takes_json(program, words[0]):
        words += ["--json", JSON]
    out = folder / "out"
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*")}
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    lines = [f"exit code {done.returncode}"] if done.returncode else []
    text = SAID_RATE.sub(r"# \1", done.stdout.rstrip("\n"))
    lines += examples.normal(text.split("\n"), TIME) if text else []
    if done.returncode == 2:
        lines += ["error: " + line for line in done.stderr.rstrip("\n").split("\n")]
    else:  # warnings, and how long it may take here
        lines += ["stderr: " + ESTIMATE.sub("about #", w) for w in examples.normal(done.stderr.splitlines(), TIME)]
    seen = {}
    for path in sorted(p for p in out.rglob("*") if p.is_file() and before.get(p) != p.stat().st_mtime_ns):
        name = path.relative_to(folder)
        first = seen.setdefault(path.read_bytes(), name)
        lines += [f"--- {name}", *file_lines(path)] if first == name else [f"--- {name}: as {first}"]
    return lines


def sections(text):
    """Head of a record and its [command, lines]."""
    head, *rest = re.split(r"^\$ odonata ", text, flags=re.M)
    parts = [part.rstrip("\n").split("\n") for part in rest]
    return head, [[part[0], part[1:]] for part in parts]


def shown_by(program, *words):
    """The names that begin a line of a help page: options, or of all commands their own."""
    text = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    first = r"(?:-\w,)?(--[a-z0-9-]+)" if words else r"([a-z][a-z-]*)"
    return re.findall(rf"^  {first}", text.partition("Subcommands:")[0 if words else 2], re.M)


def unrecorded(program, records):
    """ "COMMAND OPTION" of every option that no record of its command has."""
    commands = [words.split("#")[0].split() for r in records for words, _ in sections(r.read_text(encoding="utf-8"))[1]]
    counted = {name: {w for c in commands if c[0] == name for w in c} for name in {c[0] for c in commands}}
    counted.setdefault("crosscheck", set()).update(counted.get("net", ()))
    return [
        f"{command} {option}"
        for command in shown_by(program)
        if command not in COMMANDS_ELSEWHERE
        for option in shown_by(program, command)
        if option not in ELSEWHERE | ELSEWHERE_OF.get(command, set()) | counted.get(command, set())
    ]


def check(program, record, update):
    """Number of commands that said something else, and of all."""
    head, parts = sections(record.read_text(encoding="utf-8"))
    bad = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name in ("sim", "tb"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "out").mkdir()
        for part in parts:
            actual = said(program, part[0], folder)
            if part[1] != actual:
                bad += 1
                print(f"{record.name}: odonata {part[0]}")
                print("\n".join(difflib.unified_diff(part[1], actual, "recorded", "now", lineterm="", n=1)), flush=True)
            part[1] = actual
    if update:
        text = head + "\n".join("\n".join([f"$ odonata {command}", *lines, ""]) for command, lines in parts)
        record.write_text(text, encoding="utf-8")
    return bad, len(parts)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("records", nargs="*", type=pathlib.Path)
    parser.add_argument("--update", action="store_true", help="rewrite the records")
    parser.add_argument("--options", action="store_true", help="only look for options that no record has")
    options = parser.parse_args()
    if options.options:
        if missing := unrecorded(options.program, sorted(HERE.glob("*.txt"))):
            sys.exit("no record of tb/outputs has: " + ", ".join(missing))
        sys.exit()
    counts = [check(options.program, r, options.update) for r in options.records or sorted(HERE.glob("*.txt"))]
    wrong, count = (sum(c[i] for c in counts) for i in (0, 1))
    if count == 0:
        sys.exit("no command was found")
    if wrong and not options.update:
        sys.exit(f"{wrong} of {count} outputs differ; ./dev docs --update rewrites the records")
    print(f"{count} outputs, {wrong} {'rewritten' if options.update else 'differ'}")
