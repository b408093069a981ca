"""Posts the body of a request, as the standard library can."""

import json
import sys
from typing import cast
from urllib.request import Request, urlopen

from app.prompts import AgentDialect, agent

dialect = cast(AgentDialect, sys.argv[2])
prompt = agent(dialect=dialect, clock="2:47 PM", notes="Speaks French.", count=len)
body = json.dumps({"model": "some-model", **prompt.body}).encode()
headers = {"Content-Type": "application/json"}
urlopen(Request(sys.argv[1], body, headers), timeout=60).close()
