// One form that is sent to two nodes of one database at the same moment: one grant, and one code.

import type { Page } from "domain-signin-demo/browser/user-agent";
import { beforeEach, describe, expect, test } from "vitest";
import { fixture } from "../support/fixture.ts";
import { flow } from "../support/flow.ts";
import { migratedDatabase, postgresTests } from "../support/postgres.ts";
import { startSecondNode } from "../support/second-node.ts";
import { startTestService } from "../support/service.ts";
import { redemption } from "../support/sign-in.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const ROUNDS = 3;

function onTwoNodes(database: () => string): void {
  const at = flow({
    start: () => startTestService({ database: database() }),
    registration: { consent: "first" },
  });
  const other = fixture(() => startSecondNode(at, { database: database() }));
  beforeEach(() => at.signIn());

  /** Where each of four posts leads, two to each node, by the code. */
  async function codesOf(page: Page, id: string, pressed: Record<string, string>) {
    const form = page.forms.find((one) => one.id === id);
    if (form === undefined) throw new Error(`${page.step} has no ${id}`);
    const fields = form.controls.filter(({ isOn }) => isOn).map(({ name, value }) => [name, value]);
    const body = new URLSearchParams({ ...Object.fromEntries(fields), ...pressed }).toString();
    const headers = {
      ...{ ...at.cookies(), origin: at.issuer },
      "content-type": "application/x-www-form-urlencoded",
    };
    const request = () => {
      const init = { method: "POST", headers, body, redirect: "manual" } as const;
      return new Request(new URL(form.action, page.url), init);
    };
    const elsewhere = () => other.fetch(request(), { clientAddress: "127.0.0.1" });
    const answers = await Promise.all([
      ...[fetch(request()), elsewhere(), elsewhere(), fetch(request())],
    ]);
    return answers.map(({ headers }) =>
      new URL(headers.get("location") ?? "", at.issuer).searchParams.get("code"),
    );
  }

  /** The code is the same everywhere, and one node redeems it. */
  async function expectOne(codes: readonly (string | null)[]): Promise<void> {
    const [code] = codes;
    expect(code).toMatch(/^dsc_/);
    expect(new Set(codes).size).toBe(1);
    const { status } = await at.token(
      redemption(at.client, { code: String(code), verifier: "" }),
      at.client,
    );
    expect(status).toBe(200);
  }

  test("Continue", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const page = await at.open();
      const [grants, interactions] = [await at.rowsOf("grants"), await at.rowsOf("interactions")];
      await expectOne(await codesOf(page, "continue-form", {}));
      expect(await at.rowsOf("grants")).toBe(grants + 1);
      expect(await at.rowsOf("interactions")).toBe(interactions);
      expect(await at.rowsOf("evidence")).toBe(grants + 1);
    }
  });

  test("the answer to the question of consent", async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const page = await at.until("consent", await at.open({ prompt: "consent" }));
      const grants = await at.rowsOf("grants");
      await expectOne(await codesOf(page, "consent-form", { decision: "allow" }));
      expect(await at.rowsOf("grants")).toBe(grants + 1);
      expect(await at.rowsOf("evidence")).toBe(grants + 1);
    }
  });
}

describe("SQLite", () => {
  const folder = temporaryFolder();
  onTwoNodes(() => folder.database());
});

postgresTests("PostgreSQL", () => {
  const database = fixture(migratedDatabase);
  onTwoNodes(() => database.url);
});
