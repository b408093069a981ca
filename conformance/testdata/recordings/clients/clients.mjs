// Sends, with one client, what record has to answer: whole and streamed, with a tool and
// without.
const SYSTEM = "You help.", USER = "hi";
const SCHEMA = { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false };
const FUNCTION = { name: "read", description: "Reads a file.", parameters: SCHEMA };
const MESSAGES = [{ role: "system", content: SYSTEM }, { role: "user", content: USER }];

const called = (name, args) => name + " " + JSON.stringify(typeof args === "string" ? JSON.parse(args) : args).replace(":", ": ");

const clients = {
  async openai(stream, tool) {
    const { default: OpenAI } = await import("openai");
    const request = { model: "gpt-5", messages: MESSAGES, ...(tool ? { tools: [{ type: "function", function: FUNCTION }] } : {}) };
    const { chat } = new OpenAI();
    const message = stream ? await chat.completions.stream(request).finalMessage() : (await chat.completions.create(request)).choices[0].message;
    return message.content || called(message.tool_calls[0].function.name, message.tool_calls[0].function.arguments);
  },
  async responses(stream, tool) {
    const { default: OpenAI } = await import("openai");
    const request = { model: "gpt-5", instructions: SYSTEM, input: USER, ...(tool ? { tools: [{ type: "function", strict: true, ...FUNCTION }] } : {}) };
    const { responses } = new OpenAI();
    const got = stream ? await responses.stream(request).finalResponse() : await responses.create(request);
    return got.output_text || called(got.output[0].name, got.output[0].arguments);
  },
  async anthropic(stream, tool) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const tools = [{ name: "read", description: "Reads a file.", input_schema: SCHEMA }];
    const request = { model: "claude", max_tokens: 10, system: SYSTEM, messages: [MESSAGES[1]], ...(tool ? { tools } : {}) };
    const { messages } = new Anthropic();
    const [block] = (stream ? await messages.stream(request).finalMessage() : await messages.create(request)).content;
    return block.type === "text" ? block.text : called(block.name, block.input);
  },
  async gemini(stream, tool) {
    const { GoogleGenAI } = await import("@google/genai");
    const { models } = new GoogleGenAI({ apiKey: process.env.GEMINI_API_KEY });
    const tools = [{ functionDeclarations: [{ name: "read", description: "Reads a file.", parametersJsonSchema: SCHEMA }] }];
    const request = { model: "gemini-2.5-pro", contents: USER, config: { systemInstruction: SYSTEM, ...(tool ? { tools } : {}) } };
    let got;
    if (stream) for await (const chunk of await models.generateContentStream(request)) got ??= chunk;
    else got = await models.generateContent(request);
    const [part] = got.candidates[0].content.parts;
    return part.text ?? called(part.functionCall.name, part.functionCall.args);
  },
  async ollama(stream, tool) {
    const { Ollama } = await import("ollama");
    const client = new Ollama({ host: process.env.PROMPTC_URL }); // it reads no variable itself
    const got = await client.chat({ model: "llama3.2", messages: MESSAGES, stream, ...(tool ? { tools: [{ type: "function", function: FUNCTION }] } : {}) });
    let message = got.message;
    if (stream) for await (const chunk of got) message ??= chunk.message;
    return message.content || called(message.tool_calls[0].function.name, message.tool_calls[0].function.arguments);
  },
  async ai(stream, tool) {
    const { generateText, jsonSchema, streamText, tool: define } = await import("ai");
    const { openai } = await import("@ai-sdk/openai");
    const tools = { read: define({ description: "Reads a file.", inputSchema: jsonSchema(SCHEMA) }) };
    const request = { model: openai("gpt-5"), system: SYSTEM, prompt: USER, ...(tool ? { tools } : {}) };
    const got = stream ? streamText(request) : await generateText(request);
    const text = await got.text;
    if (text) return text;
    const [call] = await got.toolCalls;
    return called(call.toolName, call.input);
  },
  async langchain(stream, tool) {
    const { ChatOpenAI } = await import("@langchain/openai");
    let model = new ChatOpenAI({ model: "gpt-5" });
    if (tool) model = model.bindTools([{ type: "function", function: FUNCTION }]);
    const messages = [["system", SYSTEM], ["user", USER]];
    let message;
    if (stream) for await (const chunk of await model.stream(messages)) message = message ? message.concat(chunk) : chunk;
    else message = await model.invoke(messages);
    return message.content || called(message.tool_calls[0].name, message.tool_calls[0].args);
  },
};

const [name] = process.argv.slice(2);
for (const [stream, tool] of [[false, false], [true, false], [false, true], [true, true], [false, false]]) {
  console.log(name + ": " + (await clients[name](stream, tool)));
}
