"""Links in Markdown text, with their places."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<url>[^)\s]+)(?:\s+\"[^\"]*\")?\)")
FENCE = re.compile(r"^\s*(`{3,}|~{3,})")


@dataclass(frozen=True)
class Link:
    """One link and where it stands."""

    path: Path
    line: int
    text: str
    url: str


def links(path: Path, text: str) -> Iterator[Link]:
    """Yield the links of a file. Code fences are skipped."""
    fence = ""
    for number, line in enumerate(text.splitlines(), start=1):
        mark = FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
            continue
        if fence:
            if line.strip().startswith(fence):
                fence = ""
            continue
        for found in LINK.finditer(line):
            yield Link(path, number, found["text"], found["url"])


def scan(root: Path) -> Iterator[Link]:
    """Yield the links of all Markdown files below a folder, by path."""
    for path in sorted(root.rglob("*.md")):
        yield from links(path.relative_to(root), path.read_text(encoding="utf-8"))
