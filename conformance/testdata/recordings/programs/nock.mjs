import fs from "node:fs";
import nock from "nock";
import { all } from "./agent.mjs";

nock.recorder.rec({ output_objects: true, dont_print: true });
await all(process.env.SERVER);
fs.mkdirSync("recordings", { recursive: true });
fs.writeFileSync("recordings/nock.json", JSON.stringify(nock.recorder.play(), null, 2));
