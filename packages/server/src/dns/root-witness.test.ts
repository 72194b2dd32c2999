// Tests of the root's signature as a witness: it is proved at its own time, whatever this machine says.

import { startNameServer } from "domain-signin-demo/zones/name-server";
import { parseTrustAnchor } from "domain-signin-verify";
import { rootTrustAnchors } from "domain-signin-verify/dnssec/trust-anchors";
import { describe, expect, onTestFinished, test } from "vitest";
import { makeAuthority, makeSelfSigned } from "../../test/support/certificates.ts";
import { fixture } from "../../test/support/fixture.ts";
import { makeRootWorld } from "../../test/support/root-world.ts";
import { startTlsDns } from "../../test/support/tls-dns-server.ts";
import { startValidatorWorld } from "../../test/support/validator-world.ts";
import type { DnsAnswer } from "./resolver.ts";
import { createRootWitness, isPublicRoot, lookAtRoot } from "./root-witness.ts";

const DAY = 86_400;

const world = fixture(() => startValidatorWorld([]));

const silent = async (): Promise<DnsAnswer> => ({ outcome: "failed", reason: "timeout" });
/** What the resolver says now, for as long as it is repeated. */
async function recorded() {
  const answers = new Map<string, Promise<DnsAnswer>>();
  const query = (name: string, type: number) => {
    const key = `${type} ${name}`;
    const known = answers.get(key) ?? world.query(name, type);
    answers.set(key, known);
    return known;
  };
  await lookAtRoot([query], of());
  return query;
}
const of = (ahead = 0) => ({
  about: () => world.now() + ahead,
  trustAnchors: world.trustAnchors,
});

test.each([
  ["is right", 0],
  ["is ten minutes ahead", 600],
  ["is 40 days ahead", 40 * DAY],
  ["is a year ahead", 366 * DAY],
  ["is 40 days behind", -40 * DAY],
  ["begins at 1970", -1_700_000_000],
])("a clock that %s changes nothing of what is proven: by %s s", async (_, ahead) => {
  const right = await lookAtRoot([world.query], of());
  expect(right).not.toBeNull();
  expect(await lookAtRoot([world.query], of(ahead))).toEqual(right);
});

test("the newest that any source proves counts: old ones, silence and forgeries take nothing from it", async () => {
  const old = await recorded();
  world.clock.ahead += 6 * DAY;
  const present = await lookAtRoot([world.query], of());
  const before = await lookAtRoot([old], of());
  expect(Number(present?.inception) - Number(before?.inception)).toBeGreaterThan(5 * DAY);
  expect(await lookAtRoot([old, world.query, old], of())).toEqual(present);
  expect(await lookAtRoot([silent, old], of())).toEqual(before);
  expect(await lookAtRoot([silent], of())).toBeNull();
  expect(await lookAtRoot([], of())).toBeNull();
});

test("a root with other keys proves nothing", async () => {
  const [anchor] = world.trustAnchors;
  if (anchor === undefined) throw new Error("no anchor");
  const foreign = { ...anchor, digest: anchor.digest.map((octet) => octet ^ 1) };
  expect(await lookAtRoot([world.query], { ...of(), trustAnchors: [foreign] })).toBeNull();
  expect(await lookAtRoot([world.query], { ...of(), trustAnchors: [] })).toBeNull();
});

const signedAt = 1_900_000_000;

async function lookAtWorld(flags: readonly number[], more: { days?: number; keysAt?: number }) {
  const { query, anchor, tags } = await makeRootWorld(flags, signedAt, more);
  const trustAnchors = [parseTrustAnchor(anchor)];
  return { look: await lookAtRoot([query], { about: () => signedAt, trustAnchors }), tags };
}

test.each([
  ["35 days", 35, true],
  ["36 days", 36, false],
])("a root that signs for %s: %s, is a witness: %s", async (_, days, isWitness) => {
  const { look } = await lookAtWorld([], { days });
  expect(look?.inception ?? null).toBe(isWitness ? signedAt : null);
});

test.each([
  ["five days later, while a cache kept the SOA record", 5, true],
  ["five days earlier", -5, true],
  ["only after the signature of the SOA record was over", 14, false],
])("keys that were signed %s: by %s days, seen: %s", async (_, days, isSeen) => {
  const { look } = await lookAtWorld([], { keysAt: signedAt + days * DAY });
  expect(look?.inception ?? null).toBe(isSeen ? signedAt : null);
});

