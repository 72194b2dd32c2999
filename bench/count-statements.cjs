// Counts what a process asks its SQLite library: preloaded in a benchmark, it appends a letter for each to COUNT_FILE.
//
// r: a statement that reads, on the main thread. w: a statement of the thread that writes. c: a commit, also of a
// statement outside a transaction.

const { appendFileSync } = require("node:fs");
const Module = require("node:module");
const threads = require("node:worker_threads");

const { COUNT_FILE: file } = process.env;
const count = (letter) => appendFileSync(file, letter);

// The thread that writes is started without the options of the process.
threads.Worker = class extends threads.Worker {
  constructor(program, options) {
    super(program, { ...options, execArgv: ["--require", __filename] });
  }
};
Module.syncBuiltinESMExports();

const load = Module._load;
Module._load = function (name, ...rest) {
  const library = load.call(this, name, ...rest);
  if (name === "libsql") watch(library);
  if (name === "node:sqlite") watch(library.DatabaseSync);
  return library;
};

// A module that is imported is not loaded by this function.
try {
  watch(Module.createRequire(process.argv[1])("libsql"));
} catch {
  // Another version of Node, or the thread.
}

function watch({ prototype }) {
  if (prototype.isWatched) return;
  prototype.isWatched = true;
  const { exec, prepare } = prototype;
  let [isOpen, hasWritten] = [false, false];
  prototype.exec = function (sql) {
    const result = exec.call(this, sql);
    if (/^\s*BEGIN/i.test(sql)) isOpen = true;
    else if (/^\s*(COMMIT|ROLLBACK)\s*$/i.test(sql)) {
      if (/^\s*COMMIT/i.test(sql) && hasWritten) count("c");
      [isOpen, hasWritten] = [false, false];
    }
    return result;
  };
  prototype.prepare = function (sql) {
    const statement = prepare.call(this, sql);
    const isRead = /^\s*(SELECT|PRAGMA)/i.test(sql);
    for (const verb of ["all", "get", "run"]) {
      const own = statement[verb];
      statement[verb] = (...values) => {
        const result = own.apply(statement, values);
        count(isRead ? "r" : "w");
        if (!isRead && isOpen) hasWritten = true;
        else if (!isRead) count("c");
        return result;
      };
    }
    return statement;
  };
}
