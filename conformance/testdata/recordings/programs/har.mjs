// Chromium asks a provider from a page, and its traffic is kept.
import { chromium } from "playwright-core";
import { SYSTEM } from "./agent.mjs";

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM, args: ["--no-sandbox"] });
const context = await browser.newContext({ recordHar: { path: "recordings/page.har" } });
const page = await context.newPage();
await page.goto(process.env.SERVER + "/");
await page.evaluate(async (system) => {
  const messages = [{ role: "system", content: system }, { role: "user", content: "hi" }];
  await (await fetch("/v1/chat/completions", { method: "POST", body: JSON.stringify({ model: "gpt-5", messages }) })).text();
}, SYSTEM);
await context.close();
await browser.close();
