# SPDX-License-Identifier: Apache-2.0
"""What random_networks.py draws: commands of the program with settings that nobody thought of in a test.

KINDS has a function for each kind: drawn from a random.Random it makes a Draw.
"""
import dataclasses
import json
import random

# An option is drawn with a probability of one of its values. "" has no value.
COMMON = [
    (0.2, "--switching", ["wormhole"]),
    (0.25, "--phases", [1, 3, 4]),
    (0.35, "--packet", [2, 3, 5, 8, 16]),
    (0.15, "--fifo", [1, 4, 16]),
    (0.2, "--live-traffic", [""]),
]
DRAGONFLY = [
    (0.3, "--local-latency", [1, 2, 3, 5, 20]),
    (0.3, "--global-latency", [5, 10, 30, 150]),
    (0.2, "--local-buffer", [4, 8, 64]),
    (0.2, "--global-buffer", [8, 64, 256]),
    (0.2, "--node-buffer", [2, 4, 8]),
    (0.15, "--interval", [1, 5, 40]),
    (0.15, "--pcs", [1, 2, 60]),
    (0.2, "--recovery", ["port_level"]),
    (0.2, "--mode", ["paper"]),
    (0.2, "--pipelined", [""]),
    (0.15, "--minimal-router", ["printed"]),
    (0.15, "--neighbours", ["lowest"]),
    (0.1, "--turn-cycles", [1, 16]),
    (0.3, "--traffic", ["adv+1", "adv+2", "rp"]),
]
MESH = [
    (0.3, "--traffic", ["tornado", "transpose", "neighbor"]),
    (0.2, "--selection", ["random", "most-credits"]),
    (0.2, "--vc-reuse", ["empty", "tail"]),
]
TORUS = [(0.2, "--rule", ["any", "dim"]), (0.3, "--local-latency", [1, 2, 5, 20]), (0.2, "--depth", [8, 16, 64])]
TREE = [
    (0.2, "--mode", ["paper"]),
    (0.2, "--pick", ["exclude", "bounce"]),
    (0.2, "--turn-leaf", ["next", "common"]),
    (0.2, "--service", [10, 100, 2000]),
]
PROGRAMS = [
    (0.3, "--mapping", ["random", "group"]),
    (0.4, "--eager-limit", [0, 64, 1000]),
    (0.3, "--flit-bytes", [8, 16, 64]),
    (0.4, "--nic-rate", [0.25, 0.3, 0.5]),
    (0.2, "--clock", [0.5, 1.7, 2]),
    (0.3, "--jitter", [10, 500]),
    (0.2, "--straggler", ["0:300", "1:50"]),
]
PLANE = [
    (0.3, "--link-level", [""]),
    (0.15, "--corrupt", [0.01, 0.1, 0.25]),
    (0.3, "--immediate-mask", [""]),
    (0.3, "--load", [0.3, 0.9]),
    (0.3, "--mode", ["paper"]),
    (0.3, "--recovery", ["port_level"]),
    (0.2, "--hardware", ["native"]),
    (0.2, "--local-latency", [1, 3, 50]),
    (0.2, "--global-latency", [1, 7, 300]),
]
BEYOND = [
    (0.3, "--banks", [2, 4, 8]),
    (0.3, "--pipelined", [""]),
    (0.3, "--poll-width", [2, 4, 16]),
    (0.3, "--ring-hop", [0, 2, 5]),
]
MOTIFS = [
    "lu:px={a},py={b},nz=50,nx=40,ny=40",
    "sweep3d:px={a},py={b},nx=20,ny=20,nz=20",
    "fft3d:n=16,ranks={ab},rows={a}",
    "halo3d:grid={a}x{b}x1,bytes={bytes}",
    "halo3d26:grid={a}x{b}x1,n=8",
    "stencil:grid={a}x{b},bytes={bytes}",
    "dl:ranks={ab},bytes={bytes},algorithm={algorithm}",
    "lulesh:grid={a}x{b}x1,sweep={a}x{b},kba=5,halo=500,line=200",
    "random:ranks={ab},bytes={bytes},rounds=20",
]
ROUTINGS = {
    "dragonfly": "doar doar doar_stable min val ugal_l ugal_g tpr par par_ph",
    "mesh": "duato dyxy footprint dor dbra d2ra dyxy_d2ra footprint_d2ra",
    "torus": "torus_safe6_ring torus_safe6 torus_safe6_short torus_safe4_ring torus_safe4 ecube torus_adaptive "
    "torus_boxes torus_duato torus_up_down",
    "fat_tree": "ft_a vtftr vtftr vtftr_adaptive vtftr_k xy",
}
WITH_HARDWARE = {
    "dragonfly": "doar doar_stable",
    "torus": "torus_safe6_ring torus_safe6 torus_safe4_ring torus_safe4",
    "fat_tree": "vtftr",
}
FAULTS = {
    "dragonfly": ["random-links", "random-routers"],
    "torus": ["random-nodes", "random-links"],
    "fat_tree": ["random-leaves", "random-links"],
}
RTL_TORUS = {
    "4x4": "torus_safe6_ring",
    "7x5": "torus_safe6_ring",
    "10x10": "torus_safe6_ring",
    "5x7": "torus_safe4",
}  # fmt: skip


