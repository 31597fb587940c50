# SPDX-License-Identifier: Apache-2.0
"""A device of somebody else in a process of its own: what it does to that process does not happen to the script,
which hears of it in one line."""
from __future__ import annotations

import multiprocessing.connection
import operator
import os
import pathlib
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any, Mapping

import numpy

from . import _odonata
from ._odonata import Error

CHUNK = 1000  # cycles of run() between two signs of life
CRASHES: dict[int, str] = {
    signal.SIGSEGV: "crashed (invalid memory access)",
    signal.SIGBUS: "crashed (invalid memory access)",
    signal.SIGFPE: "crashed (arithmetic error)",
    signal.SIGILL: "crashed (illegal instruction)",
    signal.SIGTRAP: "crashed (illegal instruction)",
    signal.SIGABRT: "ended by abort()",
}


def words_of_end(code: int) -> str:
    """How a process ended, by its exit code."""
    return "ended the program (_exit)" if code >= 0 else CRASHES.get(-code, f"ended by signal {-code}")


class Device:
    """What a Unit asks its golden unit for, of a library.
    A call that takes longer than `limit` seconds ends the device."""

    def __init__(self, arguments: tuple[Any, ...], library: str, limit: float) -> None:
        self._library, self._limit, self._turn, self._ended = library, limit, threading.Lock(), ""
        self._line, theirs = multiprocessing.Pipe()
        home = str(pathlib.Path(__file__).resolve().parents[1])
        code = (
            f"import sys; sys.path.insert(0, {home!r}); from odonata import _device; _device.serve({theirs.fileno()})"
        )
        self._process = subprocess.Popen(
            [sys.executable, "-c", code], pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL
        )
        theirs.close()
        weakref.finalize(self, leave, self._line, self._process)
        try:
            self._line.recv()  # the interpreter is up: its start is none of the device's time
        except (EOFError, ConnectionError):
            self._end("", "create", 0)
        self._ask("create", *arguments)

    def _ask(self, call: str, *arguments: Any) -> Any:
        """One call in the other process."""
        with self._turn:
            if self._ended:
                raise Error(self._ended)
            answers: list[Any] = []
            try:
                self._line.send((call, arguments))
                while True:
                    if not self._line.poll(self._limit):
                        self._end(f"did not come back within {self._limit:g} s", call, len(answers))
                    kind, value = self._line.recv()
                    if kind == "part":
                        answers.append(value)
                    elif kind == "error":
                        raise Error(value)
                    else:
                        return answers if kind == "parts" else value
            except (EOFError, ConnectionError):
                self._end("", call, len(answers))
            except KeyboardInterrupt:
                self._process.kill()
                self._ended = f"{self._library}: interrupted"
                raise

    def _end(self, what: str, call: str, parts: int) -> None:
        """The device is gone; says why."""
        if what:
            self._process.kill()
        code = self._process.wait()
        where = f"run(), from cycle {CHUNK * parts} on" if call == "run" else f"{call}()"
        self._ended = f"{self._library}: {what or words_of_end(code)} in {where}"
        raise Error(self._ended)

    def step(self, **pins: Any) -> dict[str, int]:
        return self._ask("step", {name: integer(name, value) for name, value in pins.items()})

    def run(self, inputs: Mapping[str, Any]) -> dict[str, Any]:
        """`inputs` have been looked at."""
        parts = self._ask("run", {name: numpy.asarray(values) for name, values in inputs.items()})
        return {name: numpy.concatenate([part[name] for part in parts]) for name in parts[0]}

    def explain(self) -> list[str]:
        return self._ask("explain")

    def restart(self) -> None:
        self._ask("restart")


def integer(name: str, value: Any) -> int:
    try:
        return operator.index(value)
    except TypeError:
        raise Error(f"{name}: {value!r} is no integer") from None


def leave(line: multiprocessing.connection.Connection, process: subprocess.Popen[bytes]) -> None:
    """The device is needed no more."""
    line.close()
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def serve(line: int) -> None:
    """The other process: answers what comes on this file, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the script hears it
    connection = multiprocessing.connection.Connection(line)
    unit: Any = None
    answer: tuple[str, Any] = ("ready", None)
    while True:
        try:
            connection.send(answer)
            call, arguments = connection.recv()
        except (EOFError, ConnectionError):  # the script has gone, or needs it no more
            unit = None
            os._exit(0)
        try:
            if call == "create":
                unit, answer = _odonata.Unit(*arguments), ("done", None)
            elif call == "run":
                cycles = max(len(values) for values in arguments[0].values())
                for at in range(0, max(cycles, 1), CHUNK):
                    connection.send(
                        ("part", unit.run({name: values[at : at + CHUNK] for name, values in arguments[0].items()}))
                    )
                answer = ("parts", None)
            elif call == "step":
                answer = ("done", unit.step(**arguments[0]))
            else:
                answer = ("done", getattr(unit, call)())
        except Exception as wrong:  # in words, whatever it is
            answer = ("error", (str(wrong) or type(wrong).__name__).splitlines()[0])
