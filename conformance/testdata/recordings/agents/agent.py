"""An agent with two axes: what it may do, and the language that it speaks."""
import os
import sys

from openai import OpenAI

RULES = {"ask": "Answer the question.", "edit": "Edit the files."}
EDIT = {"type": "function", "function": {"name": "edit", "description": "Edits a file.", "parameters": {"type": "object"}}}

mode = sys.argv[1]
system = f"# Agent\n\nYou are in {os.getcwd()}. Speak {os.environ['LANGUAGE']}.\n\n# Rules\n\n{RULES[mode]} Be brief."
more = {"tools": [EDIT]} if mode == "edit" else {}
client = OpenAI()
client.chat.completions.create(model="gpt-5-mini", messages=[{"role": "user", "content": "A title for: hello"}])
client.chat.completions.create(model="gpt-5", messages=[{"role": "system", "content": system}, {"role": "user", "content": "hello"}], **more)
