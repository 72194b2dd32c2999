// Tests of a look through several resolvers: what they agree on, its assurance, and domains that were signed.

import { afterEach, beforeEach, describe, expect, it, test, vi } from "vitest";
import type { AcceptedRecord, SecureDomain } from "../store/remembered.ts";
import type { Assurance } from "./assurance.ts";
import { type AssuredVerdict, createAssuredLook, type Question, sharedBy } from "./assured-look.ts";
import { NOTHING_REMEMBERED } from "./looks.ts";
import type { ChainProof, Found, View } from "./view.ts";

const domain = "alice.test";
const label = "_domain-signin";
const name = `${label}.${domain}`;

const found = (...values: string[]): Found => ({
  ...{ values, aliasTarget: null, isWildcard: false, ttl: 60 },
});
const proofUntil = (notAfter: number): ChainProof => ({
  ...{ chain: Uint8Array.of(notAfter), notBefore: 1, notAfter },
});
function secure(value: string | Found, inception = 100, notAfter = 200): View {
  const what = typeof value === "string" ? found(value) : value;
  const proof = proofUntil(notAfter);
  return { security: "secure", found: what, proof, inception, expiration: notAfter };
}
const period = { inception: 100, expiration: 200 };
const absent: View = { security: "secure", found: found(), proof: null, ...period };
function insecure(value: string | Found, insecureZone = domain, insecureName = name): View {
  const what = typeof value === "string" ? found(value) : value;
  return { security: "insecure", found: what, insecureZone, insecureName };
}
const alias = (aliasTarget: string): View => insecure({ ...found(), aliasTarget });
const bogus: View = { security: "bogus", cause: "validation_failed", reason: "expired" };
const failed: View = { security: "indeterminate", reason: "servfail" };

interface Answer {
  readonly key: string;
}
type Looked = AssuredVerdict<Answer>;

/** What the memory of signed domains was asked, and what it answers. */
let remembered: string[];
let mayBeInsecure: boolean;
let events: object[];

beforeEach(() => {
  remembered = [];
  mayBeInsecure = true;
  events = [];
});
afterEach(() => void vi.useRealTimers());

const signedBefore = {
  async note(of: string) {
    remembered.push(`note ${of}`);
  },
  async mayBeInsecure(known: SecureDomain | null) {
    remembered.push(`may ${known?.domain}`);
    return mayBeInsecure;
  },
  secondLookAt: async () => 86_400,
};

function look(
  views: readonly (View | "silent")[],
  minAssurance: Assurance = "corroborated",
  accepted: AcceptedRecord | null = null,
): Promise<Looked> {
  const sources = views.map((view) => async (asked: string, of: string) => {
    expect([asked, of]).toEqual([name, label]);
    return view === "silent" ? new Promise<never>(() => {}) : view;
  });
  const lookUp = createAssuredLook({
    ...{ sources, minAssurance, signedBefore },
    events: {
      lookedUp: ({ milliseconds: _, ...event }) => void events.push(event),
      bogus: (event) => void events.push(event),
      unavailable: (event) => void events.push(event),
    },
  });
  const read: Question<Answer>["read"] = ({ values, aliasTarget }) => ({
    key: aliasTarget === null ? values.toSorted().join("+") || "nothing" : "an alias",
  });
  const signed = { domain, secureAt: 0, unsignedAt: null };
  const remembered = { ...NOTHING_REMEMBERED, signed };
  return lookUp({ domain, label, read, accepted, remembered }, () => {});
}

function inWords(looked: Looked): string {
  if (looked.outcome !== "agreed") return `${looked.outcome}: ${looked.reason}`;
  return `${looked.answers[0].key}, ${looked.assurance} by ${looked.answers.length}`;
}

const [a, b, c, none] = [insecure("a"), insecure("b"), insecure("c"), insecure(found())];

describe("three resolvers, of which two must agree", () => {
  test.each<[string, readonly View[]]>([
    ["a, secure by 2", [secure("a"), secure("a"), secure("b")]],
    ["a, secure by 2", [bogus, secure("a"), secure("a")]],
    ["a, secure by 2", [b, secure("a"), secure("a")]],
    ["nothing, secure by 2", [absent, absent, secure("a")]],
    ["indeterminate: unconfirmed", [a, a, secure("b")].toReversed()],
    ["indeterminate: unconfirmed", [failed, secure("a"), failed]],
    ["a, corroborated by 2", [a, a, b]],
    ["a, corroborated by 2", [failed, a, a]],
    ["a, corroborated by 2", [b, a, a]],
    ["a, corroborated by 2", [bogus, a, a]],
    ["nothing, corroborated by 2", [none, none, a]],
    ["an alias, corroborated by 2", [alias("web.test"), alias("web.test"), a]],
    ["indeterminate: contradictory", [a, b, c]],
    ["indeterminate: contradictory", [a, failed, b]],
    ["indeterminate: contradictory", [a, none, failed]],
    ["indeterminate: contradictory", [a, bogus, failed]],
    ["indeterminate: contradictory", [alias("web.test"), insecure("web.test"), failed]],
    ["indeterminate: unconfirmed", [failed, a, failed]],
    ["bogus: expired", [failed, bogus, failed]],
    ["bogus: expired", [bogus, bogus, bogus]],
    ["indeterminate: servfail", [failed, failed, failed]],
  ])("say %s", async (words, views) => {
    for (const minAssurance of ["single", "corroborated", "secure"] as const) {
      expect(inWords(await look(views, minAssurance))).toBe(words);
    }
  });

  it("are bogus if they only name an insecure zone inside the domain", async () => {
    const made = insecure("a", name);
    const reason = `insecure_zone: ${name} is delegated without DNSSEC`;
    const cause = "unsigned_subzone";
    expect(await look([made, made, made])).toEqual({ outcome: "bogus", cause, reason });
    expect(inWords(await look([made, secure("a"), secure("a")]))).toBe("a, secure by 2");
    // Also zones above the domain may be insecure.
    const above = insecure("a", "test");
    expect(inWords(await look([above, above, made]))).toBe("a, corroborated by 2");
  });
});

