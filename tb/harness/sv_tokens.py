# SPDX-License-Identifier: Apache-2.0
"""The tokens of a SystemVerilog text: what is left of it when comments and white space, which change no meaning,
are gone."""
import re

# Of punctuation only brackets and separators always stand alone: `a & &b` is another expression than `a && b`.
TOKEN = re.compile(
    r"""(?P<space>(?:\s|\\\n)+)               # a line that goes on after a backslash has not ended
      | (?P<comment>//[^\n]*|/\*.*?\*/)
      | "(?:\\.|[^"\\])*"
      | \\\S+                                 # an escaped name
      | `?[\w$]+
      | [()\[\]{},;]
      | (?:(?!//|/\*)[^\w\s$()\[\]{},;"`\\])+
      | .""",
    re.S | re.X,
)


def tokens(text):
    """A list. A line that begins with a directive (`ifdef, `define) keeps its end: a token that is a line break."""
    found, new_line, directive = [], True, False
    for match in TOKEN.finditer(text):
        token = match[0]
        if match["space"] or match["comment"]:
            if "\n" in token.replace("\\\n", ""):
                found += ["\n"] * directive
                new_line, directive = True, False
            continue
        directive |= new_line and token.startswith("`")
        new_line = False
        found.append(token)
    return found
