import {
  agent,
  fitMemory,
  helper,
  memory,
  notesJson,
} from "./src/prompts/index.js";

const show = (name: string, value: unknown): void =>
  console.log(name, JSON.stringify(value));

show("text", helper({ mode: "plan" }, { clock: "{{notes}} 🐦", notes: "é" }));
show("name", notesJson());
show("cut", helper({ mode: "code", tier: "3" }, { clock: "noon" }));
for (const dialect of [
  "openai-chat",
  "openai-responses",
  "anthropic",
  "gemini",
] as const) {
  const { body } = agent({ dialect }, { clock: '"noon"' });
  show(dialect, body);
}
const count = (text: string): number => Math.ceil([...text].length / 4);
show("built", memory({ request: "Water?" }).text);
show("fitted", fitMemory({ request: "Water?" }, { count }));
const { tokens, dropped } = fitMemory({ request: "w".repeat(700) }, { count });
show("full", { tokens, dropped });