@dataclasses.dataclass
class Draw:
    words: list  # of the command
    again: str = ""  # how it is done once more: threads, checkpoint, ranks, file (of options), alone (without RTL)
    files: dict = dataclasses.field(default_factory=dict)  # that it reads, by name


def some(r, options, without=()):
    """The options of a list that are drawn, as words."""
    words = []
    for probability, name, values in options:
        if r.random() < probability and name not in without:
            words += [name] + [str(v) for v in [r.choice(values)] if v != ""]
    return words


def traffic(r, loads):
    return ["--load", r.choice(loads), "--seed", str(r.randint(1, 10**6))]


def draw_network(r, hardware):
    """(topology, words); `hardware`: one that SystemC has."""
    name = r.choice(sorted(WITH_HARDWARE if hardware else ROUTINGS))
    routing = r.choice((WITH_HARDWARE if hardware else ROUTINGS)[name].split())
    without = ()
    if name == "dragonfly":
        p, a, h = r.randint(1, 3), r.randint(2, 5), r.randint(1, 3)
        words = ["--dragonfly", f"{p},{a},{h},{r.randint(2, min(a * h + 1, 14))}", *some(r, DRAGONFLY)]
        if routing.startswith("doar") and r.random() < 0.4:
            words += ["--route-compute", r.choice(["pipeline", "arrival"])]
    elif name == "mesh":
        words = ["--mesh", r.choice(["4x4", "3x5", "2x2x2", "8x8", "2x3x2x2"]), *some(r, MESH)]
        words += ["--vcs", r.choice("2345"), "--depth", r.choice("248")]
        without = ["--live-traffic"]
    elif name == "torus":
        size = r.choice(["4x4", "5x6", "3x3", "8x4", "6x6", "3x4x5", "4x4x4"])
        routing = "torus_boxes" if size.count("x") == 2 else routing
        words = ["--torus", size, *some(r, TORUS)]
    else:
        ways = ["manager", "never"] + ["broadcast", "at-once"] * (not hardware)
        sizes = ["4,4,2,2", "3,4,2,2", "2,2,1,1", "4,4,2,1", "3,3,3,3"] + ["2,3,2,2,2"] * (not hardware)
        words = ["--fat-tree", r.choice(sizes), *some(r, TREE), *some(r, [(0.3, "--reconfigure", ways)])]
    words += ["--routing", routing, *traffic(r, ["0.05", "0.2", "0.4", "0.6", "0.9"])]
    return name, words + some(r, COMMON, without)


def draw_samples(r, name, cycles):
    """Random faults of the first half of a run, and repairs."""
    words = []
    for _ in range(r.choice([1, 1, 2])):
        words += ["--fail", f"{r.choice(FAULTS[name])}:{r.randint(1, 3)}@{r.randint(50, cycles // 2)}"]
    if name != "torus" and r.random() < 0.5:
        words += ["--repair", "all", "--repair-at", str(cycles - 100)]
    return words


