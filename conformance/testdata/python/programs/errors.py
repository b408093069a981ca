"""Prints the class of the error that each wrong call raises."""

import sys
from typing import Any, Callable, Dict, List, Optional, Tuple

from app import prompts

chat = {"mode": "chat"}
noon = {"clock": "noon"}


def call(
    values: Dict[str, str],
    slots: Dict[str, Any],
    count: Optional[Callable[[str], int]] = None,
) -> Callable[[], object]:
    return lambda: prompts.load("helper", values, slots, count)


calls: List[Tuple[str, Callable[[], object]]] = [
    ("prompt", lambda: prompts.load("helpers", {}, {})),
    ("axis", call({"modes": "chat", "mode": "chat"}, noon)),
    ("no axis", call({}, noon)),
    ("value", call({"mode": "chatt"}, noon)),
    ("excluded", call({"mode": "chat", "tier": "3"}, noon)),
    ("missing", call(chat, {})),
    ("empty", call(chat, {"clock": ""})),
    ("unknown", call(chat, {**noon, "clocks": "noon"})),
    ("half", call(chat, {"clock": "\ud83d"})),
    ("number", call(chat, {"clock": 12})),
    ("short", call(chat, {"clock": "🐦" * 12})),
    ("long", call(chat, {"clock": "12:00 " * 9})),
    ("counted", call(chat, {"clock": "12:00 " * 9}, lambda text: 12)),
    ("too long", call(chat, {"clock": "12:00 " * 9}, lambda text: 13)),
    ("fit", lambda: prompts.fit("memory", {}, {"request": "Why?"})),
    ("slot", call(chat, {"clock": "{{notes}}", "notes": "{{clock}}"})),
]
for name, wrong in calls:
    try:
        wrong()
        print(f"{name}: nothing")
    except prompts.PromptError as error:
        print(f"{name}: {type(error).__name__}: {error}")
sys.exit()
