// A program with a prompt, and its requests to three providers.
import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";

export const SYSTEM = "You are an agent.\n\n# Rules\n\nBe brief. It’s “fine” 🐦.\n";

export async function all(server) {
  const openai = new OpenAI({ baseURL: server + "/v1", apiKey: "none" });
  const user = { role: "user", content: "hi" };
  await openai.chat.completions.create({ model: "gpt-5", messages: [{ role: "system", content: SYSTEM }, user] });
  await openai.responses.create({ model: "gpt-5", instructions: SYSTEM, input: "hi" });
  await new Anthropic({ baseURL: server, apiKey: "none" }).messages.create({ model: "claude", max_tokens: 5, system: SYSTEM, messages: [user] });
  const google = new GoogleGenAI({ apiKey: "none", httpOptions: { baseUrl: server } });
  await google.models.generateContent({ model: "gemini", contents: "hi", config: { systemInstruction: SYSTEM } });
}
