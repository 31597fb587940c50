#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs every `$ ./dev odonata ...` and `$ ./dev crosscheck` block of README.md and docs/ and compares what comes out.

  examples.py PROGRAM            exit code 1 and both texts when an output differs
  examples.py PROGRAM --update   rewrites the blocks with what comes out
  examples.py PROGRAM PAGE...    only these pages

A block shows the whole output, or parts of it with `...` for lines left out. Times, rates and memory (a number with s,
ms, us, ns, MB, GB; columns and rows named so) may differ, everything else has to be equal but for the width of the
columns. Between `<!-- odonata ... -->` and `<!-- end -->` stands the whole output of that command, as part of the page.
The exit code has to be 0; 1 with --plant, or where the command is followed by `# exit code 1`.
Beside the blocks, every option that the documents, or the examples of a --help, give to a command of `odonata` has to
be one of its options.
"""
import argparse
import difflib
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHORT = {"./dev odonata": "", "./dev crosscheck": "crosscheck --packets 100000"}
TIME = re.compile(r"\b\d[\d.,]*( ?)(s|ms|us|ns|MB|GB)\b")
RATE_ROW = re.compile(r"^(.* a second) +[\d.,]+$")
RATE_HEAD = re.compile(r"(/s|seconds|MB) *$")


def documents():
    return [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


def mask_rates(lines):
    """Cells of table columns whose head is a rate, a time or memory. A table is a line of heads, a line of dashes,
    rows of the same width."""
    spans = []
    for i, line in enumerate(lines):
        if re.fullmatch(r"-+(  -+)*", line) and i > 0:
            spans = [m.span() for m in re.finditer("-+", line) if RATE_HEAD.search(lines[i - 1][m.start() : m.end()])]
        elif line.strip() in ("", "..."):
            spans = []
        else:
            for start, end in reversed(spans):
                line = line[:start] + "#" + line[end:]
        yield line


def normal(lines, time=TIME):
    """Lines as they are compared: times (of the pattern) and rates masked, widths of columns and rules alike."""
    return [
        re.sub(r"\s+", " ", re.sub(r"-{3,}", "---", RATE_ROW.sub(r"\1 #", time.sub(r"#\2", line)))).strip()
        for line in mask_rates(lines)
    ]


def segments(expected):
    """The shown lines between the lines left out."""
    parts = [[]]
    for line in expected:
        if line == "...":
            parts.append([])
        else:
            parts[-1].append(line)
    return parts


def agrees(expected, actual):
    """Each part is found in the output, in order; the first one at its start, the last one at its end."""
    parts = segments(normal(expected))
    lines = normal(actual)
    if len(parts) == 1:
        return parts[0] == lines
    position = len(parts[0])
    if lines[:position] != parts[0]:
        return False
    for part in parts[1:-1]:
        found = [i for i in range(position, len(lines) - len(part) + 1) if lines[i : i + len(part)] == part]
        if not found:
            return False
        position = found[0] + len(part)
    last = parts[-1]
    return not last or (len(lines) - len(last) >= position and lines[len(lines) - len(last) :] == last)


def rewritten(expected, actual):
    """The new text of a block: the same lines are shown as before, as far as they still exist."""
    if not any(line.strip() == "..." for line in expected):
        return actual
    shown, position = [], 0
    alike = lambda line: re.sub(r"[\d#.,]+", "0", line)
    names, old = [alike(x) for x in normal(actual)], [x for x in expected if x.strip() != "..."]
    for line, name in zip(old, (alike(x) for x in normal(old))):
        rest = names[position:]
        match = name if name in rest else next(iter(difflib.get_close_matches(name, rest, 1, 0.6)), None)
        if match is None:
            print(f"  no line like '{line}' any more")
            continue
        position += rest.index(match) + 1
        shown.append(position - 1)
    text, last = [], -1
    for i in shown:
        text += ["..."] if i != last + 1 else []
        text.append(actual[i])
        last = i
    return text + (["..."] if last + 1 < len(actual) else [])


def run(program, command, folder):
    """Standard output and exit code; `out/` of the command is in `folder`."""
    words = next(
        shlex.split(more) + shlex.split(command[len(start) :], comments=True)
        for start, more in SHORT.items()
        if command.startswith(start)
    )
    done = subprocess.run([program, *words], cwd=folder, capture_output=True, text=True, timeout=300)
    return done.stdout.rstrip("\n").split("\n"), done.returncode, done.stderr


def blocks(lines):
    """Commands of the fenced blocks that begin with `$ ./dev`, and of the generated parts:
    begin and end of the output, command."""
    inside, start, command = False, 0, None
    for i, line in enumerate(lines):
        if line.startswith("<!-- odonata ") and not inside:
            yield i + 1, lines.index("<!-- end -->", i), "./dev " + line[5:-4].strip()
        if line.startswith("```") or (inside and line.startswith("$ ")):
            if command and command.startswith(tuple(SHORT)):
                yield start, i, command
            inside = line.startswith("$ ") or not inside
            command = line[2:] if line.startswith("$ ") else None
            start = i + 1


def check_blocks(program, pages, update):
    bad = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for part in ("sim", "docs"):
            (pathlib.Path(folder) / part).symlink_to(ROOT / part)
        (pathlib.Path(folder) / "out").mkdir()
        for page in pages:
            lines = page.read_text(encoding="utf-8").split("\n")
            for start, end, command in reversed(list(blocks(lines))):
                count += 1
                begin = time.monotonic()
                actual, code, errors = run(program, command, folder)
                print(f"{page.relative_to(ROOT)}:{start}: {time.monotonic() - begin:5.1f} s  {command}", flush=True)
                expected = lines[start:end]
                wanted = 1 if "--plant" in command or "# exit code 1" in command else 0
                if code != wanted:
                    print(f"  exit code {code}, expected {wanted}\n{errors}")
                    bad += 1
                elif agrees(expected, actual):
                    continue
                elif update:
                    lines[start:end] = rewritten(expected, actual)
                else:
                    bad += 1
                    print(
                        "\n".join(
                            difflib.unified_diff(
                                normal(expected), normal(actual), "documented", "printed", lineterm="", n=1
                            )
                        )
                    )
            if update:
                page.write_text("\n".join(lines), encoding="utf-8")
    if count == 0:
        sys.exit("no block was found")
    return bad


class Options:
    """The options of the commands, as their --help has them."""

    def __init__(self, program):
        self.program, self.helps = program, {}

    def help(self, command):
        if command not in self.helps:
            done = subprocess.run([self.program, command, "--help"], capture_output=True, text=True)
            self.helps[command] = done.stdout if done.returncode == 0 else None
        return self.helps[command]

    def wrong(self, command, words):
        """What is wrong with these words behind the command; empty: nothing."""
        text = self.help(command)
        if text is None:
            return "such command"
        known = set(re.findall(r"--[a-z][a-z0-9-]*", text.split("\nExamples")[0]))
        return " ".join(o for o in re.findall(r"(?<![\w-])--[a-z][a-z0-9-]*", words) if o not in known)


def check_options(program, pages):
    """Options in `odonata COMMAND ...` of documents and of the examples of a --help that the command does not have."""
    options, bad, count = Options(program), 0, 0
    for page in pages:
        text = page.read_text(encoding="utf-8")
        for match in re.finditer(
            r"(?:^\$ \./dev |`(?:\./dev )?)odonata\s+([a-z][a-z-]*)([^`\n]*(?:\n[^`\n]+)?)", text, re.M
        ):
            command, rest = match[1], match[2].split("\n")[0] if match[0].startswith("$") else match[2]
            if wrong := options.wrong(command, rest):
                line = text[: match.start()].count("\n") + 1
                print(f"{page.relative_to(ROOT)}:{line}: odonata {command} has no {wrong}")
                bad += 1
    top = subprocess.run([program, "--help"], capture_output=True, text=True).stdout
    for command in re.findall(r"^  ([a-z][a-z-]*)  ", top.split("\nSubcommands:")[1], re.M):
        for other, rest in re.findall(
            r"\bodonata ([a-z][a-z-]*)([^;&\n]*)", options.help(command).split("\nExamples")[-1]
        ):
            count += 1
            if wrong := options.wrong(other, rest.split("  ")[0]):  # a remark stands apart
                print(f"odonata {command} --help: odonata {other} has no {wrong}")
                bad += 1
    if count == 0:
        sys.exit("no example of a --help was found")
    return bad


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program", type=lambda p: str(pathlib.Path(p).resolve()))
    parser.add_argument("pages", nargs="*", type=lambda p: pathlib.Path(p).resolve())
    parser.add_argument("--update", action="store_true", help="rewrite the blocks")
    options = parser.parse_intermixed_args()
    pages = options.pages or documents()
    problems = check_blocks(options.program, pages, options.update) + check_options(options.program, pages)
    sys.exit(f"{problems} problems; ./dev docs --update rewrites the blocks" if problems else 0)
