# SPDX-License-Identifier: Apache-2.0
"""Facts for the mutation campaign of the data path (mutants.toml): what its neighbours keep (docs/router.md §2.6), and
invariants, which are proved first."""

DEPTHS = {0: 4, 1: 4, 2: 6}  # of an input port's VCs
CREDITS = {1: 4, 2: 6}  # of a network port's output VCs
VCS, TAGS, TAG_BITS = 4, 5, 3


def add(builder, *words):
    """The sum of words, lowest bits first, without overflow."""
    total = []
    for word in words:
        carry, out = 0, []
        for n in range(max(len(total), len(word))):
            a, b = (w[n] if n < len(w) else 0 for w in (total, word))
            half = builder.differ(a, b)
            out.append(builder.differ(half, carry))
            carry = builder.either(builder.both(a, b), builder.both(half, carry))
        total = out + [carry]
    return total


def not_above(builder, left, right):
    """left <= right, words of any width."""
    below = 1
    for n in range(max(len(left), len(right))):
        a, b = (w[n] if n < len(w) else 0 for w in (left, right))
        below = builder.either(builder.both(a ^ 1, b), builder.both(builder.differ(a, b) ^ 1, below))
    return below


def same(builder, left, right):
    return builder.both(not_above(builder, left, right), not_above(builder, right, left))


def is_number(builder, word, number):
    return builder.all_of(bit ^ 1 ^ (number >> n & 1) for n, bit in enumerate(word))


def channels():
    return [
        (port, vc, f"u_switch.gen_input[{port}].u_input.gen_vc[{vc}].u_vc.") for port in DEPTHS for vc in range(VCS)
    ]


def after(view):
    """The words after the edge."""
    return type(view)(view.graph, True)


def data_assumptions(view):
    """Credits do not rise above what they are after reset; a flit comes only where there is room; every packet that has
    been answered or has asked has a flit in its VC, but for one whose first flits have left while the others are still
    to come. The route that a cut takes back is there: the packet that was arriving has it, because its head has been
    answered and its tail has not come (proof `channel`)."""
    builder, then, facts = view.builder, after(view), []
    pins = view.word("credit_i")
    for port, most in CREDITS.items():
        for vc in range(VCS):
            name = f"u_switch.gen_output[{port}].u_credits.gen_link.gen_vc[{vc}].credit_q"
            facts += [builder.below(view.word(name), most + 1), builder.below(then.word(name), most + 1)]
            few = builder.below(pins[9 * (VCS * port + vc) : 9 * (VCS * port + vc) + 9], most + 1)
            facts.append(builder.either(view.word("rst_ni")[0] ^ 1, few))
    for port, vc, name in channels():
        depth, flits, goes_on = DEPTHS[port], view.word(name + "count_q"), view.word(name + "begun_q")
        facts += [builder.below(flits, depth + 1), builder.below(then.word(name + "count_q"), depth + 1)]
        facts.append(builder.below(then.word(name + "u_control.count_q"), depth + 1))
        tags = view.word(f"u_switch.gen_input[{port}].u_input.tag_q")
        asked = [
            [
                builder.all_of(
                    [tags[TAG_BITS * n + TAG_BITS - 1], is_number(builder, tags[TAG_BITS * n : TAG_BITS * n + 2], vc)]
                )
            ]
            for n in range(TAGS)
        ]
        packets = add(builder, view.word(name + "u_control.count_q"), *asked)
        begun = builder.all_of(
            [
                is_number(builder, flits, 0),
                is_number(builder, packets, 1),
                goes_on[0],
                *(bit[0] ^ 1 for bit in asked),
            ]
        )
        facts.append(builder.either(not_above(builder, packets, flits), begun))
    return facts


def ring(view, name, depth, count):
    """Two pointers of a ring, `count` apart."""
    builder, read, write = view.builder, view.word(name + "rd_q"), view.word(name + "wr_q")
    ahead = add(builder, read, count)
    around = add(builder, write, [depth >> n & 1 for n in range(depth.bit_length())])
    return [
        builder.below(read, depth),
        builder.below(write, depth),
        builder.either(same(builder, ahead, write), same(builder, ahead, around)),
    ]


def data_invariants(view):
    """Pointers exist, and queues hold what their counters say."""
    facts = []
    for port, _, name in channels():
        facts += ring(view, name, DEPTHS[port], view.word(name + "count_q"))
        facts += ring(view, name + "u_control.", DEPTHS[port], view.word(name + "u_control.count_q"))
    return facts
