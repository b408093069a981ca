"""Prints the answers of the folders of projects to their cases.json."""

import importlib
import json
import sys
from pathlib import Path
from typing import Any, Dict

ERRORS = {
    "UnknownValueError": "unknown-value",
    "ExcludedError": "excluded",
    "InvalidTextError": "invalid-text",
    "MissingSlotError": "missing-slot",
    "TooLongError": "too-long",
    "CountError": "no-count",
}


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


def answer(prompts: Any, case: Dict[str, Any]) -> Dict[str, Any]:
    call = prompts.fit if case.get("fit") else prompts.load
    count = quarters if case.get("count") else None
    try:
        prompt = call(case["prompt"], case["axes"], case["slots"], count)
    except prompts.PromptError as error:
        name = type(error).__name__
        return {"error": ERRORS.get(name, f"{name}: {error}")}
    want = {"name": prompt.name, "tokens": prompt.tokens}
    if isinstance(prompt, prompts.Request):
        want["body"] = prompt.body
    else:
        want["text"] = prompt.text
        if prompt.tools:
            want["tools"] = prompt.tools
    if case.get("fit") and prompt.dropped:
        want["dropped"] = [vars(dropped) for dropped in prompt.dropped]
    return {"want": want}


root = Path(sys.argv[1])
sys.path.insert(0, str(root))
answers = {}
for at in root.glob("*/cases.json"):
    name = at.parent.name
    prompts = importlib.import_module(name + ".prompts")
    cases = json.loads(at.read_bytes())
    answers[name] = [answer(prompts, case) for case in cases]
sys.stdout.buffer.write(json.dumps(answers).encode())
