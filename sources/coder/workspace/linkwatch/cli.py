"""The command line."""

import argparse
import sys
import time
from pathlib import Path

from linkwatch import report
from linkwatch.fetch import State, ask
from linkwatch.scan import scan
from linkwatch.store import Store


def main(argv: list[str] | None = None) -> int:
    options = parser().parse_args(argv)
    store, now = Store(options.cache), int(time.time())
    findings = []
    for link in scan(options.root):
        if not link.url.startswith(("http://", "https://")):
            continue
        answer = store.recent(link.url, now)
        if answer is None:
            answer = ask(link.url)
            store.keep(answer, now)
        if answer.state is not State.ALIVE:
            findings.append((link, answer))
    sys.stdout.write(report.as_json(findings) if options.json else report.text(findings))
    return 1 if any(answer.state is State.DEAD for _, answer in findings) else 0


def parser() -> argparse.ArgumentParser:
    out = argparse.ArgumentParser(prog="linkwatch")
    out.add_argument("root", type=Path, nargs="?", default=Path())
    out.add_argument("--json", action="store_true", help="print a JSON list")
    out.add_argument("--cache", type=Path, default=Path(".linkwatch.db"))
    return out
