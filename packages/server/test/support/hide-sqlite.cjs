// Hides both libraries for SQLite from a program: `node --require` of this file.

const Module = require("node:module");

const HIDDEN = new Set(["node:sqlite", "libsql"]);
const load = Module._load;
Module._load = (name, ...rest) => {
  if (HIDDEN.has(name)) throw new Error(`Cannot find module '${name}'`);
  return load(name, ...rest);
};
