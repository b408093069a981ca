"""Sends, with one client, what record has to answer: whole and streamed, with a tool and without."""
import json
import os
import sys

SYSTEM, USER = "You help.", "hi"
SCHEMA = {"type": "object", "properties": {"path": {"type": "string"}}, "required": ["path"]}
FUNCTION = {"name": "read", "description": "Reads a file.", "parameters": SCHEMA}
MESSAGES = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": USER}]


def called(name, arguments):
    if isinstance(arguments, str):
        arguments = json.loads(arguments)
    return name + " " + json.dumps(arguments)


def openai(stream, tool):
    from openai import OpenAI

    more = {"tools": [{"type": "function", "function": FUNCTION}]} if tool else {}
    client = OpenAI()
    if not stream:
        message = client.chat.completions.create(model="gpt-5", messages=MESSAGES, **more).choices[0].message
    else:
        with client.chat.completions.stream(model="gpt-5", messages=MESSAGES, **more) as events:
            for _ in events:
                pass
            message = events.get_final_completion().choices[0].message
    calls = message.tool_calls or []
    return message.content or called(calls[0].function.name, calls[0].function.arguments)


def responses(stream, tool):
    from openai import OpenAI

    more = {"tools": [{"type": "function", **FUNCTION}]} if tool else {}
    client = OpenAI()
    if not stream:
        response = client.responses.create(model="gpt-5", instructions=SYSTEM, input=USER, **more)
    else:
        with client.responses.stream(model="gpt-5", instructions=SYSTEM, input=USER, **more) as events:
            for _ in events:
                pass
            response = events.get_final_response()
    return response.output_text or called(response.output[0].name, response.output[0].arguments)


def anthropic(stream, tool):
    from anthropic import Anthropic

    more = {"tools": [{"name": "read", "description": "Reads a file.", "input_schema": SCHEMA}]} if tool else {}
    client = Anthropic()
    request = {"model": "claude", "max_tokens": 10, "system": SYSTEM, "messages": [MESSAGES[1]], **more}
    if not stream:
        message = client.messages.create(**request)
    else:
        with client.messages.stream(**request) as events:
            message = events.get_final_message()
    block = message.content[0]
    return block.text if block.type == "text" else called(block.name, block.input)


def gemini(stream, tool):
    from google import genai
    from google.genai import types

    tools = [types.Tool(function_declarations=[types.FunctionDeclaration(**FUNCTION)])] if tool else None
    config = types.GenerateContentConfig(
        system_instruction=SYSTEM, tools=tools, automatic_function_calling=types.AutomaticFunctionCallingConfig(disable=True)
    )
    client = genai.Client()
    if not stream:
        all_of_it = [client.models.generate_content(model="gemini-2.5-pro", contents=USER, config=config)]
    else:
        all_of_it = list(client.models.generate_content_stream(model="gemini-2.5-pro", contents=USER, config=config))
    part = all_of_it[0].candidates[0].content.parts[0]
    return part.text or called(part.function_call.name, part.function_call.args)


def ollama(stream, tool):
    from ollama import chat

    tools = [{"type": "function", "function": FUNCTION}] if tool else None
    got = chat(model="llama3.2", messages=MESSAGES, tools=tools, stream=stream)
    message = (list(got)[0] if stream else got).message
    return message.content or called(message.tool_calls[0].function.name, dict(message.tool_calls[0].function.arguments))


def litellm(stream, tool):
    import litellm as client

    tools = [{"type": "function", "function": FUNCTION}] if tool else None
    got = client.completion(model="anthropic/claude", messages=MESSAGES, tools=tools, stream=stream)
    if stream:
        got = client.stream_chunk_builder(list(got))
    message = got.choices[0].message
    return message.content or called(message.tool_calls[0].function.name, message.tool_calls[0].function.arguments)


def langchain(stream, tool):
    from langchain_openai import ChatOpenAI

    model = ChatOpenAI(model="gpt-5")
    if tool:
        model = model.bind_tools([{"type": "function", "function": FUNCTION}])
    messages = [("system", SYSTEM), ("user", USER)]
    if not stream:
        message = model.invoke(messages)
    else:
        message = None
        for chunk in model.stream(messages):
            message = chunk if message is None else message + chunk
    return message.content or called(message.tool_calls[0]["name"], message.tool_calls[0]["args"])


def pydantic(out):
    """An agent: it calls the tool, and goes on with the conversation."""
    from pydantic_ai import Agent

    agent = Agent("openai:gpt-5", system_prompt=SYSTEM)
    out(agent.run_sync(USER).output)

    async def streamed():
        async with Agent("anthropic:claude", system_prompt=SYSTEM).run_stream(USER) as got:
            return await got.get_output()

    import asyncio

    out(asyncio.run(streamed()))

    @agent.tool_plain
    def read(path: str) -> str:
        """Reads a file."""
        out(called("read", {"path": path}))
        return "text"

    out(agent.run_sync(USER).output)


def main(name):
    def out(text):
        print(name + ": " + text, flush=True)

    if name == "pydantic":
        pydantic(out)
        return
    client = globals()[name]
    for stream, tool in ((False, False), (True, False), (False, True), (True, True), (False, False)):
        out(client(stream, tool))


os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"  # it would ask GitHub for prices
main(sys.argv[1])