test.each<[string, Assurance, readonly View[]]>([
  ["a, single by 1", "single", [a]],
  ["a, secure by 1", "single", [secure("a")]],
  ["indeterminate: unconfirmed", "corroborated", [a]],
  ["indeterminate: unconfirmed", "secure", [secure("a")]],
  ["a, single by 2", "single", [a, a]],
  ["a, secure by 2", "single", [secure("a"), secure("a")]],
  ["indeterminate: contradictory", "single", [a, b]],
  ["indeterminate: unconfirmed", "single", [failed, a]],
  ["contradictory", "corroborated", [b, a, c, a]],
  ["a, corroborated by 3", "corroborated", [b, a, c, a, a]],
])("other numbers of resolvers: %s where %s is needed", async (words, minAssurance, views) => {
  expect(inWords(await look(views, minAssurance))).toContain(words);
});

/** What the answers have in common. */
function shared(looked: Looked) {
  if (looked.outcome !== "agreed") throw new Error(looked.outcome);
  return sharedBy(looked.answers);
}

describe("what agreeing resolvers share", () => {
  it("is the proof that holds longest, the newest signature and the shortest TTL", async () => {
    const brief = secure({ ...found("a"), ttl: 7 }, 101, 300);
    const signature = { inception: 101, expiration: 300 };
    const looked = await look([secure("a", 99, 200), brief]);
    expect(shared(looked)).toMatchObject({ proof: proofUntil(300), ttl: 7, signature });
  });

  it("is no proof of an absence, nor of anything insecure", async () => {
    const absence = shared(await look([absent, absent, absent]));
    expect(absence).toMatchObject({ proof: null, signature: period });
    expect(shared(await look([a, a, a]))).toMatchObject({ proof: null, signature: null });
  });
});

describe("a signed zone that denies all but a delegation without DNSSEC, by opt-out", () => {
  const denied = (zone: string, inception = 100): View => ({
    ...{ security: "insecure", found: found(), insecureZone: zone, insecureName: name },
    optOut: { inception, expiration: 200 },
  });

  it("proves an absence if that would be below the domain, where its records would not count", async () => {
    mayBeInsecure = false;
    const looked = await look([denied(name), denied(name), denied(name)], "secure");
    expect(inWords(looked)).toBe("nothing, secure by 2");
    expect(shared(looked)).toMatchObject({ proof: null, signature: period });
    expect(inWords(await look([denied(name), absent, secure("a")]))).toBe("nothing, secure by 2");
    expect(remembered).toEqual([]);
  });

  it("needs all resolvers if its signature is older than that of the accepted record", async () => {
    const accepted: AcceptedRecord = { key: "a", inception: 100 };
    const [old, current] = [denied(name, 99), secure("a")];
    const lookAt = async (...views: View[]) => inWords(await look(views, "corroborated", accepted));
    expect(await lookAt(old, old, current)).toBe("indeterminate: contradictory");
    expect(await lookAt(old, old, old)).toBe("nothing, secure by 3");
    expect(await lookAt(denied(name), denied(name), current)).toBe("nothing, secure by 2");
  });

  it("proves nothing if the domain or a zone above it may be that delegation", async () => {
    for (const zone of [domain, "test"]) {
      expect(inWords(await look([denied(zone), a, a]))).toBe("a, corroborated by 2");
      const looked = await look([denied(zone), denied(zone), a]);
      expect(inWords(looked)).toBe("nothing, corroborated by 2");
    }
    mayBeInsecure = false;
    expect(await look([denied(domain), denied(domain), a])).toMatchObject({ cause: "was_signed" });
  });
});

describe("an answer that is older than the accepted one", () => {
  const accepted: AcceptedRecord = { key: "new", inception: 100 };
  const old = secure("old", 99);

  it("needs all resolvers, in any order", async () => {
    const attack = [old, old, secure("new", 100)];
    for (const views of [attack, attack.toReversed()]) {
      const looked = await look(views, "corroborated", accepted);
      expect(inWords(looked)).toBe("indeterminate: contradictory");
    }
    expect(inWords(await look([old, old, old], "corroborated", accepted))).toBe("old, secure by 3");
  });
});

