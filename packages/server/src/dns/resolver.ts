// Asks recursive resolvers, and tells an answer, an absence and a failure apart.

import { randomInt } from "node:crypto";
import { type DnsMessage, type DnsRecord, rcode } from "domain-signin-verify/dns/message";
import { canonicalName } from "domain-signin-verify/dns/name";
import { classIn, decodeTxt } from "domain-signin-verify/dns/records";
import type { Bogus } from "./bogus.ts";
import { ask, type DnsServer, type Reply } from "./exchange.ts";
import { type ExtendedError, extendedErrorOf } from "./extended-error.ts";

/** `records` of the answer section, with aliases: none in an "answer" means that the name has no such type. */
export type DnsAnswer =
  | {
      readonly outcome: "answer" | "nxdomain";
      readonly records: readonly DnsRecord[];
      readonly authorities: readonly DnsRecord[];
    }
  | ({ readonly outcome: "bogus" } & Omit<Bogus, "cause">)
  | ({ readonly outcome: "failed" } & DnsFailure);

/** From the most to the least specific. */
export const DNS_FAILURE_REASONS = [
  "blocked",
  "stale",
  "no_authority",
  "unsupported_dnssec",
  "refused",
  "servfail",
  "malformed",
  "unexpected_rcode",
  "network",
  "timeout",
  /** Too many look-ups are in flight: nothing was asked. */
  "busy",
] as const;
export type DnsFailureReason = (typeof DNS_FAILURE_REASONS)[number];

/** Why a resolver gave no answer, with the error by which it explained that. */
export interface DnsFailure {
  readonly reason: DnsFailureReason;
  readonly extendedError?: ExtendedError | undefined;
}

export type Query = (name: string, type: number) => Promise<DnsAnswer>;

export interface Resolver {
  /** Settles within 2.3 seconds; throws only for a `name` that is no domain name. */
  readonly query: Query;
}

/** How many aliases are followed from one name. */
export const MAX_ALIASES = 8;
const TOTAL_MS = 2300;
/** Timers are not exact: they can leave a fraction of a millisecond, which is too little for another try. */
const LEAST_TRY_MS = 5;
const ROUNDS = 2;

interface Setup {
  readonly servers: readonly DnsServer[];
  readonly inOrder?: (servers: readonly DnsServer[]) => readonly DnsServer[];
  readonly timeoutMs?: number;
  /** Makes 16-bit ids. */
  readonly random?: () => number;
  /** Asks for records that the resolver has not verified (RFC 4035 §3.2.2). */
  readonly checkingDisabled?: boolean;
}

/** Asks the servers one after the other, in the order of `inOrder`. */
export function createResolver(setup: Setup): Resolver {
  const { servers, inOrder = (all) => all, checkingDisabled = false } = setup;
  const { timeoutMs = 1000, random = () => randomInt(0x10000) } = setup;
  if (servers.length === 0) throw new Error("A resolver needs the address of a DNS server.");

  async function askServer(server: DnsServer, name: string, type: number, deadline: number) {
    const query = { id: random(), name, type, checkingDisabled };
    const tryMs = () => Math.max(1, Math.min(timeoutMs, deadline - performance.now()));
    return answerOf(await ask(server, query, tryMs));
  }

  return {
    async query(name, type) {
      const canonical = canonicalName(name);
      const deadline = performance.now() + TOTAL_MS;
      let answer: DnsAnswer = { outcome: "failed", reason: "timeout" };
      for (const server of Array.from({ length: ROUNDS }, () => inOrder(servers)).flat()) {
        if (deadline - performance.now() < LEAST_TRY_MS) break;
        answer = await askServer(server, canonical, type, deadline);
        // A bogus answer also ends the loop: the next server might not validate at all.
        if (answer.outcome !== "failed") break;
      }
      return answer;
    },
  };
}

export function answerOf(reply: Reply): DnsAnswer {
  if (reply.outcome !== "message") return { outcome: "failed", reason: reply.outcome };
  const { message } = reply;
  const extendedError = extendedErrorOf(message);
  const kind = extendedError?.kind;
  const failed = (reason: DnsFailureReason) =>
    ({ outcome: "failed", reason, extendedError }) as const;
  // A blocked name gets the resolver's own answer. A stale one (RFC 8767) could be months old without a sign of it.
  if (kind === "blocked" || kind === "stale") return failed(kind);
  switch (message.rcode) {
    case rcode.noError:
      return { outcome: "answer", records: message.answers, authorities: message.authorities };
    case rcode.nxDomain:
      return showsAsked(message)
        ? failed("malformed")
        : { outcome: "nxdomain", records: message.answers, authorities: message.authorities };
    case rcode.servFail:
      if (extendedError?.kind === "bogus") {
        return { outcome: "bogus", reason: extendedError.name, extendedError };
      }
      return failed(kind === "no_authority" || kind === "unsupported_dnssec" ? kind : "servfail");
    case rcode.refused:
      return failed("refused");
    default:
      return failed("unexpected_rcode");
  }
}

/** A name with a record of the requested type cannot be a name that does not exist. */
function showsAsked({ questions: [question], answers }: DnsMessage): boolean {
  return answers.some(
    (record) => record.type === question?.type && record.class === question.class,
  );
}

export function recordsAt(records: readonly DnsRecord[], name: string, type: number): DnsRecord[] {
  return records.filter(
    (record) => record.name === name && record.type === type && record.class === classIn,
  );
}

/** As the parsers of records read a value: one character for each octet. */
export function octetsOf(rdata: Uint8Array): string {
  return Buffer.from(decodeTxt(rdata)).toString("latin1");
}

/** For a person. Octets that are not UTF-8 become U+FFFD, and a byte order mark stays. */
export function textOf(rdata: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(decodeTxt(rdata));
}
