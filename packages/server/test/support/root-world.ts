// A DNS root on loopback that is signed by hand, and lists keys that nobody trusts yet.

import { type NameServer, startNameServer } from "domain-signin-demo/zones/name-server";
import type { DnsRecord } from "domain-signin-verify/dns/message";
import { recordType } from "domain-signin-verify/dns/records";
import {
  anchorText,
  keySet,
  makeKey,
  makeZone,
  type Octets,
  octets,
  signedSet,
} from "../../../verify/test/support/signer.ts";
import { type Query, recordsOf } from "./validator-world.ts";

export interface RootWorld {
  readonly query: Query;
  /** As the setting has it. */
  readonly anchor: string;
  /** The tags of the further keys. */
  readonly tags: readonly number[];
  /** Serves it by UDP and TCP. Any other question fails. */
  serve(): Promise<NameServer>;
}

/** The names of a server and of a mailbox, and five numbers. */
const SOA_RDATA: Octets = octets(0, 0, ...Array<number>(20).fill(0));

/**
 * Signed at `inception`, in epoch seconds, for 13 days, and its keys at the same time or at `keysAt`. `flags` are those of
 * the further keys that it lists.
 */
export async function makeRootWorld(
  flags: readonly number[],
  inception: number,
  { days = 13, keysAt = inception } = {},
): Promise<RootWorld> {
  const others = await Promise.all(flags.map((flags) => makeKey(13, { flags })));
  const root = await makeZone(
    "",
    13,
    others.map(({ rdata }) => rdata),
  );
  const timesFrom = (inception: number) => ({ inception, expiration: inception + days * 86_400 });
  const soa = { name: "", type: recordType.SOA, rdatas: [SOA_RDATA] };
  const answers = new Map<number, readonly DnsRecord[]>();
  for (const [set, from] of [
    [soa, inception],
    [keySet(root), keysAt],
  ] as const) {
    answers.set(set.type, recordsOf(await signedSet(root, set, timesFrom(from))));
  }
  const answerTo = (name: string, type: number) => (name === "" ? answers.get(type) : undefined);
  return {
    anchor: await anchorText(root),
    tags: others.map(({ tag }) => tag),
    async query(name, type) {
      const records = answerTo(name, type);
      if (records === undefined) return { outcome: "failed", reason: "servfail" };
      return { outcome: "answer", records, authorities: [] };
    },
    serve: () =>
      startNameServer({
        answer(query) {
          const [question] = query.questions;
          const found = question && answerTo(question.name, question.type);
          const reply = { ...query, isResponse: true };
          return found ? { ...reply, answers: found } : { ...reply, rcode: 2 };
        },
      }),
  };
}
