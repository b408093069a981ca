import { readFileSync } from "node:fs";

/** What the modules export: functions by the names of prompts. */
type Module = Record<string, (...args: unknown[]) => Record<string, unknown>>;

interface Case {
  prompt: string;
  axes?: object;
  slots?: object;
  fit?: boolean;
  count?: boolean;
}

const count = (text: string): number => Math.ceil([...text].length / 4);

/** A function takes no slots where the prompt has none. */
function answer(module: Module, slotted: string[], call: Case): object {
  const { prompt, axes = {}, slots = {} } = call;
  const args = slotted.includes(prompt) ? [axes, slots] : [axes];
  const name = call.fit ? `fit-${prompt}` : prompt;
  const camel = name.replace(/-(.)/g, (_, letter) => letter.toUpperCase());
  try {
    const prompt = module[camel]!(...args, call.count ? { count } : {});
    const { dialect: _, tools, dropped, ...want } = prompt;
    const lists = Object.entries({ tools, dropped });
    const some = lists.filter(([, list]) => (list as [])?.length > 0);
    return { want: { ...want, ...Object.fromEntries(some) } };
  } catch (error) {
    return { error: (error as { code?: string }).code ?? String(error) };
  }
}

const out: Record<string, object[]> = {};
for (const name of process.argv.slice(2)) {
  const module = (await import(`./${name}/p/index.js`)) as Module;
  const manifest = JSON.parse(
    readFileSync(`${name}/dist/manifest.json`, "utf8"),
  );
  const slotted = manifest.prompts
    .filter((prompt: { slots: [] }) => prompt.slots.length > 0)
    .map((prompt: { id: string }) => prompt.id);
  const cases = JSON.parse(readFileSync(`${name}/cases.json`, "utf8"));
  out[name] = cases.map((call: Case) => answer(module, slotted, call));
}
console.log(JSON.stringify(out));
