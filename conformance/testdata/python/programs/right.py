"""Calls that type checkers accept."""

import json

from app.prompts import HelperMode, Request, Text, agent, fit_memory, helper, memory


def quarters(text: str) -> int:
    return (len(text) + 3) // 4


mode: HelperMode = "plan"
usual: Text = helper(mode=mode, clock="{{notes}}")
noted: Text = helper(mode="code", tier="3", clock="noon", notes="É 🐦")
body: Request = agent(dialect="anthropic", clock="noon")
built: Text = memory(request="Why?")
fitted: Text = fit_memory(request="Why? " * 40, count=quarters)
tight: Text = fit_memory(request="Why? " * 150, count=quarters)

for one in usual, noted, built, fitted, tight:
    print(one.name, one.tokens, ascii(one.text.replace("Why? ", "")), one.dropped)
print(body.name, body.tokens, json.dumps(body.body))
