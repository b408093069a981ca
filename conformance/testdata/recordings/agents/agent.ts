// An agent with two axes: what it may do, and the language that it speaks.
import Anthropic from "@anthropic-ai/sdk";

const RULES: Record<string, string> = { ask: "Answer the question.", edit: "Edit the files." };
const EDIT: Anthropic.Tool = { name: "edit", description: "Edits a file.", input_schema: { type: "object" } };

const mode = process.argv[2] ?? "ask";
const system = `# Agent\n\nYou are in ${process.cwd()}. Speak ${process.env["LANGUAGE"]}.\n\n# Rules\n\n${RULES[mode]} Be brief.`;
const { messages } = new Anthropic();
const hello = { max_tokens: 100, messages: [{ role: "user" as const, content: "hello" }] };
await messages.create({ model: "claude-haiku", ...hello });
await messages.create({ model: "claude-opus", system, ...hello, ...(mode === "edit" ? { tools: [EDIT] } : {}) });
