// Notes in the file LOADED_MODULES which modules of Node a program has loaded when it ends: `node --require` of this file.

const { writeFileSync } = require("node:fs");
const { isMainThread } = require("node:worker_threads");

const prefix = "NativeModule ";
if (isMainThread) {
  process.on("exit", () => {
    const modules = process.moduleLoadList.filter((name) => name.startsWith(prefix));
    const names = modules.map((name) => name.slice(prefix.length));
    writeFileSync(process.env.LOADED_MODULES, JSON.stringify(names));
  });
}
