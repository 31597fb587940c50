# SPDX-License-Identifier: Apache-2.0
"""Odonata's golden units, devices of your own and the program's studies from Python.

    import odonata
    unit = odonata.Unit("route_compute", size="tiny")
    unit.step(rst_ni=0)
    unit.step(req_valid_i=1, req_dest_i=odonata.address(0, 1, 0))

Pins have the names of the RTL ports; the pages docs/<family>.md list them. Every mistake is an odonata.Error with the
words of the program.
"""
from __future__ import annotations

import functools
import itertools
import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import threading
from typing import TYPE_CHECKING, Any, Callable, Iterable, Iterator, Mapping, TypeVar

import numpy

from . import _device, _odonata
from ._odonata import Error

if TYPE_CHECKING:
    import pandas

__all__ = [
    "Error",
    "Unit",
    "Cosim",
    "Network",
    "address",
    "blocks",
    "command",
    "configuration",
    "fault",
    "fault_study",
    "network",
    "sweep",
    "version",
]

_Call = TypeVar("_Call", bound=Callable[..., Any])


def _in_words(call: _Call) -> _Call:
    """A value of a wrong kind is an Error, too."""

    @functools.wraps(call)
    def checked(*arguments: Any, **named: Any) -> Any:
        try:
            return call(*arguments, **named)
        except (TypeError, ValueError, OverflowError, MemoryError, RuntimeError) as wrong:
            raise Error(f"{call.__qualname__}(): {(str(wrong) or type(wrong).__name__).splitlines()[0]}") from wrong

    return checked  # type: ignore[return-value]


def version() -> str:
    """Version and commit, as `odonata --version` says."""
    return _odonata.version()


def blocks() -> list[str]:
    """The names of the units that have a golden model here; `odonata cosim --help` lists those that Cosim knows."""
    return _odonata.blocks()


@_in_words
def address(group: int, router: int, node: int) -> int:
    """A destination as req_dest_i and deliveries have it."""
    for name, value, most in (("group", group, 511), ("router", router, 31), ("node", node, 15)):
        if not 0 <= value <= most:
            raise Error(f"address(): {name} {value} is out of range, expected 0..{most}")
    return group << 9 | router << 4 | node


@_in_words
def configuration(
    group: int, router: int, port: int, size: str = "tiny", *, dragonfly: str = ""
) -> list[tuple[int, int]]:
    """What brings a route-compute unit into a fault-free network as that input port of that router: (cfg_addr_i,
    cfg_wdata_i) of every write, that is its place, tables A, B and C and the seed of its LFSR."""
    return _odonata.configuration(size, dragonfly, group, router, port)


class Unit:
    """A golden unit at a size; with `library` a device of your own (odonata wrap, odonata_device.h) with the same pins,
    in a process of its own: what it does to that process, or a call of more than `device_limit` seconds, is an Error.

    `size` is "tiny" (also when nothing is said), "paper" or "full", `dragonfly` "p,a,h,g" in its place. Units that are
    no part of a dragonfly have neither; other keywords are what `odonata cosim --set` takes, such as dims=2,
    torus="4x4" or tree="4,4,2,2".
    """

    @_in_words
    def __init__(
        self,
        block: str,
        size: str | None = None,
        *,
        dragonfly: str = "",
        library: str | os.PathLike = "",
        device_limit: float = 60,
        **settings: Any,
    ) -> None:
        self.block, self.size, self.dragonfly, self.library = block, size, dragonfly, os.fspath(library)
        self.settings = {key: str(value) for key, value in settings.items()}
        wanted = (block, "" if size is None else size, dragonfly)
        self._unit = _odonata.Unit(*wanted, "", self.settings)  # of a library: its pins and stimulus
        self._device = (
            _device.Device((*wanted, self.library, self.settings), self.library, device_limit)
            if self.library
            else self._unit
        )

    @property
    def inputs(self) -> dict[str, int]:
        """Input pins and their bits; rst_ni, which every unit has, is not among them."""
        return self._unit.bits(False)

    @property
    def outputs(self) -> dict[str, int]:
        """Output pins and their bits."""
        return self._unit.bits(True)

    @property
    def parameters(self) -> dict[str, int]:
        """Parameters of the RTL that is like this unit."""
        return self._unit.parameters()

    @_in_words
    def step(self, **pins: int) -> dict[str, int]:
        """One rising edge of the clock: inputs by name (those not given are 0, rst_ni is 1),
        outputs after it by name."""
        return self._device.step(**pins)

    def explain(self) -> list[str]:
        """Why the outputs of the last step are what they are, a statement a line."""
        return self._device.explain()

    @_in_words
    def run(self, inputs: Mapping[str, Any]) -> dict[str, numpy.ndarray]:
        """Many steps at once: an array a pin, a value a cycle (pins of more than 64 bits: a row of 64-bit words a
        cycle, the lowest first). Gives such arrays of the outputs. Other Python threads go on meanwhile; Ctrl-C
        stops it between two cycles, after which restart() makes the unit as new."""
        given = dict(inputs)
        if self._device is not self._unit:
            self._unit.check(given)
        return self._device.run(given)

    @_in_words
    def stimulus(
        self, cycles: int, traffic: str = "ur", load: float = 0.8, seed: int = 1
    ) -> tuple[dict[str, numpy.ndarray], dict[str, numpy.ndarray]]:
        """Inputs of the unit under a traffic (as of `odonata cosim`) and what the golden unit answers,
        as arrays for run()."""
        return self._unit.stimulus(cycles, traffic, load, seed)

    def restart(self) -> None:
        """As new."""
        self._device.restart()


