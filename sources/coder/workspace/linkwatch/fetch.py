"""Asks servers whether a link is alive."""

import time
import urllib.error
import urllib.request
from dataclasses import dataclass
from enum import Enum

TIMEOUT = 10.0
TRIES = 3


class State(Enum):
    ALIVE = "alive"
    MOVED = "moved"
    DEAD = "dead"


@dataclass(frozen=True)
class Answer:
    """What came of asking once."""

    url: str
    state: State
    status: int
    target: str = ""


def ask(url: str, wait=time.sleep) -> Answer:
    """Ask for a URL; servers that do not answer get another try."""
    for attempt in range(TRIES):
        try:
            return once(url)
        except TimeoutError:
            wait(2**attempt)
    return Answer(url, State.DEAD, 0)


def once(url: str) -> Answer:
    request = urllib.request.Request(url, method="HEAD")
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT) as response:
            if response.url != url:
                return Answer(url, State.MOVED, response.status, response.url)
            return Answer(url, State.ALIVE, response.status)
    except urllib.error.HTTPError as error:
        return Answer(url, State.DEAD, error.code)
    except urllib.error.URLError:
        return Answer(url, State.DEAD, 0)
