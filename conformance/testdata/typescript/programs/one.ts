import { helper } from "./src/prompts/index.js";

console.log(helper({ mode: "plan" }, { clock: "noon" }).text);
