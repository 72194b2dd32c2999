// What a run of a test file says about a planted fault: found by a test that failed, and by nothing else that broke.

/** Errors of code that cannot run at all: such a fault is a mistake in its row, and no test has judged it. */
const notRunnable = /^\s*(?:SyntaxError|ReferenceError|Error: Transform failed)\b/;

/** What the driver needs of vitest's JSON report. `report` is null where none was written. */
export function readReport(report, ended) {
  const suites = report?.testResults ?? [];
  const tests = suites.flatMap(({ assertionResults }) => assertionResults);
  const named = (wanted) => tests.filter(({ status }) => wanted.includes(status));
  return {
    ...ended,
    passed: named(["passed"]).length,
    failed: named(["failed"]).map(({ fullName, failureMessages }) => ({
      name: fullName,
      message: failureMessages[0] ?? "",
    })),
    skipped: named(["skipped", "pending", "todo"]).map(({ fullName }) => fullName),
    /** What broke outside of any test: an import, a set-up, a hook. */
    outside: suites.map(({ message }) => message ?? "").find((message) => message !== "") ?? null,
  };
}

/** Null if the file passes; else the verdict on every fault that it should find. */
export function judgeClean({ status, passed, failed, outside, isLate, seconds }) {
  const broken = (detail) => ({ kind: "broken", detail, seconds });
  if (isLate) return broken("without a fault the test file does not end");
  if (failed.length > 0) return broken(`without a fault this fails: ${failed[0]?.name}`);
  if (outside !== null) return broken(`without a fault this breaks: ${inOneLine(outside)}`);
  if (passed === 0) return broken("without a fault no test passes");
  return status === 0 ? null : broken(`without a fault vitest ends with status ${status}`);
}

/** Whether this failed test has found the fault. `title`, if there is one, is a part of the name of a test that must. */
export function findsFault({ name, message }, title) {
  return !notRunnable.test(message) && (title === undefined || name.includes(title));
}

/** `title` is as in `findsFault`. */
export function judgePlanted({ passed, failed, outside, isLate, seconds }, title) {
  const verdict = (kind, detail) => ({ kind, detail, seconds });
  const red = failed.filter((test) => findsFault(test));
  const wanted = red.find((test) => findsFault(test, title));
  if (wanted) return verdict("found", wanted.name);
  if (isLate) return verdict("broken", "the test file does not end");
  if (red.length > 0) return verdict("broken", `another test fails: ${red[0]?.name}`);
  if (failed.length > 0) return verdict("broken", inOneLine(failed[0]?.message ?? ""));
  if (outside !== null) return verdict("broken", `not by a test: ${inOneLine(outside)}`);
  return passed > 0 ? verdict("green", "no test fails") : verdict("broken", "no test ran");
}

/** As much of a message as tells what happened, in one line. */
function inOneLine(text) {
  return text.trim().replace(/\s+/g, " ").slice(0, 200);
}