def draw_fault(r, routers):
    """Of three groups and three routers of a dragonfly, so that several meet."""
    x, y = sorted(r.sample(range(3), 2))
    b, c = sorted(r.sample(range(min(3, routers)), 2))
    kinds = [f"router:G{x}.s{b}", f"node:G{x}.s{b}.n0", f"local:G{x}.s{b}-G{x}.s{c}", f"global:G{x}-G{y}"]
    return r.choice(kinds)


def draw_script(r, starts, gaps, routers=4):
    """Faults that come back and fail again, several of them in the same cycle."""
    words, gap = [], r.choice(gaps)
    for fault in sorted({draw_fault(r, routers) for _ in range(r.choice([1, 2, 3, 4, 6]))}):
        cycle = r.choice(starts)
        for _ in range(r.choice([1, 1, 2, 3])):
            words += ["--fail", f"{fault}@{cycle}"]
            if r.random() < 0.3:
                break
            cycle += r.choice([1, gap, gap, 2 * gap])
            words += ["--repair", f"{fault}@{cycle}"]
            cycle += r.choice([1, gap, gap])
    return words


def draw_leaves(r, words):
    """Leaves of a fat-tree that fail, come back and fail again."""
    columns, rows, *_ = (int(n) for n in words[words.index("--fat-tree") + 1].split(","))
    out, gap = [], r.choice([1, 10, 50, 200, 500])
    for _ in range(r.choice([1, 2, 3, 4])):
        leaf, cycle = f"leaf:{r.randrange(min(3, columns))},{r.randrange(min(3, rows))}", r.choice([50, 100, 101, 300])
        if f"--fail {leaf}@" in " ".join(out):
            continue
        out += ["--fail", f"{leaf}@{cycle}"]
        if r.random() < 0.6:
            cycle += 2000 + r.choice([1, gap, 2 * gap])
            out += ["--repair", f"{leaf}@{cycle}"]
            out += some(r, [(0.5, "--fail", [f"{leaf}@{cycle + 40 + gap}"])])
    return out


def draw_faults(r, name, words, cycles):
    """Of routings whose tables they change."""
    routing = words[words.index("--routing") + 1]
    if name not in FAULTS or r.random() < 0.3 or (name == "dragonfly" and not routing.startswith("doar")):
        return []
    two = name == "fat_tree" and words[words.index("--fat-tree") + 1].count(",") == 3
    if two and cycles >= 3000 and r.random() < 0.6:
        return draw_leaves(r, words)
    large = name == "dragonfly" and all(int(n) > 2 for n in words[words.index("--dragonfly") + 1].split(",")[1::2])
    if large and r.random() < 0.4:
        return draw_script(r, [50, 100, 100, 101, 130, 300, 600], [1, 2, 10, 50, 200, 400], 3)
    return draw_samples(r, name, cycles)


def draw_motif(r, ranks):
    a, b = r.choice([(a, b) for a in range(1, 5) for b in range(1, 5) if 1 < a * b <= ranks])
    algorithm = r.choice(["tree", "ring", "halving"]) if a * b in (2, 4, 8, 16) else "tree"
    text = r.choice(MOTIFS).format(a=a, b=b, ab=a * b, algorithm=algorithm, bytes=r.choice([0, 1, 31, 33, 500, 5000]))
    return f"{text},it={r.choice([1, 2, 3])}"


def draw_programs(r, words):
    """One or two programs, which bring traffic of their own: often that of --load is switched off."""
    jobs = r.choice([1, 1, 2])
    if r.random() < 0.5:
        words[words.index("--load") + 1] = "0"
    words += ["--workload", ";".join(draw_motif(r, 4 if jobs == 2 else 9) for _ in range(jobs)), *some(r, PROGRAMS)]
    if r.random() < 0.3:
        words += ["--resend", r.choice(["200", "500", "2000"]), *some(r, [(0.5, "--resend-tries", [1, 2, 3])])]
    return words


