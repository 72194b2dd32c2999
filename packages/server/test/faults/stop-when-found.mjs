// A reporter for vitest that ends the run as soon as a test has found the planted fault: what the other tests of
// the file say changes nothing in the verdict, and they take half of the time.

import { findsFault } from "./judge.mjs";

export default class StopWhenFound {
  #vitest;

  onInit(vitest) {
    this.#vitest = vitest;
  }

  onTestCaseResult(testCase) {
    const { state, errors = [] } = testCase.result();
    if (state !== "failed") return;
    const [{ name, message } = {}] = errors;
    const failed = {
      // As the JSON report names it.
      name: testCase.fullName.replaceAll(" > ", " "),
      message: `${name}: ${message}`,
    };
    const title = process.env.FAULT_TITLE || undefined;
    if (findsFault(failed, title)) void this.#vitest.cancelCurrentRun("test-failure");
  }
}
