# SPDX-License-Identifier: Apache-2.0
"""What a wave viewer lists of a waveform: signals with their widths and the texts of their enumerations,
of an FST or a VCD file."""
import gzip
import pathlib

SCOPE, UPSCOPE, ATTRIBUTE, ATTRIBUTE_END = 254, 255, 252, 253
MISC, ENUM_TABLE = 0, 7
HIERARCHY = {4: "gzip", 6: "lz4", 7: "lz4 twice"}


class Bad(Exception):
    """No waveform that can be read."""


def lz4(data, size):
    """One LZ4 block."""
    out, at = bytearray(), 0

    def length(nibble):
        nonlocal at
        if nibble == 15:
            while True:
                nibble += data[at]
                at += 1
                if data[at - 1] != 255:
                    break
        return nibble

    while at < len(data):
        token = data[at]
        at += 1
        literals = length(token >> 4)
        out += data[at : at + literals]
        at += literals
        if at >= len(data):
            break
        back = data[at] | data[at + 1] << 8
        at += 2
        if not 0 < back <= len(out):
            raise Bad("its LZ4 block is damaged")
        for _ in range(length(token & 15) + 4):
            out.append(out[-back])
    if len(out) != size:
        raise Bad("its LZ4 block is damaged")
    return bytes(out)


def hierarchy(data):
    """The list of signals inside an FST, unpacked."""
    at = 0
    while at + 9 <= len(data):
        kind, length = data[at], int.from_bytes(data[at + 1 : at + 9], "big")
        body = data[at + 9 : at + 1 + length]
        if kind in HIERARCHY:
            size, packed = int.from_bytes(body[:8], "big"), body[8:]
            if kind == 4:
                return gzip.decompress(packed)
            return lz4(packed, size) if kind == 6 else lz4(lz4(packed[8:], int.from_bytes(packed[:8], "big")), size)
        at += 1 + length
    raise Bad("it lists no signals")


class Reader:
    def __init__(self, data):
        self.data, self.at = data, 0

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def text(self):
        end = self.data.index(0, self.at)
        found, self.at = self.data[self.at : end].decode(), end + 1
        return found

    def number(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def of_fst(data):
    """{scope.name: (bits, {value: text} or None)}"""
    reader, scopes, tables, signals, following = Reader(hierarchy(data)), [], {}, {}, None
    while reader.at < len(reader.data):
        tag = reader.byte()
        if tag == SCOPE:
            reader.byte()
            scopes.append(reader.text())
            reader.text()
        elif tag == UPSCOPE:
            scopes.pop()
        elif tag == ATTRIBUTE:
            kind, subtype, name, handle = reader.byte(), reader.byte(), reader.text(), reader.number()
            if (kind, subtype) == (MISC, ENUM_TABLE):
                if name:
                    words = name.split(" ")
                    count = int(words[1])
                    tables[handle] = dict(zip(words[2 + count :], words[2 : 2 + count]))
                else:
                    following = tables.get(handle)
        elif tag != ATTRIBUTE_END:
            reader.byte()
            name, bits = reader.text(), reader.number()
            reader.number()
            signals[".".join((*scopes, name))] = (bits, following)
            following = None
    return signals


def of_vcd(text):
    """The same; the texts of a signal are those that the signal NAME_text of texts beside it takes with its values."""
    scopes, signals, names = [], {}, {}
    head, _, changes = text.partition("$enddefinitions")
    for line in head.splitlines() + ["$enddefinitions"] * bool(_):
        words = line.split()
        if words[:1] == ["$scope"]:
            scopes.append(words[2])
        elif words[:1] == ["$upscope"]:
            scopes.pop()
        elif words[:1] == ["$var"]:
            names[words[3]] = ".".join((*scopes, words[4]))
            signals[names[words[3]]] = (int(words[2]), None)
        elif words[:1] == ["$enddefinitions"]:
            return with_texts(signals, names, changes)
    raise Bad("its definitions do not end")


def with_texts(signals, names, changes):
    value, seen = {}, {}
    for line in changes.splitlines():
        words = line.split()
        if line[:1] == "b" and len(words) == 2:
            value[words[1]] = int(words[0][1:], 2) if set(words[0][1:]) <= set("01") else None
        elif line[:1] in ("0", "1") and len(words) == 1:
            value[words[0][1:]] = int(words[0][0])
        elif line[:1] == "s" and len(words) == 2:
            seen.setdefault(words[1].removesuffix("~"), {})[value.get(words[1].removesuffix("~"))] = words[0][1:]
    return {
        name: (bits, next((texts for key, texts in seen.items() if names[key] == name), None))
        for name, (bits, _) in signals.items()
    }


def read(path):
    data = pathlib.Path(path).read_bytes()
    return of_fst(data) if data[:1] == b"\0" else of_vcd(data.decode())
