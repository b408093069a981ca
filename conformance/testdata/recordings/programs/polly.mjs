import Fetch from "@pollyjs/adapter-fetch";
import { Polly } from "@pollyjs/core";
import Files from "@pollyjs/persister-fs";
import { all } from "./agent.mjs";

Polly.register(Fetch);
Polly.register(Files);
const persisterOptions = { fs: { recordingsDir: "recordings" } };
const polly = new Polly("agent", { adapters: ["fetch"], persister: "fs", persisterOptions, mode: "record" });
await all(process.env.SERVER);
await polly.stop();
