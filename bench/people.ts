// The world of the people in a benchmark: their authenticators, and a name server on loopback that knows their records.

import { rcode } from "domain-signin-verify/dns/message";
import { classIn, encodeTxt, recordType } from "domain-signin-verify/dns/records";
import { startNameServer } from "../packages/demo/src/zones/name-server.ts";
import { createSignedZones } from "../packages/demo/src/zones/signed-zone-answer.ts";
import { createAuthenticator } from "../packages/server/test/support/authenticator.ts";

export { createAuthenticator };

/** Seconds for which a look may be remembered. */
const TTL = 300;

/** Each of the domains is an unsigned zone right below `test`, which is signed. `publish` replaces the text at a name. */
export async function startZones(domains: readonly string[]) {
  const texts = new Map<string, string>();
  const { TXT: type } = recordType;
  const above = ["", "test"].map((name) => ({ name, algorithm: 13, signed: true }) as const);
  const unsigned = domains.map((name) => ({ name, algorithm: 13, signed: false }) as const);
  const now = () => Math.floor(Date.now() / 1000);
  const zones = createSignedZones({ zones: [...above, ...unsigned], records: () => [], now });
  const { address, port } = await startNameServer({
    answer(query) {
      const answer = zones.answer(query);
      const [question] = query.questions;
      const text = texts.get(question?.name ?? "");
      if (question?.type !== type || text === undefined) return answer;
      const rdata = encodeTxt(Buffer.from(text));
      const found = { name: question.name, type, class: classIn, ttl: TTL, rdata };
      return { ...answer, rcode: rcode.noError, answers: [found], authorities: [] };
    },
  });
  return {
    address: `${address}:${port}`,
    trustAnchors: zones.trustAnchors,
    publish: (name: string, text: string) => void texts.set(name, text),
  };
}
