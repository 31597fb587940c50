#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The checkers of the documents find what they are for: each is given a page with the fault, and one without."""
import contextlib
import io
import pathlib
import re
import tempfile
import unittest

import check
import examples


class Checks(unittest.TestCase):
    def problems(self, rule, **files):
        with tempfile.TemporaryDirectory() as folder:
            root, check.ROOT = check.ROOT, pathlib.Path(folder)
            try:
                for name, text in files.items():
                    page = check.ROOT / re.sub(r"_(md|h|cpp|sv|toml)$", r".\1", name.replace("__", "/"))
                    page.parent.mkdir(parents=True, exist_ok=True)
                    page.write_text(text)
                return list(rule())
            finally:
                check.ROOT = root

    def test_licence(self):
        self.assertEqual(self.problems(check.spdx, a_h=f"// {check.LICENCE}\n"), [])
        self.assertEqual(len(self.problems(check.spdx, a_h="int x;\n")), 1)
        self.assertEqual(self.problems(check.spdx, a_sv=f"\n\n// {check.LICENCE}\n", LICENSE="words\n"), [])
        self.assertEqual(len(self.problems(check.spdx, a_sv=f"\n\n\n// {check.LICENCE}\n", a_toml="a = 1\n")), 2)

    def test_prose(self):
        long = "word " * 30
        self.assertEqual(len(self.problems(check.prose, a_md=long)), 1)
        self.assertEqual(len(self.problems(check.prose, a_md=f"```\n{long}\n```\n")), 1)
        self.assertEqual(self.problems(check.prose, a_md=f"```\n$ ./dev odonata x\n{long}\n```\n"), [])
        self.assertEqual(len(self.problems(check.prose, a_md=f"```\n$ ls\n{long}\n```\n")), 1)
        self.assertEqual(self.problems(check.prose, a_md=f"{'a b ' * 30}\n"), [])
        self.assertEqual(len(self.problems(check.prose, a_md=f"{'a b ' * 30}c\n")), 1, "121 columns")
        self.assertEqual(len(self.problems(check.prose, a_md=f"| a |\n| --- |\n| {'x ' * 100} |\n")), 1)
        self.assertEqual(self.problems(check.prose, a_md="short\n"), [])

    def test_columns(self):
        long = "a + " * 31
        self.assertEqual(
            self.problems(check.columns, a_h="int a;\n", a_toml=f'text = "{long}"\nsize = {{ {long} }}\n'), []
        )
        self.assertEqual(self.problems(check.columns, a_md=long, a_h=f"// {long.replace(' ', '_')}\n"), [])
        self.assertEqual(len(self.problems(check.columns, a_h=f"int b;\nint a = {long};\n")), 1)
        self.assertEqual(len(self.problems(check.columns, a_sv=f"assign a = {long};\n", dev=f"# {long}\n")), 2)
        self.assertEqual(len(self.problems(check.columns, a_toml=f"# {long}\nload = [{long}]\n")), 2)

    def test_links(self):
        page = "# A title, with `code`\n"
        self.assertEqual(self.problems(check.links, a_md="[b](b.md#a-title-with-code)", b_md=page), [])
        self.assertEqual(len(self.problems(check.links, a_md="[b](b.md#other)", b_md=page)), 1)
        self.assertEqual(len(self.problems(check.links, a_md="# A\n[up](#a) [nowhere](#no-such)\n")), 1)
        self.assertEqual(len(self.problems(check.links, a_md="[c](c.md)")), 1)
        self.assertEqual(len(self.problems(check.links, a_md="| a |\n| --- |\n| [c](c.md) |\n")), 1)
        self.assertEqual(self.problems(check.links, a_md="# A\n## A\n[first](#a) [second](#a-1)\n"), [])
        self.assertEqual(self.problems(check.links, a_md="# A-1\n## A\n## A\n[third](#a-2) [first](#a-1)\n"), [])
        self.assertEqual(len(self.problems(check.links, a_md="# A\n## A\n[third](#a-2)\n")), 1)
        self.assertEqual(len(self.problems(check.links, a_md="[code](#a)\n```\n# A\n```\n")), 1)

    def test_citations(self):
        page = "## 1. One\n### 1.2 Two\n"
        self.assertEqual(self.problems(check.citations, docs__p_md=page, a_h="// docs/p.md §1,\n// §1.2"), [])
        self.assertEqual(len(self.problems(check.citations, docs__p_md=page, a_h="// [p](p.md)\n// §1 and §3")), 1)
        self.assertEqual(len(self.problems(check.citations, docs__p_md=page, a_h="// docs/q.md §1")), 1)
        self.assertEqual(len(self.problems(check.citations, docs__p_md=page, a_h="// docs/p.md §1.3")), 1)
        self.assertEqual(len(self.problems(check.citations, docs__p_md=page, a_h="// reading\n// notes §1")), 1)

    def test_layers(self):
        self.assertEqual(self.problems(check.layers, hw__a_h='#include "models/b.h"\n'), [])
        self.assertEqual(len(self.problems(check.layers, hw__a_h='#include "tb/b.h"\n')), 1)
        self.assertEqual(
            self.problems(check.layers, tb__fault__a_h='#include "tb/harness/b.h"\n#include "tb/fault/c.h"\n'), []
        )
        self.assertEqual(len(self.problems(check.layers, tb__fault__a_h='#include "tb/congestion/b.h"\n')), 1)
        self.assertEqual(
            len(self.problems(check.layers, sim__network__a_h='#include "sim/common/b.h"\n#include <CLI/App.hpp>\n')), 2
        )
        self.assertEqual(len(self.problems(check.layers, tb__harness__a_h='#include "tb/fault/b.h"\n')), 1)
        self.assertEqual(len(self.problems(check.layers, models__a_h="#include <systemc>\n#include <fstream>\n")), 2)
        for name, wrong in (
            ("hw__a_cpp", '"sim/common/b.h"'),
            ("hw__a_h", '"Vunit.h"'),
            ("tb__harness__a_cpp", "<tlm>"),
            ("tb__vtftr__a_h", '"tb/torus/b.h"'),
            ("sim__network__a_cpp", "<nlohmann/json.hpp>"),
        ):
            self.assertEqual(len(self.problems(check.layers, **{name: f"#include {wrong}\n"})), 1, wrong)
        self.assertEqual(self.problems(check.layers, tb__harness__a_cpp='#include "Vmutant.h"\n'), [])

    def test_lengths(self):
        self.assertEqual(self.problems(check.lengths, docs__examples__a_h="//\n" * 60), [])
        self.assertEqual(len(self.problems(check.lengths, docs__examples__a_h="//\n" * 61)), 1)

    def test_types(self):
        one = "namespace a::b {\nstruct S final : T<int> {\n  struct In {};\n};\nenum class E : int { x };\n}\n"
        self.assertEqual(self.problems(check.types, sim__a_h=one, sim__b_h="namespace a {\nstruct S {};\n}\n"), [])
        self.assertEqual(len(self.problems(check.types, sim__a_h=one, tb__b_cpp=one)), 2, "S and E")
        for other in (
            "namespace a::b {\nnamespace {\nstruct S {};\n}\n}\n",
            "namespace a::b {\nstruct S;\ntemplate <class S>\nvoid f() {}\nstruct C::S {};\nstruct S<int> {};\n}\n",
            "namespace a::b {\nstruct C {\n  struct S {};\n};\n// struct S {\nauto s = \"struct S {\";\n}\n",
        ):
            self.assertEqual(self.problems(check.types, sim__a_h=one, sim__b_cpp=other), [], other)
        again = "namespace a {\nauto c = '{';\nnamespace b {\nclass S {};\n}\n}\n"
        self.assertEqual(len(self.problems(check.types, sim__a_h=one, models__b_h=again)), 1)


