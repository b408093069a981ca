import * as prompts from "./src/prompts/index.js";

const { helper, memory, PromptError } = prompts;

/** Calls with what the compiler refuses, as with a value from a flag. */
function tried(name: string, call: () => unknown): void {
  try {
    call();
    console.log(name, "nothing");
  } catch (error) {
    if (!(error instanceof PromptError)) throw error;
    console.log(name, error.code, error.message);
  }
}

const any = (value: unknown): never => value as never;
const clock = "noon";
tried("axis", () => helper(any({ mode: "plan", modes: "x" }), { clock }));
tried("no axis", () => helper(any({}), { clock }));
tried("value", () => helper(any({ mode: "chatt" }), { clock }));
tried("excluded", () => helper(any({ mode: "chat", tier: "3" }), { clock }));
tried("missing", () => helper({ mode: "plan" }, any({})));
tried("empty", () => helper({ mode: "plan" }, { clock: "" }));
tried("unknown", () => helper({ mode: "plan" }, any({ clock, clocks: "" })));
tried("half", () => helper({ mode: "plan" }, { clock: "\ud83d" }));
tried("short", () => helper({ mode: "plan" }, { clock: "🐦".repeat(12) }));
const long = { clock: "🐦".repeat(13) };
tried("long", () => helper({ mode: "plan" }, long));
tried("counted", () => helper({ mode: "plan" }, long, { count: () => 12 }));
tried("too long", () => helper({ mode: "plan" }, long, { count: () => 13 }));
tried("fit", () => prompts.fitMemory({ request: "Water?" }, any({})));
tried("slot", () => memory({ request: "{{request}}" }));
