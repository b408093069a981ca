"""Prints findings, for people and for programs."""

import json
from collections.abc import Iterable

from linkwatch.fetch import Answer, State
from linkwatch.scan import Link

Finding = tuple[Link, Answer]


def text(findings: Iterable[Finding]) -> str:
    """One line a finding: path:line: state url."""
    return "".join(f"{link.path}:{link.line}: {describe(answer)}\n" for link, answer in findings)


def describe(answer: Answer) -> str:
    if answer.state is State.MOVED:
        return f"moved {answer.url} -> {answer.target}"
    return f"dead {answer.url} ({answer.status or 'no answer'})"


def as_json(findings: Iterable[Finding]) -> str:
    rows = [
        {"path": str(link.path), "line": link.line, "url": link.url, "state": answer.state.value, "status": answer.status}
        for link, answer in findings
    ]
    return json.dumps(rows, indent=2, ensure_ascii=False) + "\n"
