"""A program with a prompt, and its requests to five providers."""

SYSTEM = "You are an agent.\n\n# Rules\n\nBe brief. It’s “fine” 🐦.\n"
ARGUMENTS = {"type": "object", "properties": {"command": {"type": "string"}}}


def chat(server):
    import openai

    client = openai.OpenAI(base_url=server + "/v1", api_key="none")
    messages = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": "hi"}]
    tools = [{"type": "function", "function": {"name": "exec", "description": "Runs a command.", "parameters": ARGUMENTS}}]
    answer = client.chat.completions.create(model="gpt-5", messages=messages, tools=tools)
    messages += [{"role": "assistant", "content": answer.choices[0].message.content}, {"role": "user", "content": "go on"}]
    client.chat.completions.create(model="gpt-5", messages=messages, tools=tools)


def respond(server):
    import openai

    openai.OpenAI(base_url=server + "/v1", api_key="none").responses.create(model="gpt-5", instructions=SYSTEM, input="hi")


def claude(server, who):
    import anthropic

    anthropic.Anthropic(base_url=server, api_key="none").messages.create(
        model="claude",
        max_tokens=5,
        system=[{"type": "text", "text": SYSTEM}],
        messages=[{"role": "user", "content": "I am " + who}],
        tools=[{"name": "exec", "description": "Runs a command.", "input_schema": ARGUMENTS}],
    )


def gemini(server):
    from google import genai
    from google.genai import types

    client = genai.Client(api_key="none", http_options=types.HttpOptions(base_url=server))
    tool = types.FunctionDeclaration(name="exec", description="Runs a command.", parameters_json_schema=ARGUMENTS)
    client.models.generate_content(
        model="gemini",
        contents="hi",
        config=types.GenerateContentConfig(system_instruction=SYSTEM, temperature=0.5, tools=[types.Tool(function_declarations=[tool])]),
    )


def llama(server):
    import ollama

    ollama.Client(host=server).chat(model="qwen3:8b", messages=[{"role": "system", "content": SYSTEM}, {"role": "user", "content": "hi"}])
