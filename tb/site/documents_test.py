#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/site/documents.py: pages of a small repository, where their links lead, and their anchors."""
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "docs/site"))
import documents  # noqa: E402

FILES = {
    "README.md": "<!-- SPDX -->\n# The `odonata` & co\n\n[a](docs/a.md#two-words) ![p](docs/p.png)\n",
    "CHANGELOG.md": "no title\n",
    "docs/a.md": (
        "# A\n\n## Two words\n\n[up](../README.md) [own](#two-words) [file](p.png) [gone](gone.md) [other]"
        "(https://example.org/a.md) [folder](sub) [mail](mailto:a@b.c) [note](notes/1.md#x)\n\n"
        "| x | y |\n| --- | --- |\n| 1 | 2 |\n"
    ),
    "docs/network.md": "# Network <x>\n",
    "docs/sub/README.md": "# Sub\n\n[back](../a.md)\n",
    "docs/results/z.md": "# Z\n",
    "docs/results/b.md": "# B\n",
    "docs/notes/1.md": "# One\n",
    "docs/notes/2.md": "# Two\n",
    "docs/p.png": "picture",
    "docs/b c.h": "int x;",
    "docs/own/none.txt": "a folder without a page",
    "other/elsewhere.md": "# Elsewhere\n",
}


class Documents(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root, self.out = (pathlib.Path(folder.name).resolve() / name for name in ("root", "out"))
        for name, text in FILES.items():
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            (self.root / name).write_text(text)
        self.documents = documents.Documents(self.root, self.out)

    def test_pages_are_those_in_front_and_all_of_docs(self):
        self.assertEqual(
            documents.names(self.root),
            [
                "README.md",
                "CHANGELOG.md",
                "docs/a.md",
                "docs/network.md",
                "docs/notes/1.md",
                "docs/notes/2.md",
                "docs/results/b.md",
                "docs/results/z.md",
                "docs/sub/README.md",
            ],
        )
        (self.root / "CONTRIBUTING.md").write_text("# C\n")
        self.assertEqual(documents.names(self.root)[1], "CONTRIBUTING.md")
        self.assertEqual(self.documents.pages, self.documents.all)
        self.assertIsNot(self.documents.pages, self.documents.all)

    def test_a_page_has_the_name_of_its_document(self):
        self.assertEqual(documents.page_of("docs/fault.md"), "docs/fault.html")

    def test_an_and_in_a_link_is_written_once(self):
        (self.root / "docs/r&d.md").write_text("# R\n")
        (self.root / "docs/network.md").write_text("[a](r&d.md) [b](https://example.org/?a=1&b=2)\n")
        _, page = documents.Documents(self.root, self.out).render("docs/network.md")
        self.assertIn('href="../docs/r%26d.html"', page)
        self.assertIn('href="https://example.org/?a=1&amp;b=2"', page)

    def test_the_title_is_the_first_heading_of_the_first_level(self):
        self.assertEqual(documents.title_of("<!-- x -->\n## Two\n#  The `code` \n# Later\n"), "The code")
        self.assertEqual(documents.title_of("text # no\n"), "Odonata")

    def test_anchors_are_those_of_github(self):
        for heading, anchor in (
            ("Two words", "two-words"),
            ("1.2 A <em>b</em>, <code>c_d</code>: e-f!", "12-a-b-c_d-e-f"),
            (" A &amp; B &lt;x&gt; ", "a--b-x"),
        ):
            self.assertEqual(documents.slug(heading), anchor)

    def test_headings_of_the_same_words_have_numbers(self):
        page = "<h1>A</h1><p>x</p><h2>A</h2><h6>A</h6><h3>A-1</h3><h2>B\nb</h2><h7>A</h7>"
        self.assertEqual(
            documents.with_anchors(page),
            '<h1 id="a">A</h1><p>x</p><h2 id="a-1">A</h2><h6 id="a-2">A</h6><h3 id="a-1-1">A-1</h3>'
            '<h2 id="bb">B\nb</h2><h7>A</h7>',
        )
        ids = re.findall('id="(.*?)"', documents.with_anchors("<h2>A-1</h2><h2>A</h2><h2>A</h2><h2>A</h2>"))
        self.assertEqual(ids, ["a-1", "a", "a-2", "a-3"])

    def test_links_lead_to_pages_and_copies(self):
        link = self.documents.link
        self.assertEqual(link("README.md", "docs/a.md"), "docs/a.html")
        self.assertEqual(link("README.md", "docs/a.md#x"), "docs/a.html#x")
        self.assertEqual(link("docs/a.md", "../README.md"), "../README.html")
        self.assertEqual(link("docs/sub/README.md", "../a.md#x"), "../../docs/a.html#x")
        self.assertEqual(link("docs/a.md", "#own"), "#own")
        self.assertEqual(link("docs/a.md", "https://example.org/x#y"), "https://example.org/x#y")
        self.assertEqual(link("docs/a.md", "sub"), "../docs/sub/README.html")
        self.assertIsNone(link("docs/a.md", "own"))
        self.assertIsNone(link("docs/a.md", "gone.md"))
        self.assertFalse(self.out.exists())
        self.assertEqual(link("docs/a.md", "p.png"), "../docs/p.png")
        self.assertEqual((self.out / "docs/p.png").read_text(), "picture")
        self.assertEqual(link("docs/a.md", "b c.h#L3"), "../docs/b%20c.h")
        self.assertEqual(link("docs/a.md", "b%20c.h"), "../docs/b%20c.h")
        (self.root / "docs/two words.md").write_text("# Two\n")
        self.documents.all = set(documents.names(self.root))
        self.assertEqual(link("README.md", "docs/two%20words.md#x"), "docs/two%20words.html#x")
        self.assertEqual(link("README.md", "other/elsewhere.md"), "other/elsewhere.md")
        self.assertEqual((self.out / "other/elsewhere.md").read_text(), "# Elsewhere\n")

    def test_a_document_is_a_page(self):
        self.assertEqual(
            self.documents.render("docs/a.md"),
            (
                "A",
                '<article class="document"><h1 id="a">A</h1>\n<h2 id="two-words">Two words</h2>\n'
                '<p><a href="../README.html">up</a> <a href="#two-words">own</a> <a href="../docs/p.png">file</a> '
                '<a data-elsewhere="">gone</a> <a href="https://example.org/a.md">other</a> '
                '<a href="../docs/sub/README.html">folder</a> <a href="mailto:a@b.c">mail</a> '
                '<a href="../docs/notes/1.html#x">note</a></p>\n'
                '<div class="scroll"><table>\n<thead>\n<tr>\n<th>x</th>\n<th>y</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n'
                "<td>1</td>\n<td>2</td>\n</tr>\n</tbody>\n</table></div>\n</article>",
            ),
        )
        self.assertEqual(
            self.documents.render("README.md"),
            (
                "The odonata & co",
                '<article class="document"><!-- SPDX -->\n<h1 id="the-odonata--co">The <code>odonata</code> '
                '&amp; co</h1>\n'
                '<p><a href="docs/a.html#two-words">a</a> <img src="docs/p.png" alt="p" /></p>\n</article>',
            ),
        )

    def test_the_list_has_every_document_once_in_its_group(self):
        item = lambda name, title: f'<li><a href="{name}.html">{title}</a></li>'
        section = lambda title, *items: f"<section><h2>{title}</h2><ul>{''.join(items)}</ul></section>"
        self.assertEqual(
            self.documents.contents(),
            "<h1>Documents</h1>"
            + section("Start", item("README", "The odonata &amp; co"), item("CHANGELOG", "Odonata"))
            + section("Specifications", item("docs/network", "Network &lt;x&gt;"))
            + section("How-tos")
            + section("Results", item("docs/results/b", "B"), item("docs/results/z", "Z"))
            + section("Notes", item("docs/notes/2", "Two"), item("docs/notes/1", "One"))
            + section("More", item("docs/a", "A"), item("docs/sub/README", "Sub")),
        )
        self.documents.all -= {"docs/a.md", "docs/sub/README.md"}
        self.assertNotIn("More", self.documents.contents())

    def test_the_list_of_groups_names_documents_that_are_there(self):
        listed = [name for _, pages in documents.GROUPS for name in pages]
        self.assertEqual(len(listed), len(set(listed)))
        if (ROOT / "README.md").is_file():
            self.assertEqual([name for name in listed if not (ROOT / name).is_file()], [])


if __name__ == "__main__":
    unittest.main()
