#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/reference.py: modules, pins, sockets, headers and Python as the reference shows them, of small sources."""
import pathlib
import re
import sys
import tempfile
import textwrap
import unittest
import xml.etree.ElementTree as xml
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import reference  # noqa: E402

MODULE = """// SPDX-License-Identifier: Apache-2.0
//
// First line with `code`
// goes on.
//
//   drawn & set in
// Cost: none.

// not in front
module gate #(
  parameter int Width = 7  // one; or two
) (
  input  logic             clk_i,
  input                    rst_ni,      // active low; `0` resets
  input  wire [Width<<1:0]  request_i,
  inout  tri               bus_io,
  output gate_pkg::kind_t  kind_o,
  output var logic [3:0][1:0] wide_o [2],  // two & two
  output logic             last_o
);
  assign last_o = clk_i;
endmodule
"""
GATE_PINS = [
    ["<code>clk_i</code>", "in", "1", ""],
    ["<code>rst_ni</code>", "in", "1", "active low; <code>0</code> resets"],
    ["<code>request_i</code>", "in", "[Width&lt;&lt;1:0]", ""],
    ["<code>bus_io</code>", "inout", "tri", ""],
    ["<code>kind_o</code>", "out", "gate_pkg::kind_t", ""],
    ["<code>wide_o</code>", "out", "[3:0][1:0][2]", "two &amp; two"],
    ["<code>last_o</code>", "out", "1", ""],
]
UNIT = """[in]
req = { bits = 3, text = "a `request` & more" }
[out]
map = { count = "Stops", bits = "A<H", text = "map" }
one = { count = 4 }
flag = {}
"""
SOCKETS = """class Plane : public sc_core::sc_module {
 public:
  /// What comes in,
  ///in two lines.
  tlm_utils::simple_target_socket<Plane, 32> in;
  Out out{"out"};

  const tlm::tlm_initiator_socket<>& port(int index) { return ports_[index]; }
  int other;
  /// Not of a socket.
  int comment;
  RingSocket ring;
 private:
  TargetSocket hidden;
  using Out = x;
  using RingSocket = tlm_utils::multi_passthrough_initiator_socket<Plane>;
};
class Declared;
struct Open {
  InSocket first;
 protected:
  InSocket second;
};
"""
PYTHON = '''"""The module.

    import odonata

Words.
"""
import os


def address(group: int, *, node=0) -> int:
    """Of a `node`."""


def _hidden():
    """No."""


class Unit:
    """A unit.

    More of it."""

    def __init__(self, block: str, size="tiny"):
        """Not said apart."""

    def step(self, **pins) -> dict:
        """A cycle."""

    @property
    def cycle(self) -> int:
        """The `cycle`."""

    @staticmethod
    def known(selfish):
        pass

    def _inner(self):
        pass


class Bare:
    pass
'''
COMPOUND = """<compounddef kind="class" prot="public"><compoundname>odonata::fault::Plane</compoundname>
<sectiondef>
<memberdef kind="function" prot="public"><name>step</name><definition>void odonata::fault::Plane::step</definition>
<argsstring>(odonata::Gid at)</argsstring><briefdescription><para>One  <b>cycle</b>.</para></briefdescription>
<detaileddescription><para>More.</para></detaileddescription><location file="models/fault/plane.h"/></memberdef>
<memberdef kind="function" prot="private"><name>hidden</name><location file="models/fault/plane.h"/></memberdef>
<memberdef kind="friend" prot="public"><name>other</name><location file="models/fault/plane.h"/></memberdef>
<memberdef kind="variable"><name>size</name><definition>int odonata::fault::Plane::size</definition>
<initializer>= 3</initializer><location file="models/fault/plane.h"/></memberdef>
<memberdef kind="variable"><name>odd</name><definition>int odonata::fault::Plane::odd</definition>
<location file="models/fault/plane.h"/></memberdef>
<memberdef kind="typedef"><name>Row</name><definition>using odonata::fault::Plane::Row</definition><argsstring/>
<initializer>= 3</initializer><location file="models/fault/row.h"/></memberdef>
<memberdef kind="enum"><name>Kind</name><enumvalue><name>Down</name></enumvalue><enumvalue><name>Up</name></enumvalue>
<location file="models/fault/plane.h"/></memberdef>
</sectiondef><briefdescription>The plane.</briefdescription><location file="models/fault/plane.h"/></compounddef>"""
STEP = ("models/fault/plane.h", "void step(Gid at)", "One cycle. More.")
SIZE = ("models/fault/plane.h", "int size = 3", "")
ODD = ("models/fault/plane.h", "int odd", "")
ROW = ("models/fault/row.h", "using Row", "")
KIND = ("models/fault/plane.h", "enum Kind { Down, Up }", "")


