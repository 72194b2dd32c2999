// What one resolver says stands at a name, and whether signatures from the root stand behind it.

import { decodeRrsig } from "domain-signin-verify/dns/dnssec-records";
import { DnsMessageError, type DnsRecord } from "domain-signin-verify/dns/message";
import { canonicalName, isAtOrBelow, labelsOf } from "domain-signin-verify/dns/name";
import { decodeHostName, recordType } from "domain-signin-verify/dns/records";
import type { Chains } from "./chain.ts";
import { findApex, type Query } from "./name-servers.ts";
import type { Resolver } from "./resolver.ts";
import { lookUpTxt, maxAliases, recordsAt, type TxtLook, textOf } from "./txt.ts";

/** The octets of an AuthenticationChain (RFC 9102), and when its signatures hold, in epoch seconds. */
export type Proof = {
  readonly chain: Uint8Array;
  readonly notBefore: number;
  readonly notAfter: number;
};

/** What may be believed of a resolver: nothing of a "failed" one. */
export type View =
  | { readonly kind: "secure"; readonly txt: Told; readonly proof: Proof }
  /** `isAliasSigned`: the zone of the name is signed, and has signed an alias that leads out of it. */
  | { readonly kind: "unsigned"; readonly txt: Told; readonly isAliasSigned: boolean }
  | { readonly kind: "failed"; readonly txt: Failed };

export type Told = Extract<TxtLook, { outcome: "values" | "alias_invalid" }>;
export type Failed = Extract<TxtLook, { outcome: "unavailable" | "bogus" }>;

/** Each costs questions about zones, up to the root. */
const maxUnsignedDomains = 3;

/** One record set on the way from the name to its end. */
type SetOnTheWay = { readonly name: string; readonly type: number };

/**
 * Looks through one resolver. A name that holds nothing, or that leads elsewhere, is "unsigned":
 * absence is never proven here.
 */
export async function viewThrough(
  resolver: Resolver,
  { name: startName, label }: { name: string; label: string },
  chains: Chains,
): Promise<View> {
  const name = canonicalName(startName);
  const txt = await lookUpTxt(resolver, name, label);
  switch (txt.outcome) {
    case "unavailable":
    case "bogus":
      return { kind: "failed", txt };
    case "alias_invalid":
      return { kind: "unsigned", txt, isAliasSigned: false };
    case "values":
      return txt.values.length === 0
        ? { kind: "unsigned", txt, isAliasSigned: false }
        : prove(txt, { name, label }, { resolver, chains });
  }
}

async function prove(
  txt: Extract<TxtLook, { outcome: "values" }>,
  { name, label }: { name: string; label: string },
  { resolver, chains }: { resolver: Resolver; chains: Chains },
): Promise<View> {
  // Without any signature there is nothing to prove, however much text there is.
  const isBare = setsOnTheWay(txt.answers, name).every((set) => !isSigned(txt.answers, set));
  if (isBare) return mayBeUnsigned(txt, { name, label }, { resolver, chains });
  const proven = await chains.prove(name, recordType.TXT, txt.answers);
  switch (proven.outcome) {
    case "secure": {
      // From here on only what was verified counts, the way to it included.
      const { chain, verified } = proven;
      const { notBefore, notAfter, ttl } = verified;
      if (!labelsOf(verified.name).includes(label)) {
        const txt = { outcome: "alias_invalid", target: verified.name, ttl } as const;
        return { kind: "unsigned", txt, isAliasSigned: true };
      }
      const values = verified.values.map(textOf);
      return {
        kind: "secure",
        txt: { outcome: "values", values, ttl, answers: txt.answers },
        proof: { chain, notBefore, notAfter },
      };
    }
    case "unsigned":
      return mayBeUnsigned(txt, { name, label }, { resolver, chains });
    case "bogus":
    case "unavailable":
      return { kind: "failed", txt: proven };
  }
}

/**
 * Missing signatures do not mean that there are none: each set on the way either has good ones, or
 * lies in a zone that nobody above has signed for.
 */
