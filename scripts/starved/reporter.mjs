// A reporter for vitest that writes one line of JSON for each test file and for the end, and ends the run in time.

import { appendFileSync } from "node:fs";

const { STARVED_REPORT, STARVED_LIMIT_S } = process.env;

export default class StarvedReporter {
  #timer;
  #isCut = false;

  onInit(vitest) {
    this.#timer = setTimeout(() => {
      this.#isCut = true;
      void vitest.cancelCurrentRun("keyboard-input");
    }, Number(STARVED_LIMIT_S) * 1000);
  }

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const [passed, failed] = [count("passed"), count("failed")];
    // The run was cut before its tests began.
    if (this.#isCut && passed + failed === 0 && module.state() !== "failed") return;
    // A hook that fails is no test.
    const isBroken = module.state() === "failed" && failed === 0;
    // Once the run is cut, the other tests of a file are skipped.
    const isWhole = !this.#isCut || count("skipped") === 0;
    write({ file: module.moduleId, isWhole, passed, failed: failed + (isBroken ? 1 : 0) });
  }

  onTestRunEnd(_, errors) {
    clearTimeout(this.#timer);
    write({ isCut: this.#isCut, passed: 0, failed: errors.length });
  }
}

function write(line) {
  appendFileSync(STARVED_REPORT, `${JSON.stringify(line)}\n`);
}
