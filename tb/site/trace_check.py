# SPDX-License-Identifier: Apache-2.0
"""What a trace viewer expects of a trace in the JSON Trace Event Format, beyond being JSON: of the events that odonata
writes, which Perfetto would refuse or silently leave out."""

PHASES = {"X", "B", "E", "C", "s", "t", "f", "M", "i"}
METADATA = {
    "process_name": str,
    "thread_name": str,
    "process_labels": str,
    "process_sort_index": int,
    "thread_sort_index": int,
}


def is_number(value):
    return (
        isinstance(value, (int, float))
        and not isinstance(value, bool)
        and value == value
        and abs(value) != float("inf")
    )


def is_whole(value):
    return isinstance(value, int) and not isinstance(value, bool)


def event_problem(event):
    """What is wrong with one event by itself."""
    if not isinstance(event, dict):
        return "is no object"
    phase = event.get("ph")
    if phase not in PHASES:
        return f"has the phase {phase!r}"
    if not is_whole(event.get("pid")) or not is_whole(event.get("tid", 0)):
        return "has no whole number as pid or tid"
    if phase != "E" and not (isinstance(event.get("name"), str) and event["name"]):
        return "has no name"
    if phase == "M":
        kind = METADATA.get(event["name"])
        value = (event.get("args") or {}).get({str: "name", int: "sort_index"}.get(kind))
        return "" if kind and isinstance(value, kind) else "is metadata that no viewer knows"
    if not is_number(event.get("ts")) or event["ts"] < 0:
        return "has no time from 0 on"
    if phase in "XBEstf" and "tid" not in event:
        return "lies on no thread"
    if phase == "X" and (not is_number(event.get("dur")) or event["dur"] < 0):
        return "has no duration from 0 on"
    if phase == "C" and not (event.get("args") and all(is_number(v) for v in event["args"].values())):
        return "counts what is no number"
    if phase in "stf" and (not isinstance(event.get("id"), (int, str)) or not event.get("cat")):
        return "is an arrow without id or category"
    return ""


def nesting(slices):
    """Slices of one thread have to lie inside each other or apart."""
    open_ends = []
    for start, length in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_ends and open_ends[-1] <= start:
            open_ends.pop()
        if open_ends and start + length > open_ends[-1]:
            return f"slices overlap at {start}"
        open_ends.append(start + length)
    return ""


def problems(trace):
    """All that is wrong, in words; empty when it opens."""
    if not isinstance(trace, dict) or not isinstance(trace.get("traceEvents"), list):
        return ["no object with the list traceEvents"]
    found = []
    if trace.get("displayTimeUnit", "ms") not in ("ms", "ns"):
        found.append("displayTimeUnit is neither ms nor ns")
    if not trace["traceEvents"]:
        found.append("no event")
    events = []
    for at, event in enumerate(trace["traceEvents"]):
        wrong = event_problem(event)
        found += [f"event {at} {wrong}"] if wrong else []
        events += [] if wrong else [event]
    slices, names, opened, arrows, depth = {}, {}, {}, {}, {}
    for event in events:
        track = (event["pid"], event.get("tid"))
        if event["ph"] == "X":
            slices.setdefault(track, []).append((event["ts"], event["dur"]))
        elif event["ph"] == "M":
            key = (event["name"], event["pid"], event.get("tid") if event["name"].startswith("thread") else None)
            if names.setdefault(key, event["args"]) != event["args"]:
                found.append(f"{key} has two names")
        elif event["ph"] in "BE":
            depth[track] = depth.get(track, 0) + (1 if event["ph"] == "B" else -1)
            if depth[track] < 0:
                found.append(f"thread {track}: an end without a begin")
        elif event["ph"] in "sf":
            arrows.setdefault((event["cat"], event["name"], event["id"]), {}).setdefault(event["ph"], []).append(event)
    found += [f"thread {track}: a begin without an end" for track, n in depth.items() if n > 0]
    found += [f"thread {track}: {wrong}" for track, of in slices.items() if (wrong := nesting(of))]
    for key, ends in arrows.items():
        if sorted(ends) != ["f", "s"] or len(ends["s"]) != 1:
            found.append(f"arrow {key} has not one start and an end")
            continue
        for event in ends["s"] + ends["f"]:
            inside = any(
                start <= event["ts"] <= start + length for start, length in slices.get((event["pid"], event["tid"]), [])
            )
            if event["ph"] == "f" and event["ts"] < ends["s"][0]["ts"]:
                found.append(f"arrow {key} ends before it starts")
            if not inside:
                found.append(
                    f"arrow {key}: no slice at its {'start' if event['ph'] == 's' else 'end'}, so no viewer draws it"
                )
    tracks = {(e["pid"], e.get("tid")) for e in events if e["ph"] == "X"}
    found += [f"thread {track} has no name" for track in tracks if ("thread_name", *track) not in names]
    found += [
        f"process {pid} has no name"
        for pid in {e["pid"] for e in events if e["ph"] in "XC"}
        if ("process_name", pid, None) not in names
    ]
    return found