class Case(unittest.TestCase):
    def root(self, files={}):
        """A folder with these files."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        root = pathlib.Path(folder.name).resolve()
        for name, text in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        return root


class Words(unittest.TestCase):
    def test_text_is_escaped_and_code_is_code(self):
        self.assertEqual(reference.code("a<b>"), "<code>a&lt;b&gt;</code>")
        self.assertEqual(reference.code(3), "<code>3</code>")
        self.assertEqual(reference.prose("a & `b<c` `d` `e"), "a &amp; <code>b&lt;c</code> <code>d</code> `e")

    def test_a_table_has_its_header_and_cells_of_html(self):
        self.assertEqual(
            reference.table(("a<", "b"), [["<b>1</b>", 2], [3, 4]]),
            '<div class="scroll"><table><thead><tr><th>a&lt;</th><th>b</th></tr></thead><tbody><tr><td><b>1</b></td>'
            "<td>2</td></tr><tr><td>3</td><td>4</td></tr></tbody></table></div>",
        )

    def test_lines_set_in_stay_lines(self):
        self.assertEqual(
            reference.paragraphs("one `a`\ntwo\n  x < 1\n    y\nthree\n \n\nfour"),
            "<p>one <code>a</code>\ntwo</p><pre>x &lt; 1\n  y</pre><p>three</p><p>four</p>",
        )
        self.assertEqual(reference.paragraphs(""), "")


class Modules(Case):
    def test_the_comment_in_front_has_no_licence(self):
        self.assertEqual(
            reference.header_comment(MODULE),
            "First line with `code`\ngoes on.\n\n  drawn & set in\nCost: none.",
        )
        self.assertEqual(reference.header_comment("module x;\n// later\n"), "")

    def test_a_module_has_every_pin_of_its_declaration(self):
        root = self.root(
            {"rtl/b/gate.sv": MODULE, "rtl/a/types.sv": "package types;\nendpackage\nmodule late; endmodule\n"}
        )
        (root / "rtl/a/none.sv").write_text("// module text;\n")
        found = reference.modules(root)
        self.assertEqual(
            found,
            {
                "a": [("types", "rtl/a/types.sv", "", "package types;", [])],
                "b": [
                    (
                        "gate",
                        "rtl/b/gate.sv",
                        reference.header_comment(MODULE),
                        MODULE[MODULE.index("module gate") : MODULE.index(");\n") + 2],
                        GATE_PINS,
                    )
                ],
            },
        )
        self.assertEqual(list(found), ["a", "b"])
        root = self.root({"rtl/b/gate.sv": MODULE, "models/b/gate.toml": UNIT})
        self.assertEqual(reference.modules(root)["b"][0][4], reference.pins(root, "b", "gate", ""))

    def test_a_unit_has_the_pins_of_its_description(self):
        root = self.root({"models/b/gate.toml": UNIT})
        self.assertEqual(
            reference.pins(root, "b", "gate", ""),
            [
                ["<code>clk_i</code>", "in", "1", "clock"],
                ["<code>rst_ni</code>", "in", "1", "synchronous reset, active low"],
                ["<code>req_i</code>", "in", "3", "a <code>request</code> &amp; more"],
                ["<code>map_o</code>", "out", "Stops x A&lt;H", "map"],
                ["<code>one_o</code>", "out", "4 x 1", ""],
                ["<code>flag_o</code>", "out", "1", ""],
            ],
        )
        self.assertEqual(reference.pins(root, "c", "gate", ""), [])

    def test_a_page_of_a_family_has_a_part_for_each_module(self):
        pin = ["<code>a_i</code>", "in", "1", "text"]
        self.assertEqual(
            reference.family_page(
                "a<", [("gate", "rtl/g.sv", "It.", "module gate(a<b);", [pin]), ("p", "f", "", "d", [])]
            ),
            '<article class="document"><h1>RTL: a&lt;</h1><section id="gate"><h2>gate</h2><p><code>rtl/g.sv</code></p>'
            "<p>It.</p>"
            + reference.table(("pin", "direction", "bits", "meaning"), [pin])
            + "<details><summary>Declaration</summary><pre>module gate(a&lt;b);</pre></details></section>"
            '<section '
            'id="p"><h2>p</h2><p><code>f</code></p><details><summary>Declaration</summary><pre>d</pre></details>'
            "</section></article>",
        )


class Headers(Case):
    def test_words_of_an_element_are_in_one_line(self):
        self.assertEqual(reference.words(xml.fromstring("<a> one\n <b>two</b> </a>")), "one two")
        self.assertEqual(reference.words(None), "")

    def test_members_that_are_public_are_declared_as_in_their_class(self):
        self.assertEqual(reference.members(xml.fromstring(COMPOUND)), [STEP, SIZE, ODD, ROW, KIND])

    def test_a_member_without_a_definition_has_its_name(self):
        member = xml.fromstring('<memberdef kind="typedef"><name>Row</name></memberdef>')
        self.assertEqual(reference.declaration(member, "x"), "Row")

    def test_a_header_has_its_page_and_component(self):
        self.assertEqual(reference.page_of("models/fault/plane.h"), ("models/fault", "models"))
        self.assertEqual(reference.page_of("hw/router/deep/x.h"), ("hw/router", "hw"))
        self.assertEqual(reference.page_of("sim/network/topologies/x.h"), ("sim/network", "network"))
        self.assertEqual(reference.page_of("tb/harness/x.h"), ("tb", "cosim"))
        self.assertEqual(reference.page_name("sim/network"), "sim_network.html")

    def headers(self, *compounds):
        """What comes of the XML of a Doxygen that is not run."""
        root = self.root(
            {
                "models/fault/plane.h": "",
                "models/fault/row.h": "",
                "sim/network/policy.h": "",
                "tb/harness/odonata_device.h": "",
            }
        )
        asked = []

        def run(command, input, **_):
            asked.append((command, input))
            folder = pathlib.Path(re.search(r"OUTPUT_DIRECTORY = (.*)", input)[1]) / "xml"
            folder.mkdir()
            for at, compound in enumerate(compounds):
                (folder / f"{at}.xml").write_text(f"<doxygen>{compound}</doxygen>")

        with mock.patch.object(reference.shutil, "which", lambda name: name == "doxygen"):
            with mock.patch.object(reference.subprocess, "run", run):
                found = reference.headers(root)
        ((command, options),) = asked
        self.assertEqual(command, ["doxygen", "-"])
        self.assertIn(f'INPUT = "{root}/models/fault/plane.h" "{root}/models/fault/row.h"', options)
        self.assertIn(f"STRIP_FROM_PATH = {root}\n", options)
        return found

    def test_every_installed_header_has_what_it_declares(self):
        member = COMPOUND[COMPOUND.index("<sectiondef>") : COMPOUND.index("</sectiondef>") + len("</sectiondef>")]
        namespace = lambda name, inside: (
            f'<compounddef kind="namespace"><compoundname>{name}</compoundname>{inside}</compounddef>'
        )
        source = '<memberdef kind="variable"><name>x</name><location file="models/fault/plane.cpp"/></memberdef>'
        found = self.headers(
            COMPOUND,
            COMPOUND.replace('class" prot="public"', 'struct" prot="private"'),
            COMPOUND.replace('class" prot="public"', 'file" prot="public"'),
            namespace("odonata::fault", member.replace("Plane::", "")),
            namespace("", f"<sectiondef>{source}</sectiondef>" + member.replace("odonata::fault::Plane::", "")),
        )
        rows = [STEP[1:], SIZE[1:], ODD[1:], KIND[1:]]
        self.assertEqual(
            found,
            {
                "models/fault": {
                    "models/fault/plane.h": [
                        ("class fault::Plane", "The plane.", [STEP[1:], SIZE[1:], ODD[1:], ROW[1:], KIND[1:]]),
                        ("namespace fault", "", rows),
                        ("Declarations", "", rows),
                    ],
                    "models/fault/row.h": [("namespace fault", "", [ROW[1:]]), ("Declarations", "", [ROW[1:]])],
                },
                "sim/network": {"sim/network/policy.h": []},
            },
        )

    def test_a_structure_is_listed_as_one(self):
        found = self.headers(COMPOUND.replace('kind="class"', 'kind="struct"', 1))
        self.assertEqual(
            [title for title, _, _ in found["models/fault"]["models/fault/plane.h"]], ["struct fault::Plane"]
        )

    def test_without_doxygen_there_are_none(self):
        root = self.root({"models/fault/plane.h": ""})
        with mock.patch.object(reference.shutil, "which", lambda name: None):
            with mock.patch.object(reference.subprocess, "run", mock.Mock(side_effect=AssertionError)):
                self.assertEqual(reference.headers(root), {})

    def test_a_page_of_a_folder_has_its_headers_in_order(self):
        root = self.root(
            {"models/f/b.h": "// SPDX-License-Identifier: x\n// What `b` is.\n", "models/f/a.h": "int x;\n"}
        )
        files = {
            "models/f/b.h": [("struct Z", "Zed & co.", []), ("class B", "", [("int x<y>", "of `x`")])],
            "models/f/a.h": [],
        }
        self.assertEqual(
            reference.folder_page(root, "models/f", files),
            '<article class="document"><h1>C++: models/f</h1><details class="contents"><summary>On this page: 2 headers'
            '</summary><nav aria-label="On this page"><a href="#models/f/a.h">a.h</a><a '
            'href="#models/f/b.h">b.h</a></nav>'
            '</details><h2 id="models/f/a.h">models/f/a.h</h2><h2 id="models/f/b.h">models/f/b.h</h2>'
            "<p>What <code>b</code> is.</p><section><h3>class B</h3><p></p>"
            + reference.table(("declaration", "meaning"), [["<code>int x&lt;y&gt;</code>", "of <code>x</code>"]])
            + "</section><section><h3>struct Z</h3><p>Zed &amp; co.</p></section></article>",
        )

    def test_the_interface_of_a_device_stands_as_it_is(self):
        page = reference.device_page(self.root({"tb/harness/odonata_device.h": "int a; // <b>\n"}))
        self.assertEqual(
            page,
            '<article class="document"><h1>C: <code>odonata_device.h</code></h1><p>In C, so that any language '
            'can make a '
            'device; <a href="../docs/examples/own_rtl.html">how it is used</a>.</p><pre>int a; // &lt;b&gt;\n</pre>'
            "</article>",
        )


class Sockets(Case):
    def test_the_direction_is_that_of_the_type_behind_the_name(self):
        text = "using Up =\n  tlm::tlm_initiator_socket<>;\nusing Down = tlm::tlm_target_socket<>;"
        kinds = ("Up", "Down", "tlm::tlm_initiator_socket", "OtherSocket")
        self.assertEqual(
            [reference.direction(kind, text) for kind in kinds], ["initiator", "target", "initiator", "target"]
        )

    def test_public_sockets_have_the_comment_above_them(self):
        root = self.root({"hw/b/plane.h": SOCKETS, "hw/a/first.h": "struct First {\n  InSocket x;\n};\n"})
        file = "hw/b/plane.h"
        self.assertEqual(
            reference.sockets(root),
            [
                ("First", "x", "target", "", "hw/a/first.h"),
                ("Plane", "in", "target", "What comes in, in two lines.", file),
                ("Plane", "port(int index)", "initiator", "", file),
                ("Plane", "ring", "initiator", "", file),
                ("Open", "first", "target", "", file),
            ],
        )

    def test_a_class_is_closed_until_it_says_public(self):
        text = "class A {\n  InSocket one;\n public:\n  InSocket two{\n protected:\n  InSocket three;\n};\n"
        self.assertEqual([s[1] for s in reference.sockets(self.root({"hw/a.h": text}))], ["two"])


class Python(Case):
    FOUND = [
        ("odonata", "import odonata", "The module.\n\n    import odonata\n\nWords."),
        ("address", "address(group: int, *, node=0) -> int", "Of a `node`."),
        ("Unit", "class Unit(block: str, size='tiny')", "A unit.\n\nMore of it."),
        ("Unit.step", "Unit.step(**pins) -> dict", "A cycle."),
        ("Unit.cycle", "Unit.cycle -> int", "The `cycle`."),
        ("Unit.known", "Unit.known(selfish)", ""),
        ("Bare", "class Bare()", ""),
    ]

    def test_what_an_import_gives(self):
        self.assertEqual(reference.of_python(self.root({"sim/python/package/__init__.py": PYTHON})), self.FOUND)
        root = self.root({"sim/python/package/__init__.py": "x = 1\n"})
        self.assertEqual(reference.of_python(root), [("odonata", "import odonata", "")])

    def test_members_stand_with_their_class(self):
        page = reference.python_page(self.FOUND)
        members = [
            ["<code>Unit.step(**pins) -&gt; dict</code>", "A cycle."],
            ["<code>Unit.cycle -&gt; int</code>", "The <code>cycle</code>."],
            ["<code>Unit.known(selfish)</code>", ""],
        ]
        self.assertEqual(
            page,
            '<article class="document"><h1>Python: <code>import odonata</code></h1><p>The module.</p>'
            "<pre>import odonata</pre><p>Words.</p>"
            '<section id="address"><h2>address</h2><pre>address(group: int, *, node=0) -&gt; int</pre><p>Of a '
            '<code>node</code>.</p>'
            "</section>"
            '<section id="Unit"><h2>Unit</h2><pre>class Unit(block: str, size=&#x27;tiny&#x27;)</pre><p>A unit.</p>'
            f'<p>More of it.</p>{reference.table(("call", "meaning"), members)}</section>'
            '<section id="Bare"><h2>Bare</h2><pre>class Bare()</pre></section></article>',
        )


class Pages(Case):
    CPP = {
        "sim/network": {"sim/network/policy.h": [("namespace n", "", [])]},
        "models/b": {
            "models/b/z.h": [("struct Z", "", []), ("class A", "", []), ("Declarations", "", [])],
            "models/b/y.h": [],
        },
    }

    def pages(self, cpp):
        root = self.root(
            {
                "rtl/b/gate.sv": MODULE,
                "hw/b/plane.h": "struct Open {\n  /// A `b` & <c>.\n  InSocket first;\n};\n",
                "sim/python/package/__init__.py": PYTHON,
                "tb/harness/odonata_device.h": "int a;\n",
                "sim/network/policy.h": "",
                "models/b/y.h": "",
                "models/b/z.h": "",
            }
        )
        with mock.patch.object(reference, "headers", lambda _: cpp):
            return root, list(reference.pages(root))

    def test_every_page_of_the_reference(self):
        root, pages = self.pages(self.CPP)
        self.assertEqual(
            [page[:2] for page in pages],
            [
                ("reference.html", "Reference"),
                ("reference/rtl_b.html", "RTL: b"),
                ("reference/python.html", "Python: odonata"),
                ("reference/device.html", "C: odonata_device.h"),
                ("reference/sim_network.html", "C++: sim/network"),
                ("reference/models_b.html", "C++: models/b"),
            ],
        )
        self.assertEqual(
            [page[2] for page in pages[1:]],
            [
                reference.family_page("b", reference.modules(root)["b"]),
                reference.python_page(Python.FOUND),
                reference.device_page(root),
                *(reference.folder_page(root, folder, files) for folder, files in self.CPP.items()),
            ],
        )
        tables = [
            reference.table(
                ("module", "family", "what"),
                [['<a href="reference/rtl_b.html#gate">gate</a>', "b", "First line with <code>code</code> goes on."]],
            ),
            reference.table(
                ("module", "socket", "direction", "what it takes", "header"),
                [
                    [
                        "Open",
                        "<code>first</code>",
                        "target",
                        "A <code>b</code> &amp; &lt;c&gt;.",
                        "<code>hw/b/plane.h</code>",
                    ]
                ],
            ),
            reference.table(
                ("name", "declaration", "what"),
                [
                    [
                        '<a href="reference/python.html#address">address</a>',
                        "<code>address(group: int, *, node=0) -&gt; int</code>",
                        "Of a <code>node</code>.",
                    ],
                    [
                        '<a href="reference/python.html#Unit">Unit</a>',
                        "<code>class Unit(block: str, size=&#x27;tiny&#x27;)</code>",
                        "A unit.",
                    ],
                    ['<a href="reference/python.html#Bare">Bare</a>', "<code>class Bare()</code>", ""],
                ],
            ),
            reference.table(
                ("header", "component", "classes"),
                [
                    ['<a href="reference/models_b.html#models/b/y.h">models/b/y.h</a>', "models", ""],
                    ['<a href="reference/models_b.html#models/b/z.h">models/b/z.h</a>', "models", "A, Z"],
                    [
                        '<a href="reference/sim_network.html#sim/network/policy.h">sim/network/policy.h</a>',
                        "network",
                        "",
                    ],
                ],
            ),
        ]
        body = pages[0][2]
        self.assertEqual(re.findall(r'<div class="scroll">.*?</div>', body), tables)
        self.assertEqual(
            re.sub(r'<div class="scroll">.*?</div>', "T", body),
            "<h1>Reference</h1><section><h2>SystemVerilog modules</h2>T</section><section><h2>TLM-2.0 sockets</h2>T"
            "</section><section><h2>Python</h2>T</section><section><h2>C: a device of your own</h2><p>"
            '<a href="reference/device.html">odonata_device.h</a>: the interface between the program and a library '
            "with your design.</p></section><section><h2>C++ headers</h2><p>Those that are installed, with the "
            "component of the package that they belong to; headers that are made from the units' descriptions hold "
            "the pins that stand with "
            "the modules above.</p>T</section>",
        )

    def test_without_doxygen_the_list_says_so(self):
        _, pages = self.pages({})
        self.assertEqual(len(pages), 4)
        self.assertTrue(
            pages[0][2].endswith(
                "<section><h2>C++ headers</h2><p>Left out: there was no Doxygen where this site was made "
                "(<code>apt-get install doxygen</code>).</p></section>"
            )
        )


if __name__ == "__main__":
    unittest.main()
