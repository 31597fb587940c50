# SPDX-License-Identifier: Apache-2.0
"""A unit's description (models/<family>/<unit>.toml, docs/units.md) as objects, checked."""
import dataclasses
import re
import sys
import tomllib

# What a size is made of: the names of its numbers. A parameter of the same name has that value.
SIZES = {
    "dragonfly": ("P", "A", "H", "G", "AbsoluteAtReset"),
    "mesh": ("N", "CW", "KW", "V", "S"),
    "torus": ("KX", "KY"),
    "fat_tree": ("N", "M", "P", "U"),
    "one": (),
}
DRAGONFLIES = {
    "tiny": (2, 4, 2, 8, 0),
    "paper": (6, 12, 6, 73, 1),
    "full": (16, 32, 16, 512, 0),
}  # those with a name, also of the tops
VARIANTS = ("fast", "debug", "netlist", "random")


def fail(where, message):
    sys.exit(f"units: {where}: {message}")


def take(where, table, keys):
    """The values of a table; any other key is an error."""
    unknown = set(table) - set(keys)
    if unknown:
        fail(where, f"unknown key '{sorted(unknown)[0]}', expected one of {', '.join(keys)}")
    return {key: table.get(key) for key in keys}


@dataclasses.dataclass
class Probe:
    name: str
    stage: str
    value: str  # C++ expression; o. is the output structure


@dataclasses.dataclass
class Pin:
    """A pin of the RTL. `bits` (an element, when there is a count) and `count` are expressions over the parameters."""

    name: str
    output: bool
    bits: str
    text: str
    count: str | None = None
    cpp: str = ""  # member of the C++ structure
    own: bool = True  # ... that the generator declares
    type: str | None = None  # its C++ type, when it does not follow from the width
    init: str | None = None
    field: str | None = None  # name in traces; None: not recorded
    field_bits: str | None = None
    drive: str | None = None  # C++ expression instead of the member
    load: str | None = None  # C++ statement, the reverse of `drive`: takes the value `pin` into `in`
    sample: str | None = None  # C++ statement instead of the assignment; `pin` is the pin
    when: str | None = None  # C++ condition: elements that are driven; the others are 0
    port: str | None = None  # name of the RTL port, when it is not name_i or name_o
    doc_bits: str | None = None
    rtl_only: bool = False  # no model has it: in tops and docs only
    optional: bool = False  # an output that a device of other people may be without
    probes: list = dataclasses.field(default_factory=list)

    def rtl(self):
        return self.port or self.name + ("_o" if self.output else "_i")


@dataclasses.dataclass
class Library:
    """A Verilated library: the unit at a size, in a variant."""

    size: str
    variant: str
    parameters: dict  # that are set, by which it is looked up, too
    args: list
    top: str
    memories: bool
    demand: bool  # built only when somebody asks for it
    savable: bool  # its state can be kept

    def name(self, unit):
        return f"{unit}_{self.size}" + ("" if self.variant == "fast" else f"_{self.variant}")


def on_demand(raw, variant):
    """Whether somebody has to ask for that variant of an [[rtl]]: `demand` is true or lists those."""
    demand = raw.get("demand") or []
    return variant in demand if isinstance(demand, list) else bool(demand)


def clog2(n):
    return max(0, n - 1).bit_length()


def evaluate(where, expression, environment):
    try:
        return int(
            eval(
                str(expression).replace("/", "//"),
                {"__builtins__": {}, "clog2": clog2, "max": max, "min": min},
                environment,
            )
        )
    except Exception as error:  # whatever is wrong with it, the file and the expression have to be named
        fail(where, f"'{expression}': {error}, expected an integer expression over {', '.join(environment)}")


