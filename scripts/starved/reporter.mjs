// A reporter for vitest that writes one line of JSON for each test file that has run, and ends the run in time.

import { appendFileSync } from "node:fs";

const { STARVED_REPORT, STARVED_LIMIT_S } = process.env;

export default class StarvedReporter {
  #timer;

  onInit(vitest) {
    const end = () => void vitest.cancelCurrentRun("keyboard-input");
    this.#timer = setTimeout(end, Number(STARVED_LIMIT_S) * 1000);
  }

  onTestModuleEnd(module) {
    const tests = [...module.children.allTests()];
    const count = (state) => tests.filter((test) => test.result().state === state).length;
    const [passed, failed] = [count("passed"), count("failed")];
    // Its tests are pending or skipped where the run was cancelled before they began.
    if (passed + failed === 0 && module.state() !== "failed") return;
    // A hook that fails is no test.
    const isBroken = module.state() === "failed" && failed === 0;
    const line = { file: module.moduleId, passed, failed: failed + (isBroken ? 1 : 0) };
    appendFileSync(STARVED_REPORT, `${JSON.stringify(line)}\n`);
  }

  onTestRunEnd() {
    clearTimeout(this.#timer);
  }
}
