// What a client of the real service is sent for a signed domain, and verifies offline up to the DNS root.

import { parseTrustAnchor, type ValidationData, verifyValidationData } from "domain-signin-verify";
import { beforeAll, expect, test, vi } from "vitest";
import { startAssuredService } from "../support/assured-service.ts";
import { fixture } from "../support/fixture.ts";
import { redemption, signIn } from "../support/sign-in.ts";
import {
  dataAt,
  expectationsOf,
  judged,
  type Received,
  readAttestation,
  signInForData,
} from "../support/validation-data.ts";

const DOMAIN = "alice.test";

const world = fixture(() => startAssuredService("secure"));
let received: Received;
let options: Parameters<typeof verifyValidationData>[1];

beforeAll(async () => {
  // No machine is too slow for the resolvers: two answer, and the third is not asked.
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  received = await signInForData(world, world.client, { domain: DOMAIN });
  vi.useRealTimers();
  const trustAnchors = world.zones.trustAnchors.map(parseTrustAnchor);
  const expected = await expectationsOf(world, world.client, received);
  options = { ...expected, require: "attestation_and_dnssec", trustAnchors };
});

test("the chain proves the record that the attestation tells of", async () => {
  const proven = await verifyValidationData(received.data, options);
  const { claims } = readAttestation(received.data);
  const thumbprint = expect.stringMatching(/^[\w-]{43}$/);
  expect(proven).toMatchObject({
    ...{ domain: DOMAIN, how: "attestation_and_dnssec", sub: claims.sub, sp: world.issuer },
    record: { sp: world.issuer, acct: claims.acct, jkt: [], spk: [thumbprint, thumbprint] },
  });
  expect(claims.dns).toMatchObject({ status: "secure", resolvers: 2 });
  const [record] = world.zone.records();
  expect(claims.dns.record).toBe(record?.value);
});

test("the provider proof needs no key set, and proves the account but no sub", async () => {
  const { jwks: _, accessToken: __, ...request } = options;
  const expected = { ...request, require: "provider_proof" as const };
  const proven = await verifyValidationData(received.data, expected);
  const { claims } = readAttestation(received.data);
  const [record] = world.zone.records();
  const [current] = /(?<=spk=)[\w-]{43}/.exec(record?.value ?? "") ?? [];
  expect(proven).toMatchObject({ domain: DOMAIN, sp: world.issuer, acct: claims.acct });
  expect(proven).toMatchObject({ how: "provider_proof", spk: current });
  expect(proven).not.toHaveProperty("sub");
  const statementOf = (data: unknown) => (data as ValidationData).provider_proof?.statement;
  const body = await (await dataAt(world, received.accessToken)).json();
  expect(statementOf(body)).toBeTypeOf("string");
  expect(statementOf(body)).not.toBe(statementOf(received.data));
  expect(await judged(body, expected)).toBe("good");
});

test("the proof costs no statement of the database: evidence is read, the code redeemed", async () => {
  const done = await signIn(world, world.client, { domain: DOMAIN });
  world.statements.length = 0;
  const { body } = await world.token(redemption(world.client, done), world.client);
  expect(body.validation_data).toHaveProperty("provider_proof");
  expect(world.statements).toHaveLength(2);
});

test("no key of the service passes as the owner's", async () => {
  const { jwks: _, accessToken: __, ...request } = options;
  const { provider_proof } = received.data as {
    provider_proof: { statement: string; key: object };
  };
  const { statement: jws, key } = provider_proof;
  const data = { ...(received.data as object), owner_proof: { kind: "jws", key, jws } };
  expect(await judged(received.data, { ...request, require: "owner_proof" })).toBe("missing_part");
  expect(await judged(data, { ...request, require: "owner_proof" })).toBe("key_not_in_record");
});

test("it says of itself when its signatures hold, as they do", async () => {
  const { dnssec } = received.data as { dnssec: { not_before: number; not_after: number } };
  const proven = await verifyValidationData(received.data, options);
  if (proven.how !== "attestation_and_dnssec") throw new Error(proven.how);
  const { notBefore, notAfter } = proven.record;
  expect(dnssec).toMatchObject({ not_before: notBefore, not_after: notAfter });
  expect(await judged(received.data, { ...options, now: notAfter + 301 })).not.toBe("good");
});

test("with one octet of the chain changed, or under the keys of another root, it proves nothing", async () => {
  const data = received.data as { dnssec: { chain: string } };
  const chain = Buffer.from(data.dnssec.chain, "base64url");
  for (const at of [chain.length >> 2, chain.indexOf("acct=") + 7]) {
    const changed = Buffer.from(chain);
    changed[at] = (changed[at] ?? 0) ^ 1;
    const dnssec = { ...data.dnssec, chain: changed.toString("base64url") };
    expect(await judged({ ...data, dnssec }, options)).not.toBe("good");
  }
  const { trustAnchors: _, ...withThoseOfIana } = options;
  expect(await judged(data, withThoseOfIana)).toBe("untrusted_root");
});

test("the same chain is answered to the access token", async () => {
  const response = await dataAt(world, received.accessToken);
  const again = (await response.json()) as { dnssec: unknown };
  expect(again.dnssec).toEqual((received.data as { dnssec: unknown }).dnssec);
  expect(await judged(again, options)).toBe("good");
});

test("an unsigned domain comes without a chain, and says how many resolvers told of it", async () => {
  const other = await startAssuredService("corroborated");
  try {
    const { data } = await signInForData(other.at, other.client, { domain: "carol.test" });
    expect(data).not.toHaveProperty("dnssec");
    const { dns } = readAttestation(data).claims;
    expect(dns.status).toBe("corroborated");
    expect(dns.resolvers).toBeGreaterThanOrEqual(2);
  } finally {
    await other.close();
  }
});
