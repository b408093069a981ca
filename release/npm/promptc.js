#!/usr/bin/env node
// Runs the program that came with the package of this platform, as if it had
// been called itself: same arguments, streams, signals and exit status.
"use strict";

const { spawn } = require("node:child_process");
const { constants } = require("node:os");

const COULD_NOT_RUN = 3; // the exit status that promptc has for it

function fail(...lines) {
  console.error(lines.join("\n  "));
  process.exit(COULD_NOT_RUN);
}

function find() {
  const name = `@promptc-build/${process.platform}-${process.arch}`;
  try {
    return require.resolve(`${name}/bin/promptc${process.platform === "win32" ? ".exe" : ""}`);
  } catch {
    const made = Object.keys(require("../package.json").optionalDependencies);
    if (!made.includes(name)) {
      return fail(
        `promptc: there is no program for ${process.platform} on ${process.arch}`,
        "hint: build it with Go: go install github.com/promptc-build/promptc/cmd/promptc@latest",
      );
    }
    return fail(
      `promptc: the package ${name} is not installed`,
      "hint: it is an optional dependency; install again, and do not omit these (--omit=optional, --no-optional)",
    );
  }
}

const program = find();
const signals = ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM"];
for (const signal of signals) {
  process.on(signal, () => child.kill(signal)); // before the program runs, so that none gets lost
}
const child = spawn(program, process.argv.slice(2), { stdio: "inherit" });
child.on("error", (err) => fail(`promptc: ${program} cannot be run: ${err.message}`));
child.on("exit", (code, signal) => {
  if (signal === null) {
    process.exit(code);
  }
  for (const name of signals) {
    process.removeAllListeners(name);
  }
  process.kill(process.pid, signal);
  process.exit(128 + constants.signals[signal]); // where it did not end this process
});