def _program() -> str:
    """The program `odonata`: that of the environment variable ODONATA, or the one on the PATH."""
    found = os.environ.get("ODONATA") or shutil.which("odonata")
    if not found:
        raise Error("the program odonata is not on the PATH, expected it there or in the variable ODONATA")
    return found


def _text(value: Any) -> str:
    """A value as the command line has it."""
    if isinstance(value, (list, tuple, numpy.ndarray)):
        return ",".join(map(_text, value))
    return str(value).lower() if isinstance(value, (bool, numpy.bool_)) else str(value)


def _path(path: str | os.PathLike) -> str:
    text = os.fspath(path)
    if "\0" in text:
        raise Error(f"{text!r}: a path has no null byte")
    return text


@_in_words
def command(name: str, *arguments: Any, **options: Any) -> dict[str, Any]:
    """Runs `odonata NAME` and gives its JSON result. Options by name: at_random=3 is --at-random 3, class_="local"
    --class local, True a flag, a list is joined by commas (set, fail and repair, and hardware of fault-study, are
    repeated), None is left out.

    A failed check is no error: the result's verdict says so. Bad input is an Error with the program's words.
    """
    words = [_program(), name, *map(str, arguments)]
    for key, value in options.items():
        if isinstance(value, numpy.ndarray):
            value = value.tolist()
        if isinstance(value, numpy.bool_):
            value = bool(value)
        option = "--" + key.rstrip("_").replace("_", "-")
        if value is True:
            words.append(option + "=true")  # of a flag, and of an option that wants the word
        elif key in ("set", "fail", "repair") or (key, name) == ("hardware", "fault-study"):  # again and again
            words += [
                word for item in ([value] if isinstance(value, str) else value or ()) for word in (option, str(item))
            ]
        elif value is not None and value is not False:
            words += [option, _text(value)]
    with tempfile.TemporaryDirectory() as folder:
        result = pathlib.Path(folder) / "result.json"
        try:
            done = subprocess.run([*words, "--json", str(result)], capture_output=True, text=True)
        except OSError as wrong:
            raise Error(f"{words[0]}: cannot be run: {wrong.strerror}") from wrong
        if done.returncode not in (0, 1) or not result.exists():
            raise Error(
                done.stderr.strip().removeprefix("odonata: error: ")
                or f"odonata ended with exit code {done.returncode}"
            )
        return json.loads(result.read_text())


class Cosim:
    """A unit's RTL, SystemC module or a library of your own in lockstep with the golden unit; options are those of
    `odonata cosim`.

        result = odonata.Cosim("route_compute", size="tiny", device_lib="my_rc.so").run(transactions=10000)

    `odonata` itself does the work: a device that crashes ends with an Error, not with this process.
    """

    @_in_words
    def __init__(self, block: str, size: str | None = None, **options: Any) -> None:
        chosen = size is not None or not {"dragonfly", "trace_in"}.isdisjoint(options)
        self.block, self.size, self.options = (
            block,
            size if chosen or not _odonata.has_dragonfly(block) else "tiny",
            options,
        )

    def run(self, **more: Any) -> dict[str, Any]:
        """The JSON of `odonata cosim`: verdict, compared, coverage; mismatch with differences, reasons, the shrunk
        stimulus and how to replay it."""
        return command("cosim", block=self.block, size=self.size, **{**self.options, **more})

    def cycles(
        self, count: int, traffic: str = "ur", seed: int = 1
    ) -> Iterator[tuple[int, dict[str, int], dict[str, int], dict[str, int]]]:
        """Cycle by cycle, with device_lib (as a Unit's library): (cycle, inputs, outputs of the golden unit,
        outputs of the device)."""
        if "device_lib" not in self.options:
            raise Error("Cosim.cycles(): expected device_lib, a library of your own; run() compares our RTL")
        given = self.options.get("set", ())
        settings = dict(item.split("=", 1) for item in ([given] if isinstance(given, str) else given))
        if "dims" in self.options:
            settings["dims"] = self.options["dims"]
        size = {"size": self.size, "dragonfly": self.options.get("dragonfly", ""), **settings}
        golden = Unit(self.block, **size)
        device = Unit(
            self.block, library=self.options["device_lib"], device_limit=self.options.get("device_limit", 60), **size
        )
        stimulus, _ = golden.stimulus(count, traffic=traffic, seed=seed)
        for cycle in range(count):
            pins = {
                name: sum(int(word) << 64 * k for k, word in enumerate(values[cycle].reshape(-1)))
                for name, values in stimulus.items()
            }
            yield cycle, pins, golden.step(**pins), device.step(**pins)


