// The kills of a node that issues grants, in small: all of a grant is there or nothing, and the check sees a half.

import { expect, test } from "vitest";
import { withFile } from "./databases.ts";
import { issueCrashLoad } from "./issue-crash.ts";

test("after a kill under load, each grant has all that was stored with it, and nothing is there without its grant", () =>
  withFile(async (database) => {
    const load = await issueCrashLoad({ database, kills: 1 });
    expect(load).toMatchObject({ violations: [], otherAnswers: [] });
    expect(load.acknowledged).toBeGreaterThan(5);
  }));

test("half of a grant is found if its writes do not commit together", () =>
  withFile(async (database) => {
    const { violations } = await issueCrashLoad({ database, kills: 1, broken: "joined" });
    expect(violations.join()).toContain("of no grant");
  }));
