// Nodes that register at one external SP at once: all end up as the same client of it.

import { expect, test } from "vitest";
import { createSpClients } from "../../../src/federation/sp-client.ts";
import { sealWith } from "../../../src/keys/seal.ts";
import { clockFrom } from "../../../src/lib/clock.ts";
import { systemRandom } from "../../../src/lib/random.ts";
import { onEveryEngine } from "../../support/store-engines.ts";
import { noSigningKeys } from "../../support/test-keys.ts";

const SP = "https://sp.example";
const metadata = {
  issuer: SP,
  authorization_endpoint: `${SP}/authorize`,
  token_endpoint: `${SP}/token`,
  jwks_uri: `${SP}/keys`,
  registration_endpoint: `${SP}/register`,
};
const call = { signal: new AbortController().signal };

onEveryEngine(({ store, stores }) => {
  test("one registration stands, then one renewal, and every node has its secret", async () => {
    const seal = sealWith("a secret", systemRandom);
    let now = 1_700_000_000;
    let made = 0;
    /** Answers when all nodes have asked, so that none finds what another has stored. */
    let arrived: (() => void)[] = [];
    const fetch = async (_: string, init: { body?: unknown } = {}) => {
      const id = ++made;
      await new Promise<void>((resolve) => {
        arrived.push(resolve);
        if (arrived.length === stores.length) {
          for (const go of arrived) go();
          arrived = [];
        }
      });
      const client = { client_id: `client ${id}`, client_secret: `secret ${id}` };
      const body = { ...JSON.parse(String(init.body)), ...client, client_secret_expires_at: 0 };
      return Response.json(body, { status: 201 });
    };
    const nodes = stores.map((store) => {
      const assertionKey = noSigningKeys.signingKeyAt;
      return createSpClients({
        ...store,
        ...{ issuer: "https://auth.example", seal, assertionKey, fetch },
        ...{ clock: clockFrom(() => now * 1000), allowLoopback: false },
      });
    });
    const all = await Promise.all(nodes.map((node) => node.clientFor(metadata, call)));
    const [standing] = all;
    if (standing === undefined) throw new Error("there are no nodes");
    expect(made).toBe(nodes.length);
    expect(new Set(all.map(({ id }) => id)).size).toBe(1);

    now += 61;
    const renewed = await Promise.all(nodes.map((node) => node.renew(metadata, standing, call)));
    expect(renewed).toEqual(nodes.map(() => true));
    const after = await Promise.all(nodes.map((node) => node.clientFor(metadata, call)));
    expect(new Set(after.map(({ id }) => id)).size).toBe(1);
    expect(after[0]?.id).not.toBe(standing.id);
    const secrets = await Promise.all(
      nodes.map((node, index) => node.secretOf(SP, after[index] ?? standing)),
    );
    const number = after[0]?.id.replace("client ", "");
    expect(secrets).toEqual(nodes.map(() => `secret ${number}`));
    expect(await store.spClients.findSpClients(SP)).toHaveLength(1);
  });
});
