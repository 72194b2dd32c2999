// What every engine promises about a client's assertion: of all who present it, on all nodes, one is let in.

import { expect, test } from "vitest";
import { readClientDocument } from "../../../src/clients/document-reader.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { NotBegunError, UnavailableError, UnknownOutcomeError } from "../../../src/lib/errors.ts";
import { SERVICE } from "../../../src/lib/fair-queue.ts";
import { createClientAuthentication } from "../../../src/oauth/client-authentication.ts";
import { TokenError } from "../../../src/oauth/protocol-errors.ts";
import type { AttemptStore } from "../../../src/store/attempts.ts";
import type { GrantStore } from "../../../src/store/grants.ts";
import type { Store } from "../../../src/store/store.ts";
import { documentOf, makeAssertionKey } from "../../support/document-client.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { NOW } from "../../support/store-rows.ts";

const ISSUER = "https://auth.example.com";
const ID = "https://app.example.org/client";

/** A client, and how it presents one assertion; parts of the store can be replaced. */
async function assertionFor(store: Store) {
  const key = await makeAssertionKey();
  const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } };
  const client = readClientDocument(documentOf(ID, signing), ID);
  const sent = await key.assert({ clientId: ID, issuer: ISSUER, now: NOW });
  const parts = {
    ...{ issuer: ISSUER, clock: clockFrom(() => NOW * 1000) },
    clientKeys: async () => client.jwks ?? { keys: [] },
    assertionLimit: { isFull: () => false, take: () => {} },
  };
  const partsOn = (
    changes: { attempts?: Partial<AttemptStore>; grants?: Partial<GrantStore> } = {},
  ) =>
    createClientAuthentication({
      ...parts,
      attempts: { ...store.attempts, ...changes.attempts },
      grants: { ...store.grants, ...changes.grants },
    });
  const prove = (attempts: Partial<AttemptStore> = {}, grants: Partial<GrantStore> = {}) =>
    partsOn({ attempts, grants }).proveAssertion(sent.client_assertion, client, SERVICE);
  return { prove, forClient: partsOn().forClient };
}

onEveryEngine(({ store, stores }) => {
  test("of 20 that present one assertion at once, one is let in", async () => {
    const key = await makeAssertionKey();
    const keys = { keys: [key.jwk] };
    const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: keys };
    const client = readClientDocument(documentOf(ID, signing), ID);
    const parts = {
      ...{ issuer: ISSUER, clock: clockFrom(() => NOW * 1000) },
      clientKeys: async () => client.jwks ?? { keys: [] },
      assertionLimit: { isFull: () => false, take: () => {} },
    };
    for (let round = 0; round < 5; round++) {
      const sent = await key.assert({ clientId: ID, issuer: ISSUER, now: NOW });
      const answers = await race(stores, 20, (store) =>
        createClientAuthentication({ ...parts, ...store })
          .proveAssertion(sent.client_assertion, client, SERVICE)
          .then(
            () => "in",
            (error) => (error instanceof TokenError ? error.message : String(error)),
          ),
      );
      expect(answers.filter((answer) => answer === "in")).toHaveLength(1);
      const others = answers.filter((answer) => answer !== "in");
      expect(new Set(others)).toEqual(
        new Set(["client_assertion is invalid: jti was already used"]),
      );
    }
  });

  test("one whose request failed on our side can be presented again, once", async () => {
    const { prove, forClient } = await assertionFor(store);
    const assertion = await prove();
    const failing = (error: Error) =>
      forClient({ assertion }, () => Promise.reject(error)).catch(() => {});
    await failing(new TokenError("invalid_grant", "the code is used"));
    await store.grants.marksWritten();
    await expect(prove()).rejects.toThrow("jti was already used");
    await failing(new UnavailableError("the database is gone"));
    await store.grants.marksWritten();
    // The answer of the database to the count is lost, too.
    const losing = {
      async useOnce(attempt: Parameters<typeof store.attempts.useOnce>[0]) {
        await store.attempts.useOnce(attempt);
        throw new UnknownOutcomeError("the answer was lost");
      },
    };
    await expect(prove(losing)).rejects.toThrow(UnknownOutcomeError);
    await store.grants.marksWritten();
    expect(await prove()).toMatchObject({ name: assertion.name });
    await expect(prove()).rejects.toThrow("jti was already used");
  });

  test.each([
    ["was not begun", new NotBegunError("the database is locked")],
    ["has an unknown outcome", new UnknownOutcomeError("the answer was lost")],
    ["failed", new UnavailableError("the database is gone")],
  ])("the use of another request counts on when a replay %s", async (_, error) => {
    const { prove } = await assertionFor(store);
    await prove();
    const failing = { useOnce: () => Promise.reject(error) };
    await expect(prove(failing)).rejects.toThrow(error);
    await store.grants.marksWritten();
    await expect(prove()).rejects.toThrow("jti was already used");
    // Neither is what came late.
    store.grants.forgetAssertion({ name: (await prove().catch(() => null))?.name ?? "", use: 7 });
    await store.grants.marksWritten();
    await expect(prove()).rejects.toThrow("jti was already used");
  });

  test("whose use is not forgotten yet gets 503, not a refusal", async () => {
    const { prove } = await assertionFor(store);
    const waiting = { hasUnwrittenMark: () => true };
    await expect(prove({}, waiting)).rejects.toThrow(UnavailableError);
    await prove();
  });

  test("that an older version has counted is used, and so is ours for an older version", async () => {
    const window = { windowSeconds: 300, now: NOW };
    const old = "assertion of an older version";
    expect(await store.attempts.countAttempt({ name: old, ...window })).toMatchObject({ count: 1 });
    expect(await store.attempts.useOnce({ name: old, use: 2 ** 40, ...window })).toBe(false);
    const own = "assertion of this version";
    expect(await store.attempts.useOnce({ name: own, use: 2 ** 40, ...window })).toBe(true);
    const { count } = await store.attempts.countAttempt({ name: own, ...window });
    expect(count).toBeGreaterThan(1);
    // After the window, the name is as new.
    const later = { windowSeconds: 300, now: NOW + 301 };
    expect(await store.attempts.useOnce({ name: own, use: 2 ** 41, ...later })).toBe(true);
    expect(await store.attempts.useOnce({ name: own, use: 2 ** 42, ...later })).toBe(false);
  });
});