def run_for(r, cycles):
    return ["--warmup", str(r.choice([0, 300])), "--cycles", str(cycles), "--drain", "2500", "--watchdog", "1500"]


def draw_crosscheck(r):
    name, words = draw_network(r, hardware=True)
    cycles = r.choice([800, 1500, 3000])
    faults = ["--random-faults"] if r.random() < 0.4 else draw_faults(r, name, words, cycles)
    return Draw(["crosscheck", *words, "--cycles", str(cycles), *faults])


def draw_net(r):
    name, words = draw_network(r, hardware=False)
    cycles = r.choice([800, 1500, 3000])
    if r.random() < 0.4:
        words, cycles = draw_programs(r, words), 4000
    words += [*run_for(r, cycles), *draw_faults(r, name, words, cycles), *some(r, [(0.3, "--timeline", [100])])]
    return Draw(["net", *words], r.choice(["threads", "checkpoint", "checkpoint", "ranks", "file"]))


def draw_graph(r):
    """A network of a file: a random tree of switches with more links."""
    n, domains = r.randint(2, 14), r.choice([1, 2, 3])
    switches = [f"s{i}" if r.random() < 0.3 else {"name": f"s{i}", "domain": i % domains} for i in range(n)]
    ends = [(i, r.randrange(i)) for i in range(1, n)] + [r.sample(range(n), 2) for _ in range(r.randint(0, n))]
    links = [{"between": [f"s{a}", f"s{b}"], "latency": r.choice([1, 1, 2, 3, 7, 20, 100])} for a, b in ends]
    addresses = r.sample(range(64), r.randint(9, 20))
    nodes = [{"name": f"n{a}", "switch": f"s{r.randrange(n)}", "address": a} for a in addresses]
    network = {"name": "drawn", "switches": switches, "nodes": nodes, "links": links}
    if r.random() < 0.3:
        network["root"] = f"s{r.randrange(n)}"
    words = ["--topology", "drawn.json", "--traffic", r.choice(["uniform", "randperm", "shift+1"])]
    words += ["--depth", r.choice(["8", "16", "32"]), "--routing", r.choice(["up_down", "up_down", "shortest"])]
    words += [*traffic(r, ["0.05", "0.2", "0.5", "0.9"]), *some(r, COMMON, ["--live-traffic"])]
    words += some(r, [(0.3, "--vcs", [1, 2, 4]), (0.3, "--allow-cycles", [""])])
    if r.random() < 0.3:
        words = draw_programs(r, words)
    words += run_for(r, 2000)
    return Draw(["net", *words], r.choice(["threads", "checkpoint", "ranks"]), {"drawn.json": json.dumps(network)})


def draw_plane(r):
    """The fault plane alone: the model beside the network of SystemC units, one of which may be RTL."""
    device = r.choice(["systemc", "systemc", "rtl", "golden"])
    p, a, h = r.randint(1, 3), r.randint(2, 5), r.randint(1, 3)
    scripted = r.random() < 0.6
    if scripted or device == "rtl":
        words = ["--size", "tiny"]
    else:
        words = ["--dragonfly", f"{p},{a},{h},{r.randint(2, min(a * h + 1, 9))}"]
    if scripted:
        words += draw_script(r, [0, 100, 100, 101, 130, 500, 2000], [1, 1, 2, 10, 50, 200, 1500])
    else:
        for _ in range(r.choice([1, 1, 2])):
            sample = f"{r.choice(FAULTS['dragonfly'])}:{r.randint(1, 3)}"
            words += ["--fail", sample + r.choice(["", "@100", "@5000"])]
        words += some(r, [(0.5, "--repair", ["all"])])
    words += some(r, PLANE) + (some(r, BEYOND) if device != "rtl" else [])
    return Draw(["fault", *words, "--device", device, "--verify", "--seed", str(r.randint(1, 10**6))])


