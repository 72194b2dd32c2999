// Shows that the races can be lost: without its condition a statement has too many winners.

import { afterEach, expect, test, vi } from "vitest";
import type { SqlEngine } from "../../../src/database/engine.ts";
import type { GrantForTokens } from "../../../src/store/grant-row.ts";
import { createStore, type Store } from "../../../src/store/store.ts";
import { withAltered } from "../../support/altered-statements.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { issuedGrant, redeemedGrant, redemptionOf, rotationOf } from "../../support/store-rows.ts";

/** The store on engines whose statements have `other` in the place of `condition`. */
function altered(engines: readonly SqlEngine[], condition: string, other: string): Store[] {
  return engines.map((engine) => createStore(withAltered(engine, condition, other)));
}

async function winners(
  stores: readonly Store[],
  attempt: (store: Store) => Promise<GrantForTokens | null>,
): Promise<number> {
  // In a line of a hundred, all come to their turn, however long it takes.
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const results = await race(stores, 100, attempt);
  return results.filter((row) => row !== null).length;
}

onEveryEngine(({ store, stores, engines }) => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test("a redemption that does not ask for generation 0 has more than one winner", async () => {
    const careless = altered(engines, "AND generation = 0 ", "");
    const grant = await issuedGrant(store);
    expect(await winners(careless, (store) => store.grants.redeemCode(redemptionOf(grant)))).toBe(
      100,
    );
    const other = await issuedGrant(store);
    const redeem = (store: Store) => store.grants.redeemCode(redemptionOf(other));
    expect(await winners(stores, redeem)).toBe(1);
  });

  test("a rotation that does not ask for its generation has more than one winner", async () => {
    const careless = altered(
      engines,
      "generation = given.presented",
      "generation >= given.presented",
    );
    const grant = await redeemedGrant(store);
    const rotate = (store: Store) => store.grants.rotateRefreshToken(rotationOf(grant));
    expect(await winners(careless, rotate)).toBeGreaterThan(1);
  });
});