class Unit:
    KEYS = (
        "text",
        "cpp",
        "inputs",
        "outputs",
        "golden",
        "include",
        "block_include",
        "transaction",
        "idle",
        "preload",
        "reset",
        "trace",
        "tops",
        "size",
        "compare",
        "before_sample",
        "after_sample",
        "block",
        "top",
        "field",
        "parameters",
        "local",
        "rtl",
        "records",
        "in",
        "out",
        "register",
        "registers",
        "transfer",
        "texts",
    )
    PIN_KEYS = (
        "bits",
        "count",
        "text",
        "cpp",
        "type",
        "init",
        "field",
        "field_bits",
        "drive",
        "load",
        "sample",
        "when",
        "port",
        "doc_bits",
        "rtl_only",
        "optional",
        "stage",
        "probe",
        "probes",
        "unit",
        "except",
    )

    def __init__(self, path, text):
        self.where, self.family, self.name = str(path), path.parent.name, path.stem
        try:
            raw = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            fail(self.where, str(error))
        d = take(self.where, raw, self.KEYS)
        for key in ("text", "cpp", "golden", "parameters", "in", "out"):
            if d[key] is None:
                fail(self.where, f"'{key}' is missing")
        self.text, self.cpp, self.tops, self.size = d["text"], d["cpp"], d["tops"] or [], d["size"] or "dragonfly"
        if self.size not in SIZES:
            fail(self.where, f"size = '{self.size}', expected one of {', '.join(SIZES)}")
        self.inputs, self.outputs = d["inputs"] or self.cpp + "Inputs", d["outputs"] or self.cpp + "Outputs"
        self.own_inputs, self.own_outputs = d["inputs"] is None, d["outputs"] is None
        header, self.golden = re.fullmatch(r"(?:(.*\.h):)?(.*)", d["golden"]).groups()
        self.golden_header = header or f"models/{self.family}/golden_device.h"
        self.texts = d["texts"] or {}
        self.include, self.block_include = d["include"] or [], d["block_include"] or []
        self.transaction, self.idle, self.preload = d["transaction"] or [], d["idle"], d["preload"]
        self.reset = d["reset"] or "reset"
        self.trace = True if d["trace"] is None else d["trace"]
        self.compare, self.before_sample, self.after_sample = d["compare"], d["before_sample"], d["after_sample"]
        self.block = d["block"] or "".join(word.capitalize() for word in self.name.split("_")) + "Block"
        self.top = d["top"] or self.name
        self.parameters, self.local = d["parameters"], d["local"] or {}
        self.records = {way: (d["records"] or {}).get(way, {}) for way in ("in", "out")}
        self.raw_rtl, self.raw_pins = d["rtl"] or [], {"in": d["in"], "out": d["out"]}
        self.transfer = d["transfer"] and take(
            f"{self.where}: transfer", d["transfer"], ("request", "response", "latency")
        )
        self.raw_registers, self.register_map = d["register"] or [], d["registers"] or {}
        self.fields = [take(f"{self.where}: field", raw, ("name", "count", "bits", "cpp")) for raw in d["field"] or []]
        self.defaults = self.environment({name: self.greatest(entry) for name, entry in self.parameters.items()})

    @staticmethod
    def greatest(entry):
        """The upper end of a parameter's range where it is a number, else its default."""
        match = re.fullmatch(r"\d+\.\.(\d+)", entry[2])
        return int(match[1]) if match else entry[0]

    def environment(self, values):
        """All parameters and local constants, with these values instead of the defaults."""
        out = {name: values.get(name, entry[0]) for name, entry in self.parameters.items()}
        for name, expression in self.local.items():
            out[name] = evaluate(f"{self.where}: local.{name}", expression, out)
        return out

    def resolve(self, units):
        """The pins; those of other units of the family in their place."""
        self.pins = []
        for way in ("in", "out"):
            for name, raw in self.raw_pins[way].items():
                self.pins += self.read_pin(units, way == "out", name, raw)
        self.ins = [p for p in self.pins if not p.output and not p.rtl_only]
        self.outs = [p for p in self.pins if p.output and not p.rtl_only]

    def read_pin(self, units, output, name, raw):
        where = f"{self.where}: {'out' if output else 'in'}.{name}"
        d = take(where, raw, self.PIN_KEYS)
        if d["unit"]:
            return self.embed(units, where, output, name, d)
        if d["bits"] is None or d["text"] is None:
            fail(where, "expected bits and text")
        cpp = d["cpp"] or name
        pin = Pin(name, output, str(d["bits"]), d["text"], None if d["count"] is None else str(d["count"]), cpp)
        pin.own = re.fullmatch(r"\w+", cpp) is not None and (d["type"] is not None or not (d["drive"] or d["sample"]))
        for key in ("type", "init", "drive", "load", "sample", "when", "port", "field_bits", "doc_bits"):
            setattr(pin, key, d[key] if d[key] is None else str(d[key]))
        pin.rtl_only, pin.optional = bool(d["rtl_only"]), bool(d["optional"])
        pin.own = pin.own and not pin.rtl_only
        recorded = not output and d["field"] != "" and (pin.own or d["cpp"])
        pin.field = (d["field"] or name) if recorded else None
        pin.probes = self.probes_of(where, pin, d)
        for expression in filter(None, (pin.bits, pin.count)):
            evaluate(where, expression, self.defaults)
        return [pin]

    def probes_of(self, where, pin, d):
        if d["probes"]:
            return [Probe(*take(where, p, ("name", "stage", "value")).values()) for p in d["probes"]]
        if not d["stage"]:
            return []
        return [Probe(d["probe"] or pin.name.replace("_", " "), d["stage"], "o." + pin.cpp)]

    def embed(self, units, where, output, name, d):
        """All pins of another unit as a record; `name` is the member."""
        other = units.get(d["unit"])
        if other is None or other.family != self.family:
            fail(where, f"unit '{d['unit']}', expected another unit of this family")
        left_out = d["except"] or []
        pins = [p for p in (other.outs if output else other.ins) if p.name not in left_out]
        self.records["out" if output else "in"][name] = [other.outputs if output else other.inputs, other.text]
        out = []
        for pin in pins:
            probes = [Probe(p.name, p.stage, re.sub(r"\bo\.", f"o.{name}.", p.value)) for p in pin.probes]
            when = pin.when and pin.when.replace("in.", f"in.{name}.")
            drive = pin.drive and pin.drive.replace("in.", f"in.{name}.")
            out.append(
                dataclasses.replace(pin, cpp=f"{name}.{pin.cpp}", own=False, when=when, drive=drive, probes=probes)
            )
        return out

    def pin(self, name, output):
        for pin in self.pins:
            if pin.name == name and pin.output == output:
                return pin
        fail(self.where, f"there is no {'output' if output else 'input'} pin '{name}'")

    def member(self, name):
        """The C++ member of an input pin or record."""
        return name if name in self.records["in"] else self.pin(name, False).cpp

    def width(self, pin, values=None):
        """Bits of the RTL port, by default at the greatest size."""
        environment = self.defaults if values is None else self.environment(values)
        return evaluate(self.where, pin.bits, environment) * (
            evaluate(self.where, pin.count, environment) if pin.count else 1
        )

    def parameter_values(self, values):
        """Of all parameters, in their order."""
        return [values.get(name, entry[0]) for name, entry in self.parameters.items()]

    def size_values(self, numbers):
        """The parameters that follow from a size."""
        values = dict(zip(SIZES[self.size], numbers))
        out = {name: values[name] for name in self.parameters if name in values}
        for name, entry in self.parameters.items():
            if len(entry) > 3:
                out[name] = evaluate(f"{self.where}: {name}", entry[3], values)
        return out

    def check_ranges(self, size, values):
        """Each value is one that the description allows: "low..high", "0, 1", or the only one."""
        where, everything = f"{self.where}: size {size}", self.environment(values)
        for name in (n for n in self.parameters if n in values):
            text = self.parameters[name][2]
            numbers = re.split(r"\.\.|, (?=\d+(?:,|$))", text)
            allowed = [evaluate(f"{where}: {name}", number, everything) for number in numbers]
            if ".." in text:
                allowed = range(allowed[0], allowed[1] + 1)
            if values[name] not in allowed:
                fail(where, f"{name} = {values[name]}, expected {text}")

    def libraries(self, built):
        """What is verilated, given the sizes of this build (kind of size to name to numbers)."""
        out, built = [], built[self.size]
        for raw in self.raw_rtl:
            d = take(
                f"{self.where}: rtl",
                raw,
                ("sizes", "variants", "set", "name", "args", "always", "memories", "top", "first", "demand", "savable"),
            )
            for variant in d["variants"] or ["fast"]:
                if variant not in VARIANTS:
                    fail(f"{self.where}: rtl", f"variant '{variant}', expected one of {', '.join(VARIANTS)}")
            for variant in d["demand"] if isinstance(d["demand"], list) else []:
                if variant not in (d["variants"] or ["fast"]):
                    fail(f"{self.where}: rtl", f"demand '{variant}', expected one of its variants, or true")
            known = {**DRAGONFLIES, **built} if d["always"] else built
            for size in d["sizes"] or list(built)[: 1 if d["first"] else None]:
                if size != "any" and size not in known:
                    continue
                values = {} if size == "any" else self.size_values(known[size])
                values |= d["set"] or {}
                self.check_ranges(size, values)
                for variant in d["variants"] or ["fast"]:
                    top = (d["top"] or self.top).replace("SIZE", size)
                    args = (d["args"] or []) + ["--savable"] * bool(d["savable"])
                    out.append(
                        Library(
                            d["name"] or size,
                            variant,
                            values,
                            args,
                            top,
                            bool(d["memories"]),
                            on_demand(raw, variant),
                            bool(d["savable"]),
                        )
                    )
        return out


def load(root):
    """All units, by name."""
    units = {}
    for path in sorted((root / "models").glob("*/*.toml")):
        unit = Unit(path.relative_to(root), path.read_text())
        units[unit.name] = unit
    done = set()

    def resolve(unit):
        if unit.name in done:
            return
        done.add(unit.name)
        for raw in [*unit.raw_pins["in"].values(), *unit.raw_pins["out"].values()]:
            if raw.get("unit") in units:
                resolve(units[raw["unit"]])
        unit.resolve(units)

    for unit in units.values():
        resolve(unit)
        unit.siblings = [other for other in units.values() if other.family == unit.family]
    return units