class Examples(unittest.TestCase):
    def test_comparison(self):
        output = ["head", "a 1", "b 2", "took 1.5 s"]
        self.assertTrue(examples.agrees(["head", "...", "took 77 s"], output))
        self.assertTrue(examples.agrees(["...", "a  1", "b 2", "..."], output))
        self.assertFalse(examples.agrees(["head", "...", "b 3", "..."], output))
        self.assertFalse(examples.agrees(["a 1", "..."], output))
        self.assertFalse(examples.agrees(["...", "b 2", "...", "a 1", "..."], output))
        self.assertFalse(examples.agrees(["head", "a 1", "b 2"], output))

    def test_rates(self):
        table = lambda cycles, rate: ["cycles  moves/s", "------  -------", f"{cycles:6}  {rate:7}"]
        self.assertTrue(examples.agrees(table(10, 5), table(10, 777)))
        self.assertFalse(examples.agrees(table(10, 5), table(11, 5)))

    def test_update(self):
        self.assertEqual(examples.rewritten(["a 1", "...", "c 5 x"], ["a 2", "b", "c 6 x"]), ["a 2", "...", "c 6 x"])
        self.assertEqual(examples.rewritten(["...", "b 1"], ["a", "b 2", "c"]), ["...", "b 2", "..."])

    def test_blocks(self):
        page = (
            "```\n$ ./dev odonata a\nx\n$ ./dev odonata b\n```\ntext\n```\ncode\n```\n<!-- odonata c -->\ny\n"
            "<!-- end -->"
        ).split("\n")
        self.assertEqual(
            list(examples.blocks(page)),
            [(2, 3, "./dev odonata a"), (4, 4, "./dev odonata b"), (10, 11, "./dev odonata c")],
        )

    def test_output_and_exit_code_of_documented_commands(self):
        with tempfile.TemporaryDirectory() as folder:
            program, document = pathlib.Path(folder) / "program", examples.ROOT / "build" / "checkers_blocks_test.md"
            program.write_text("#!/bin/sh\necho said\nexit $1\n")
            program.chmod(0o755)

            def problems(command, said):
                document.parent.mkdir(exist_ok=True)
                document.write_text(f"```\n$ ./dev odonata {command}\n{said}\n```\n")
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        return examples.check_blocks(str(program), [document], False)
                finally:
                    document.unlink()

            for command in ("0", "1 --plant x", "1 # exit code 1"):
                self.assertEqual(problems(command, "said"), 0, command)
                self.assertEqual(problems(command, "sad"), 1, command)
            for command in ("1", "0 --plant x", "0 # exit code 1", "2 # exit code 1"):
                self.assertEqual(problems(command, "said"), 1, command)

    def test_options_of_documents_and_of_examples_of_a_help(self):
        with tempfile.TemporaryDirectory() as folder:
            program = pathlib.Path(folder) / "program"

            def problems(example, page=""):
                helps = "  --json FILE\nExamples:\n  " + example
                program.write_text(
                    f"#!/bin/sh\n[ $1 = --help ] && printf 'x\\n\\nSubcommands:\\n  net     runs\\n' && exit\n"
                    f"[ $1 = net ] || exit 1\ncat <<'E'\n{helps}\nE\n"
                )
                program.chmod(0o755)
                document = examples.ROOT / "build" / "checkers_test.md"
                document.parent.mkdir(exist_ok=True)
                document.write_text(page)
                try:
                    with contextlib.redirect_stdout(io.StringIO()):
                        return examples.check_options(str(program), [document])
                finally:
                    document.unlink()

            self.assertEqual(problems("odonata net --json a      not --this"), 0)
            self.assertEqual(problems("odonata net --jsin a"), 1)
            self.assertEqual(problems("odonata nut --json a && odonata net --b"), 2)
            self.assertEqual(problems("odonata net --json a", "$ ./dev odonata net --jso x\n"), 1)
            self.assertEqual(problems("odonata net --json a", "say `odonata net --json x` and `odonata nut`\n"), 1)
            self.assertRaises(SystemExit, problems, "nothing")


if __name__ == "__main__":
    unittest.main()
