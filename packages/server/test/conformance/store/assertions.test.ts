// What every engine promises about a client's assertion: of all who present it, on all nodes, one is let in.

import { expect, test } from "vitest";
import { clockFrom } from "../../../src/lib/clock.ts";
import { UnavailableError, UnknownOutcomeError } from "../../../src/lib/errors.ts";
import { forClient, proveAssertion } from "../../../src/oauth/client-authentication.ts";
import { readClientDocument } from "../../../src/oauth/client-document.ts";
import { TokenError } from "../../../src/oauth/errors.ts";
import { documentOf, makeAssertionKey } from "../../support/document-client.ts";
import { onEveryEngine, race } from "../../support/store-engines.ts";
import { NOW } from "../../support/store-rows.ts";

const ISSUER = "https://auth.example.com";
const ID = "https://app.example.org/client";

onEveryEngine((database) => {
  test("of 20 that present one assertion at once, one is let in", async () => {
    const key = await makeAssertionKey();
    const keys = { keys: [key.jwk] };
    const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: keys };
    const client = readClientDocument(documentOf(ID, signing), ID);
    const parts = {
      ...{ issuer: ISSUER, clock: clockFrom(() => NOW * 1000) },
      clientKeys: async () => client.jwks ?? { keys: [] },
      assertionLimit: { take: () => {} },
    };
    for (let round = 0; round < 5; round++) {
      const sent = await key.assert({ clientId: ID, issuer: ISSUER, now: NOW });
      const answers = await race(database.stores, 20, (store) =>
        proveAssertion(
          sent.client_assertion,
          client,
          { ...parts, attempts: store, grants: store },
          "192.0.2.1",
        ).then(
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
    const key = await makeAssertionKey();
    const signing = { token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [key.jwk] } };
    const client = readClientDocument(documentOf(ID, signing), ID);
    const { store } = database;
    const parts = {
      ...{ issuer: ISSUER, clock: clockFrom(() => NOW * 1000) },
      clientKeys: async () => client.jwks ?? { keys: [] },
      assertionLimit: { take: () => {} },
      ...{ attempts: store, grants: store },
    };
    const sent = await key.assert({ clientId: ID, issuer: ISSUER, now: NOW });
    const prove = (deps = parts) =>
      proveAssertion(sent.client_assertion, client, deps, "192.0.2.1");
    const assertion = await prove();
    const failing = (error: Error) =>
      forClient({ assertion }, parts, () => Promise.reject(error)).catch(() => {});
    await failing(new TokenError("invalid_grant", "the code is used"));
    await store.marksWritten();
    await expect(prove()).rejects.toThrow("jti was already used");
    await failing(new UnavailableError("the database is gone"));
    await store.marksWritten();
    // The answer of the database to the count is lost, too.
    const losing = {
      ...store,
      async countAttempt(attempt: Parameters<typeof store.countAttempt>[0]) {
        await store.countAttempt(attempt);
        throw new UnknownOutcomeError("the answer was lost");
      },
    };
    await expect(prove({ ...parts, attempts: losing })).rejects.toThrow(UnknownOutcomeError);
    await store.marksWritten();
    expect(await prove()).toBe(assertion);
    await expect(prove()).rejects.toThrow("jti was already used");
  });
});
