import os
import sys

import pytest

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
import agent

SERVER = os.environ["SERVER"]
pytestmark = pytest.mark.vcr


def test_chat():
    agent.chat(SERVER)


def test_respond():
    agent.respond(SERVER)


@pytest.mark.parametrize("who", ["ann", "bob smith"])
def test_claude(who):
    agent.claude(SERVER, who)


def test_gemini():
    agent.gemini(SERVER)


def test_llama():
    agent.llama(SERVER)