async function mayBeUnsigned(
  txt: Extract<TxtLook, { outcome: "values" }>,
  { name, label }: { name: string; label: string },
  { resolver, chains }: { resolver: Resolver; chains: Chains },
): Promise<View> {
  const way = setsOnTheWay(txt.answers, name);
  // A signature that is there was judged: it is good, or of a zone that nobody above signed for.
  const bare = way.filter((set) => !isSignedAbove(txt.answers, set, domainOf(set.name, label)));
  const domains = new Set(bare.map((set) => domainOf(set.name, label)));
  if (domains.size > maxUnsignedDomains) {
    return {
      kind: "failed",
      txt: { outcome: "bogus", reason: "too many unsigned zones on the way" },
    };
  }
  for (const domain of domains) {
    const failed = await missingSignature(domain, resolver, chains);
    if (failed) return { kind: "failed", txt: failed };
  }
  const [first] = way;
  const isAliasSigned =
    first?.type === recordType.CNAME && isSigned(txt.answers, first)
      ? (await chains.prove(name, recordType.CNAME, txt.answers)).outcome === "secure"
      : false;
  return { kind: "unsigned", txt, isAliasSigned };
}

/**
 * What is asked for is the zone of the domain. That another one begins below it, at the record itself,
 * could be said by whoever answers for the domain's own zone, and then for its missing signatures too.
 */
async function missingSignature(
  domain: string,
  resolver: Resolver,
  chains: Chains,
): Promise<Failed | null> {
  const apex = await findApex(queryThrough(resolver), domain);
  if (apex === null) return { outcome: "unavailable", reason: "malformed" };
  const delegation = await chains.delegation(apex);
  switch (delegation.outcome) {
    case "unsigned":
      return null;
    case "signed":
      return { outcome: "bogus", reason: `the signatures of ${apex} are missing` };
    case "bogus":
    case "unavailable":
      return delegation;
  }
}

/** Whether the zone above the domain's says, and proves, that it has no signatures. */
export async function isUnsigned(
  domain: string,
  source: { readonly resolver: Resolver; readonly chains: Chains } | undefined,
): Promise<boolean> {
  if (!source) return false;
  return (await missingSignature(domain, source.resolver, source.chains)) === null;
}

/** A resolver as those see it who need more of a reply than its answer. */
export function queryThrough(resolver: Resolver): Query {
  return async (name, type) => {
    const answer = await resolver.query(name, type);
    const isReply = answer.outcome === "answer" || answer.outcome === "nxdomain";
    return isReply ? { answers: answer.records, authorities: answer.authorities } : null;
  };
}

/** The way as `lookUpTxt` went it. */
function setsOnTheWay(answers: readonly DnsRecord[], start: string): SetOnTheWay[] {
  const sets: SetOnTheWay[] = [];
  let name = start;
  let alias = recordsAt(answers, name, recordType.CNAME)[0];
  while (alias && sets.length < maxAliases) {
    sets.push({ name, type: recordType.CNAME });
    name = decodeHostName(alias.rdata);
    alias = recordsAt(answers, name, recordType.CNAME)[0];
  }
  return [...sets, { name, type: recordType.TXT }];
}

/** The domain that a record with the label is about; a name without the label is its own. */
function domainOf(name: string, label: string): string {
  const labels = labelsOf(name);
  return labels.slice(labels.lastIndexOf(label) + 1).join(".");
}

function isSigned(answers: readonly DnsRecord[], set: SetOnTheWay): boolean {
  return signaturesOf(answers, set).length > 0;
}

/** By a zone at the domain or above it: anybody can write a signature of a zone below. */
function isSignedAbove(answers: readonly DnsRecord[], set: SetOnTheWay, domain: string): boolean {
  return signaturesOf(answers, set).some(({ rdata }) => {
    const signer = signerIn(rdata);
    return signer !== null && isAtOrBelow(domain, signer);
  });
}

/** The first two octets of an RRSIG are the type that it covers (RFC 4034 §3.1). */
function signaturesOf(answers: readonly DnsRecord[], { name, type }: SetOnTheWay): DnsRecord[] {
  return recordsAt(answers, name, recordType.RRSIG).filter(
    ({ rdata: [high = 0, low = 0] }) => high * 256 + low === type,
  );
}

/** Null for octets that are no signature. */
function signerIn(rdata: Uint8Array): string | null {
  try {
    return decodeRrsig(rdata).signer;
  } catch (error) {
    if (!(error instanceof DnsMessageError)) throw error;
    return null;
  }
}
