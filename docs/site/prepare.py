"""Writes the pages of the site: the repository's own, and a page for each source file that they link to.

All pages keep their places, so links between them stay as they are. README.md is the first page, and gets the table of contents.
"""

import html
import os
import pathlib
import re
import shutil
import sys

PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "docs/**/*.md", "examples/**/README.md", "tests/conformance/README.md"]
UNREAD = re.compile(r"(^|/)(target|node_modules|site)/")
LISTED = {"docs/adr": "Design decisions", "docs/measurements": "Measurements"}
CONTENTS = {
    "Start": ["docs/installation", "examples/quickstart/README", "docs/demo", "docs/demo-conversion", "docs/demo-ads-quality", "docs/glossary"],
    "Use it from Java": [
        "docs/client",
        "docs/stage-guide",
        "docs/guide/pipelines",
        "docs/guide/local-stages",
        "docs/guide/sockets-files-timers",
        "docs/guide/watching",
        "docs/guide/testing",
        "docs/testing-your-pipeline",
    ],
    "Use it from anywhere": ["docs/cli", "docs/http", "docs/clients", "docs/errors", "docs/limits", "docs/archive-format"],
    "Run it": [
        "docs/operations",
        "docs/configuration",
        "docs/docker",
        "docs/security",
        "docs/dashboard",
        "docs/monitoring",
        "docs/troubleshooting",
        "docs/upgrading",
        "docs/hbase",
    ],
    "How it works": ["docs/architecture", "docs/design-decisions", "docs/adr/index", "docs/dependencies"],
    "How fast, and how tested": [
        "docs/performance",
        "docs/benchmarks",
        "docs/testing",
        "docs/chaos",
        "docs/histories",
        "docs/measurements/index",
        "tests/conformance/README",
    ],
    "The project": ["CONTRIBUTING", "CHANGELOG"],
}
LANGUAGES = {".java": "java", ".proto": "protobuf", ".xml": "xml", ".yml": "yaml", ".yaml": "yaml", ".json": "json", ".service": "ini"}
LINK = re.compile(r"(\]\()([^)#\s]+)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^ *```")
DIAGRAM = re.compile(r"^```mermaid\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Site:
    def __init__(self, root, target):
        self.root = root
        self.target = target
        self.pages = []
        self.sources = set()
        self.broken = []

    def write(self):
        pages = {page for pattern in PAGES for page in self.root.glob(pattern)}
        for page in sorted(pages):
            name = page.relative_to(self.root).as_posix()
            if not UNREAD.search(name):
                self.pages.append(self._place(name).removesuffix(".md"))
                self._write(self._place(name), self._linked(name, page.read_text(encoding="utf-8")))
        for folder, title in LISTED.items():
            self._write(f"{folder}/index.md", f"# {title}\n\n" + contents("", ["*"], ":glob:"))
        for name in sorted(self.sources):
            self._write(f"{name}.md", self._source(name))
        listed = {page for part in CONTENTS.values() for page in part}
        more = [page for page in self.pages if page not in listed and not page.startswith(tuple(LISTED)) and page != "index"]
        with open(self.target / "index.md", "a", encoding="utf-8") as first:
            for caption, part in {**CONTENTS, "More": more}.items():
                there = [page for page in part if (self.target / f"{page}.md").exists()]
                first.write("\n" + contents(caption, there, ":hidden:"))
        shutil.copytree(self.root / "docs/images", self.target / "docs/images")
        return self.broken

    @staticmethod
    def _place(name):
        return "index.md" if name == "README.md" else name

    def _linked(self, name, text):
        """Returns the text of a page with the links that lead elsewhere on the site than in the repository, and diagrams as diagrams.js finds them."""
        lines, fenced = [], False
        for line in text.split("\n"):
            fenced ^= bool(FENCE.match(line))
            lines.append(line if fenced else LINK.sub(lambda link: link[1] + self._link(name, link[2]) + link[3], line))
        return DIAGRAM.sub(lambda diagram: f'<pre class="mermaid">\n{html.escape(diagram[1])}</pre>', "\n".join(lines))

    def _link(self, name, target):
        if "://" in target or target.startswith("mailto:"):
            return target
        path = os.path.normpath(os.path.join(os.path.dirname(name), target))
        file = self.root / path
        if file.is_dir():
            path = f"{path}/index.md" if path in LISTED else f"{path}/README.md"
        elif not file.is_file():
            self.broken.append(f"{name}: {target}")
        elif file.suffix not in (".md", ".png"):
            self.sources.add(path)
            path += ".md"
        return os.path.relpath(self._place(path), os.path.dirname(name) or ".")

    def _source(self, name):
        text = (self.root / name).read_text(encoding="utf-8").rstrip("\n")
        language = LANGUAGES.get(pathlib.PurePath(name).suffix, "text")
        return f"---\norphan: true\n---\n\n# {pathlib.PurePath(name).name}\n\n`{name}`\n\n````{language}\n{text}\n````\n"

    def _write(self, name, text):
        file = self.target / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")


def contents(caption, pages, option):
    return "\n".join(["```{toctree}", *([f":caption: {caption}"] if caption else []), option, "", *pages, "```", ""])


if __name__ == "__main__":
    problems = Site(pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])).write()
    if problems:
        sys.exit("links to nothing:\n" + "\n".join(problems))