def draw_rtl_routers(r):
    """Whole routers or their data paths as RTL in the network of SystemC routers."""
    block = r.choice(["router", "router", "router_data"])
    without = ["--pipelined", "--interval", "--node-buffer", "--local-buffer", "--global-buffer"]
    words = ["--route-compute", "arrival", "--fifo", "64", "--device", "rtl", "--block", block]
    at = [f"{r.randint(0, 7)}.{r.randint(0, 3)}" for _ in range(3)]
    around = block == "router" and r.random() < 0.4
    words += ["--around", "engine"] if around else []
    words += ["--at", r.choice([at[0], ",".join(sorted(set(at))), *(["all"] if not around else [])])]
    fixed = ["--fifo", "--phases", "--switching", "--live-traffic"] + ["--packet"] * around
    words += [*some(r, DRAGONFLY, without), *some(r, COMMON, fixed), *traffic(r, ["0.05", "0.2", "0.4", "0.7"])]
    faults = ["--random-faults"] if r.random() < 0.3 else draw_faults(r, "", [*words, "--routing", "doar"], 800)
    if r.random() < 0.5:
        faults = draw_script(r, [50, 100, 100, 101, 300], [1, 10, 50, 200])
    return Draw(["crosscheck", *words, "--cycles", str(r.choice([400, 800])), *faults])


def draw_rtl(r):
    """RTL in the loop: a run that has it is the same as one that has not."""
    name = r.choice(["routers", "dragonfly", "mesh", "torus", "fat_tree"])
    if name == "routers":
        return draw_rtl_routers(r)
    cycles = r.choice([400, 800, 1500])
    words = [*traffic(r, ["0.05", "0.2", "0.4", "0.7"]), *run_for(r, cycles), *some(r, COMMON, ["--live-traffic"])]
    device = ["--device", "rtl"]
    if name == "dragonfly":
        words += ["--size", "tiny", "--routing", r.choice(["doar", "doar", "doar_stable"]), *some(r, DRAGONFLY)]
        words += some(r, [(0.4, "--route-compute", ["pipeline", "arrival"])])
        if r.random() < 0.4:
            words, device = [*words, "--hardware", "native"], [*device, "--block", "fault"]
        device += ["--at", f"{r.randint(0, 7)}.{r.randint(0, 3)}"]
        faults = draw_script(r, [50, 100, 101, 300], [1, 10, 50, 200]) if r.random() < 0.5 else None
        return Draw(["net", *words, *(draw_samples(r, name, cycles) if faults is None else faults), *device], "alone")
    if name == "mesh":
        size = r.choice(["4x4", "8x8", "3x5", "4x4x2", "3x3x3", "2x3x2x3"])
        words += ["--mesh", size, "--routing", r.choice(["d2ra", "dbra", "dyxy_d2ra", "footprint_d2ra"])]
        words += [*some(r, MESH), "--depth", r.choice("248"), *some(r, [(0.5, "--vcs", [2, 3, 4, 5])])]
        device += ["--at", ",".join(str(r.randint(0, 1)) for _ in range(size.count("x") + 1))]
        return Draw(["net", *words, *device], "alone")
    if name == "torus":
        size = r.choice(sorted(RTL_TORUS))
        words += ["--torus", size, "--routing", RTL_TORUS[size], *some(r, TORUS)]
        device += ["--at", r.choice(["1,1", "0,3", "3,0"])]
    else:
        words += ["--fat-tree", r.choice(["4,4,2,2", "3,5,2,2"]), "--routing", "vtftr", *some(r, TREE)]
        words += some(r, [(0.3, "--reconfigure", ["manager", "never", "at-once"])])
        device += ["--at", r.choice(["leaf:1,1", "leaf:0,2", "row:1,1", "column:0,0"])]
    words += ["--route-compute", "arrival"]  # what these units bring along
    return Draw(["net", *words, *draw_faults(r, name, words, cycles), *device], "alone")


KINDS = {
    "crosscheck": draw_crosscheck,
    "net": draw_net,
    "graph": draw_graph,
    "plane": draw_plane,
    "rtl": draw_rtl,
}


def draw(kind, number):
    """What a number of a kind stands for, today and always."""
    return KINDS[kind](random.Random(f"{kind} {number}"))