describe("a domain that was signed recently", () => {
  const reason = `${domain} was signed until recently, and now it is not`;

  it("is noted when a record is secure, not its absence, and neither needs permission", async () => {
    mayBeInsecure = false;
    expect(inWords(await look([secure("a"), secure("a"), a]))).toBe("a, secure by 2");
    expect(inWords(await look([absent, absent, a]))).toBe("nothing, secure by 2");
    expect(remembered).toEqual([`note ${domain}`]);
  });

  it.each([
    ["a record", a],
    ["no record", none],
    ["an alias that leads away", alias("web.test")],
  ])("is bogus if it is insecure now, with %s, however many resolvers agree", async (_, view) => {
    mayBeInsecure = false;
    for (const minAssurance of ["single", "corroborated", "secure"] as const) {
      const found = await look([view, view, view], minAssurance);
      expect(found).toEqual({ outcome: "bogus", cause: "was_signed", reason, againAt: 86_400 });
    }
    expect(new Set(remembered)).toEqual(new Set([`may ${domain}`]));
  });

  it("is believed as soon as it may be insecure", async () => {
    expect(inWords(await look([a, a, a]))).toBe("a, corroborated by 2");
    expect(remembered).toEqual([`may ${domain}`]);
  });

  it("may have signed an alias to an insecure zone, which never was its own", async () => {
    mayBeInsecure = false;
    const led = insecure("a", "carol.test", `${label}.carol.test`);
    expect(inWords(await look([led, led, led]))).toBe("a, corroborated by 2");
    // All that agree must say so.
    expect((await look([led, a, failed])).outcome).toBe("bogus");
  });

  it("is not asked about without an answer", async () => {
    await look([bogus, bogus, bogus]);
    await look([failed, failed, failed]);
    await look([a, b, c]);
    expect(remembered).toEqual([]);
  });
});

describe("that a domain is not registered", () => {
  const lookAt = async (view: View, mayBeUnregistered: boolean) => {
    const asked: string[] = [];
    const counted: string[] = [];
    const lookUp = createAssuredLook({
      ...{ sources: [async () => view], minAssurance: "single", signedBefore: null },
      isUnregistered: async (name) => asked.push(name) > 0,
      events: {
        lookedUp: ({ outcome }) => void counted.push(outcome),
        ...{ bogus: () => {}, unavailable: () => {} },
      },
    });
    const read = () => ({ key: "" });
    const question = { domain, label, read, accepted: null, mayBeUnregistered };
    const looked = await lookUp({ ...question, remembered: NOTHING_REMEMBERED }, () => {});
    const isUnregistered = looked.outcome === "agreed" && looked.isUnregistered === true;
    return { asked, counted, isUnregistered };
  };

  test.each([none, absent])("is asked and counted after an absence", async (view) => {
    const expected = { asked: [domain], counted: ["unregistered"], isUnregistered: true };
    expect(await lookAt(view, true)).toEqual(expected);
  });

  test.each<[string, View, boolean]>([
    ["a record", a, true],
    ["an alias", alias("x.test"), true],
    ["a failure", failed, true],
    ["an absence below a domain with an account", none, false],
  ])("is not asked after %s", async (_, view, mayBeUnregistered) => {
    const { asked, isUnregistered } = await lookAt(view, mayBeUnregistered);
    expect([asked, isUnregistered]).toEqual([[], false]);
  });
});

describe("each look is counted", () => {
  test.each<[string, Assurance, readonly View[]]>([
    ["values", "secure", [secure("a"), secure("a")]],
    ["values", "secure", [absent, absent]],
    ["values", "corroborated", [a, a, a]],
    ["alias_invalid", "corroborated", [alias("x.test"), alias("y.test"), a]],
    ["values", "corroborated", [none, none, none]],
    ["unavailable", "single", [a, b, c]],
    ["unavailable", "single", [failed, failed, failed]],
  ])("with the outcome %s and the assurance %s", async (outcome, assurance, views) => {
    await look(views);
    expect(events[0]).toEqual({ outcome, assurance });
  });

  it("and a failure has an event of its own", async () => {
    await look([failed, failed, failed]);
    expect(events.splice(0)).toEqual([
      { outcome: "unavailable", assurance: "single" },
      { domain, reason: "servfail" },
    ]);
    await look([bogus, bogus, bogus]);
    expect(events).toEqual([
      { outcome: "bogus", assurance: "single" },
      { domain, cause: "validation_failed", reason: "expired" },
    ]);
  });
});

describe("a person waits no longer than 1.7 seconds", () => {
  it.each<[string, readonly (View | "silent")[]]>([
    ["indeterminate: timeout", ["silent", "silent", "silent"]],
    ["indeterminate: unconfirmed", ["silent", a, "silent"]],
    ["indeterminate: contradictory", [a, "silent", b]],
    ["a, corroborated by 2", [a, "silent", a]],
  ])("for %s", async (words, views) => {
    vi.useFakeTimers();
    const began = Date.now();
    const looked = look(views).then((one) => [inWords(one), Date.now() - began]);
    await vi.advanceTimersByTimeAsync(5000);
    expect(await looked).toEqual([words, 1700]);
  });
});