class Network:
    """A run of the network engine in this process. Parameters are those of `odonata net --list-parameters`, underscores
    for dashes.

        net = odonata.Network(size="tiny", load=0.3, warmup=500, cycles=2000, timeline=100, record=True)
        while net.advance(500):
            print(net.now, len(net.deliveries()))

    While it computes, other Python threads go on; those that share it take turns, between two windows. The result is
    the same as the program's, digest included, for any number of `threads`.
    """

    @_in_words
    def __init__(self, *, record: bool = False, **parameters: Any) -> None:
        settings = {}
        for name, value in parameters.items():
            if value is None:
                continue
            settings[name.replace("_", "-")] = _text(value)
        self._net = _odonata.Network(settings, record)
        self._record = record
        self._windows = settings.get("timeline", "0") != "0"
        self._parts: list[numpy.ndarray] = []
        self._taking = threading.RLock()  # of _parts: threads that share a network take turns

    @property
    def now(self) -> int:
        """Cycles simulated so far."""
        return self._net.now()

    @_in_words
    def advance(self, cycles: int = 0) -> bool:
        """At least so many cycles more (whole windows of the lookahead); 0: to the end. False: the run is over."""
        return self._net.advance(cycles)

    def run(self) -> dict[str, Any]:
        """To the end; then result()."""
        self.advance()
        return self.result()

    def result(self) -> dict[str, Any]:
        """The numbers so far, keys as in docs/network.md §6."""
        return json.loads(self._net.result())

    def timeline(self) -> numpy.ndarray:
        """The windows of the parameter `timeline` as a structured array: first, last, throughput, latency (NaN
        without packets), packets (delivered), lost, fd, fr. Needs that parameter."""
        if not self._windows:
            raise Error("timeline(): there are no windows, expected Network(timeline=CYCLES)")
        rows = self.result()["timeline"]
        kinds = [
            (name, "f8" if name in ("throughput", "latency") else "u8")
            for name in ("first", "last", "throughput", "latency", "packets", "lost", "fd", "fr")
        ]
        return numpy.array([tuple(row[name] for name, _ in kinds) for row in rows], dtype=kinds)

    def deliveries(self) -> numpy.ndarray:
        """Every packet delivered since the run was made or loaded, as a structured array in the order of delivery
        windows: source, dest (packed addresses), born, cycle, hops (links; 254 and 255 are 254 or more), flits. Needs
        record=True."""
        if not self._record:
            raise Error("deliveries(): nothing was recorded, expected Network(record=True)")
        with self._taking:
            self._parts.append(self._net.take_deliveries())
            self._parts = [numpy.concatenate(self._parts)]
            return self._parts[0]

    @_in_words
    def save(self, path: str | os.PathLike) -> None:
        """The whole state, as --checkpoint; load() of a Network with the same parameters goes on exactly
        as if nothing had been."""
        self._net.save(_path(path))

    @_in_words
    def load(self, path: str | os.PathLike) -> None:
        """The state of save() or of --checkpoint. deliveries() are those from there on."""
        with self._taking:
            self._net.load(_path(path))
            self._parts = []


def network(**options: Any) -> dict[str, Any]:
    """`odonata net`: a run of the network engine. Options are its parameters (odonata net --list-parameters),
    underscores for dashes; the keys of the result are those of docs/network.md §6."""
    return command("net", **options)


@_in_words
def fault(*, fail: str | list[str], **options: Any) -> dict[str, Any]:
    """`odonata fault`: cycles, messages and tables of one diagnosis and of the recovery."""
    return command("fault", fail=fail, **options)


def fault_study(**options: Any) -> dict[str, Any]:
    """`odonata fault-study`: the diagnoses of many faults, drawn or all of a class,
    on designs of the router side by side."""
    return command("fault-study", **options)


def _flat(result: dict[str, Any]) -> dict[str, Any]:
    """The single values of a result, those of an object in it as "object.key"."""
    flat = {}
    for key, value in result.items():
        if isinstance(value, dict):
            flat.update({f"{key}.{inner}": one for inner, one in _flat(value).items()})
        elif not isinstance(value, list):
            flat[key] = value
    return flat


@_in_words
def sweep(values: Mapping[str, Iterable[Any]], **options: Any) -> pandas.DataFrame | list[dict[str, Any]]:
    """A run for every combination of the values, such as {"load": [0.1, 0.2], "routing": ["doar", "min"]}: a
    pandas.DataFrame, without pandas a list of dictionaries. `options` are common to all runs. Columns are the keys of
    docs/network.md §6, those within others behind a point ("latency.mean"); lists are left out."""
    for name, several in values.items():
        if isinstance(several, str) or not isinstance(several, Iterable):
            raise Error(f"sweep(): {name} is {several!r}, expected a list of values")
    rows = []
    for chosen in itertools.product(*values.values()):
        point = dict(zip(values, chosen))
        rows.append({**point, **_flat(network(**options, **point)), **point})  # what was varied comes first and stays
    try:
        import pandas
    except ImportError:
        return rows
    return pandas.DataFrame(rows)