describe("keys that the root lists", () => {
  test("and that are no anchors are named as soon as it lists them", async () => {
    const { look, tags } = await lookAtWorld([257, 257], {});
    expect(look).toMatchObject({ inception: signedAt });
    expect(look?.unknownKeys.toSorted()).toEqual(tags.toSorted());
  });

  test("in what a resolver repeats of years ago are none of today", async () => {
    const root = await makeRootWorld([257], signedAt - 6 * DAY);
    const present = await makeRootWorld([], signedAt);
    const trustAnchors = [root, present].map(({ anchor }) => parseTrustAnchor(anchor));
    const looks = (...worlds: readonly (typeof root)[]) =>
      lookAtRoot(
        worlds.map(({ query }) => query),
        { about: () => signedAt, trustAnchors },
      );
    expect((await looks(root))?.unknownKeys).toEqual(root.tags);
    expect((await looks(root, present))?.unknownKeys).toEqual([]);
  });

  test("of zones, and revoked ones, are no anchors to come", async () => {
    expect((await lookAtWorld([256, 385], {})).look?.unknownKeys).toEqual([]);
  });
});

test("only the anchors of IANA are those of the public root", () => {
  expect(isPublicRoot()).toBe(true);
  expect(isPublicRoot(rootTrustAnchors.slice(1))).toBe(true);
  expect(isPublicRoot(world.trustAnchors)).toBe(false);
});

describe("through the configured resolvers", () => {
  const NAME = "dns.test";
  const authority = makeAuthority();
  const tlsResolver = async (certificate = authority.issue(NAME), name = NAME) => {
    const server = await startTlsDns(certificate, (query, { send }) => {
      const reply = world.zones.answer(query);
      if (reply !== null) send(reply);
    });
    onTestFinished(server.close);
    return { text: server.text(name), server };
  };
  const lookThrough = (texts: readonly string[], ca: string | undefined = authority.ca) =>
    createRootWitness(texts, { ...of(), ca })();

  test("the root is seen in plain DNS", async () => {
    const plain = await startNameServer(world.zones);
    onTestFinished(plain.close);
    expect(await lookThrough([`127.0.0.1:${plain.port}`])).not.toBeNull();
  });

  const unknown = { extensions: ["1.2.3.4=critical,DER:05:00"] };
  const purpose = (name: string) => ({ extensions: [`extendedKeyUsage=${name}`] });

  test.each([
    ["that is right", () => authority.issue(NAME)],
    ["that has expired", () => authority.issue(NAME, -1)],
    ["that is not valid yet", () => authority.issue(NAME, 9, { from: 2 })],
    ["for servers that has expired", () => authority.issue(NAME, -1, purpose("serverAuth"))],
    ["of an authority below that has expired", () => authority.below().issue(NAME, -1)],
  ])("a certificate %s is accepted", async (_, certificate) => {
    const { text } = await tlsResolver(certificate());
    expect(await lookThrough([text])).not.toBeNull();
  });

  test.each([
    ["of another name", () => authority.issue("other.test")],
    ["of another name that has expired", () => authority.issue("other.test", -1)],
    ["that nobody signed", () => makeSelfSigned(NAME)],
    ["of another authority", () => makeAuthority().issue(NAME)],
    ["of another authority that has expired", () => makeAuthority().issue(NAME, -1)],
    [
      "of another authority that is not valid yet",
      () => makeAuthority().issue(NAME, 9, { from: 2 }),
    ],
    ["with an extension that is critical and unknown", () => authority.issue(NAME, 2, unknown)],
    ["for clients", () => authority.issue(NAME, 2, purpose("clientAuth"))],
    ["for clients that has expired", () => authority.issue(NAME, -1, purpose("clientAuth"))],
    ["of another authority below that has expired", () => makeAuthority().below().issue(NAME, -1)],
    ["of a certificate that is no authority", () => authority.below(false).issue(NAME)],
    [
      "of a certificate that is no authority, and that has expired",
      () => authority.below(false).issue(NAME, -1),
    ],
  ])("a certificate %s is refused, and nothing is asked", async (_, certificate) => {
    const { text, server } = await tlsResolver(certificate());
    expect(await lookThrough([text])).toBeNull();
    expect(server.queries).toEqual([]);
  });

  test("each look asks twice, and has connections of its own, which end with it", async () => {
    const { text, server } = await tlsResolver();
    const look = createRootWitness([text], { ...of(), ca: authority.ca });
    await look();
    await look();
    expect([server.names.length, server.queries.length]).toEqual([2, 4]);
    // A resolver that verifies has a clock of its own, which may be wrong, too.
    expect(server.queries.every(({ checkingDisabled }) => checkingDisabled)).toBe(true);
  });

  test("without anchors, nothing is asked", async () => {
    const { text, server } = await tlsResolver();
    expect(await createRootWitness([text], { ...of(), trustAnchors: [] })()).toBeNull();
    expect(server.names).toEqual([]);
  });
});
