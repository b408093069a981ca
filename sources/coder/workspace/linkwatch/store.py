"""Keeps answers in SQLite, so that a link is not asked for twice a day."""

import sqlite3
from importlib import resources
from pathlib import Path

from linkwatch.fetch import Answer, State

DAY = 24 * 60 * 60


class Store:
    def __init__(self, path: Path):
        self.db = sqlite3.connect(path)
        self.db.executescript(resources.files("linkwatch").joinpath("schema.sql").read_text())

    def recent(self, url: str, now: int) -> Answer | None:
        """Give the last answer, unless it is older than a day."""
        row = self.db.execute(
            "SELECT state, status, target FROM answer WHERE url = ? AND asked_at > ?", (url, now - DAY)
        ).fetchone()
        return Answer(url, State(row[0]), row[1], row[2]) if row else None

    def keep(self, answer: Answer, now: int) -> None:
        with self.db:
            self.db.execute(
                "INSERT INTO answer (url, state, status, target, asked_at) VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (url) DO UPDATE SET state = excluded.state, status = excluded.status, "
                "target = excluded.target, asked_at = excluded.asked_at",
                (answer.url, answer.state.value, answer.status, answer.target, now),
            )
