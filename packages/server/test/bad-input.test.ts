// Keeps `docs/bad-input.md` to what the tables of the tests say.

import { expect, test } from "vitest";
import { badInputPage } from "./support/bad-input-page.ts";

test("docs/bad-input.md is what the tables say (run this test with -u to write it anew)", async () => {
  await expect(badInputPage()).toMatchFileSnapshot("../../../docs/bad-input.md");
});
