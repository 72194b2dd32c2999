// The walk with a real Chromium: the sign-in with a passkey, and its owner proof.

import { expect, test } from "vitest";
import { browserTests } from "../../../server/test/support/browser-tests.ts";
import { runDemo } from "../../src/demo.ts";

browserTests("the walk in Chromium", () => {
  test("goes on with a passkey, and verifies the owner proof offline", async () => {
    const lines: string[] = [];
    const io = { out: () => {}, err: (line: string) => lines.push(line), stopped: never() };
    expect(await runDemo({ json: false, exit: true }, io)).toBe(0);
    const printed = lines.join("\n");
    expect(printed).toContain("The walk succeeded: all 39 steps passed.");
    expect(printed).toMatch(/owner proof +The owner approved this request of this app/);
    expect(printed).toContain("for another app: wrong_audience");
    expect(printed).toMatch(/Chromium POST \/sign-in\/passkey → 303/);
    expect(printed).not.toMatch(/ds[acrs]_[A-Za-z0-9_-]{9}/);
  });
});

function never(): Promise<void> {
  return new Promise(() => {});
}
