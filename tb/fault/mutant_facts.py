# SPDX-License-Identifier: Apache-2.0
"""Facts for the mutation campaigns of the fault plane (mutants.toml): what is assumed of the pins, and invariants of
the registers, which are proved first."""

PORTS, NODES, ROUTERS, GROUPS = 7, 2, 4, 8
ROWS = NODES + ROUTERS + GROUPS


def in_range(view, name):
    """The pins, or their registers: ports and row exist, the message is well-formed (docs/fault.md §2)."""
    below, message = view.builder.below, view.word(name("cmd_message"))
    limits = {"cmd_port": PORTS, "own_port": PORTS, "class": 3, "cfg_row": ROWS, "cfg_a": PORTS}
    return [below(message[:4], NODES), below(message[4:9], ROUTERS), below(message[9:18], GROUPS)] + [
        below(view.word(name(word)), limit) for word, limit in limits.items()
    ]


def port_assumptions(view):
    return in_range(view, lambda name: name + "_i")


def table_word(view, name):
    """A word {has_a, port_a, level_a, options_b, lost, partial}: a level only where there is an entry,
    marks only at options."""
    both, word = view.builder.both, view.word(name)
    partial, lost, options, level_a, port_a, has_a = (
        word[0:7],
        word[7:14],
        word[14:21],
        word[21:23],
        word[23:29],
        word[29],
    )
    facts = [view.builder.below(port_a, PORTS), both(has_a ^ 1, view.builder.either(*level_a)) ^ 1]
    return facts + [both(view.builder.either(l, p), o ^ 1) ^ 1 for o, l, p in zip(options, lost, partial)]


def port_invariants(view):
    """Levels are 0 where an entry has none; rows and ports exist;
    a second message, of class S, is pending in the two states that wait for one."""
    builder = view.builder

    def word(name):
        return view.word("u_port.u_core." + name)

    facts = in_range(
        view, lambda name: f"u_port.u_core.{'u_table' if name.startswith('cfg') else 'u_station'}.{name}_q"
    )
    facts += [
        builder.below(word(name), limit)
        for name, limit in (
            ("u_sequence.row_q", ROWS),
            ("u_table.route_row_q", ROWS),
            ("u_station.fp_q", PORTS),
            ("u_station.work_class_q", 3),
            ("u_sequence.state_q", 7),
        )
    ]
    for name in [f"gen_bank[0].u_ram.mem[{row}]" for row in range(ROWS)] + [
        "gen_bank[0].u_ram.rdata_q",
        "u_core.u_table.gen_bank[0].word_q",
    ]:
        facts += table_word(view, f"u_port.{name}")
    for name, first in (
        ("level_d_q", NODES),
        ("told_d_q", NODES),
        ("level_s_q", NODES + ROUTERS),
        ("told_s_q", NODES + ROUTERS),
    ):
        levels = word("u_accessibility." + name)
        facts += [bit ^ 1 for bit in levels[: 2 * first]]
    state, (of_class_d, of_class_s) = word("u_sequence.state_q"), word("u_tell.pending_q")
    facts.append(of_class_d ^ 1)
    for waits in (3, 5):
        there = builder.all_of([bit ^ 1 ^ (waits >> n & 1) for n, bit in enumerate(state)])
        facts.append(builder.both(there, of_class_s ^ 1) ^ 1)
    return facts


def scheduler_invariants(view):
    """The pointer is a station; the ring's count is that of a command at work."""
    builder, wait = view.builder, view.word("wait_q")
    waits = builder.below(wait, 1) ^ 1
    return [
        builder.below(view.word("pointer_q"), PORTS),
        builder.below(wait, 2 + PORTS),
        builder.both(waits, view.word("working_q")[0] ^ 1) ^ 1,
    ]


def nothing_assumed(view):
    return []
