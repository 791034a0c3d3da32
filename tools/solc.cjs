#!/usr/bin/env node
// The npm compiler in the shape of a native `solc`, for tools that start one: `--version` prints the version, any
// other call compiles the standard JSON on standard input and prints the answer.
//
// `solcjs`, which npm brings along, will not do: it lacks --allow-paths and prints a line of text before the JSON.

"use strict";

const fs = require("node:fs");
const solc = require("solc");

const STDIN = 0;
const STDOUT = 1;

/** A source that the caller named but did not send along, read from disk as a native compiler would. */
function readSource(path) {
  try {
    return { contents: fs.readFileSync(path, "utf8") };
  } catch (error) {
    return { error: error.message };
  }
}

/** Prints all of a text; a pipe takes a large one in parts. */
function print(text) {
  let rest = Buffer.from(text, "utf8");
  while (rest.length > 0) {
    rest = rest.subarray(fs.writeSync(STDOUT, rest));
  }
}

if (process.argv.includes("--version")) {
  print(`solc, the solidity compiler commandline interface\nVersion: ${solc.version()}\n`);
} else {
  print(solc.compile(fs.readFileSync(STDIN, "utf8"), { import: readSource }));
}
