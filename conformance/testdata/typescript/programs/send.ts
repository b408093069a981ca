import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI, type Content } from "@google/genai";
import OpenAI from "openai";

import { brief, chat, type Dialect } from "./src/prompts/index.js";

const [dialect, prompt, server = ""] = process.argv.slice(2);
const slots = { clock: "noon" };
const options = { apiKey: "none", baseURL: server, maxRetries: 0 };

/** The body of either prompt in a dialect. */
function bodyIn(dialect: Dialect): Record<string, unknown> {
  return prompt === "brief"
    ? brief({ dialect }, slots).body
    : chat({ assembly: "tiered", state: "full", dialect }).body;
}

if (dialect === "openai-chat") {
  const body = bodyIn(dialect) as Pick<
    OpenAI.ChatCompletionCreateParamsNonStreaming,
    "messages" | "tools"
  >;
  await new OpenAI(options).chat.completions.create({ model: "any", ...body });
} else if (dialect === "openai-responses") {
  const body = bodyIn(dialect) as Pick<
    OpenAI.Responses.ResponseCreateParamsNonStreaming,
    "input" | "instructions" | "tools"
  >;
  await new OpenAI(options).responses.create({ model: "any", ...body });
} else if (dialect === "anthropic") {
  const body = bodyIn(dialect) as Pick<
    Anthropic.MessageCreateParamsNonStreaming,
    "system" | "messages" | "tools"
  >;
  const client = new Anthropic(options);
  await client.messages.create({ model: "any", max_tokens: 1, ...body });
} else {
  const client = new GoogleGenAI({
    apiKey: "none",
    httpOptions: { apiVersion: "v1beta", baseUrl: server },
  });
  const { contents = "Hello.", ...config } = bodyIn("gemini") as {
    contents?: Content[];
  };
  await client.models.generateContent({ model: "any", contents, config });
}
