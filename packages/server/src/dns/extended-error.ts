// Extended DNS Errors: why a resolver failed, or what its answer is worth (RFC 8914).

import type { DnsMessage } from "domain-signin-verify/dns/message";

/** What an error means here. The first one counts if an answer has several. */
const KINDS = ["blocked", "stale", "bogus", "no_authority", "unsupported_dnssec", "other"] as const;
type ErrorKind = (typeof KINDS)[number];

/** `name` is that of the IANA registry, or "Unassigned". */
export interface ExtendedError {
  readonly code: number;
  readonly name: string;
  readonly kind: ErrorKind;
}

const REGISTRY: readonly (readonly [name: string, kind: ErrorKind])[] = [
  ["Other Error", "other"],
  ["Unsupported DNSKEY Algorithm", "unsupported_dnssec"],
  ["Unsupported DS Digest Type", "unsupported_dnssec"],
  ["Stale Answer", "stale"],
  ["Forged Answer", "blocked"],
  ["DNSSEC Indeterminate", "other"],
  ["DNSSEC Bogus", "bogus"],
  ["Signature Expired", "bogus"],
  ["Signature Not Yet Valid", "bogus"],
  ["DNSKEY Missing", "bogus"],
  ["RRSIGs Missing", "bogus"],
  ["No Zone Key Bit Set", "bogus"],
  ["NSEC Missing", "bogus"],
  ["Cached Error", "other"],
  ["Not Ready", "other"],
  ["Blocked", "blocked"],
  ["Censored", "blocked"],
  ["Filtered", "blocked"],
  ["Prohibited", "blocked"],
  ["Stale NXDOMAIN Answer", "stale"],
  ["Not Authoritative", "other"],
  ["Not Supported", "other"],
  ["No Reachable Authority", "no_authority"],
  ["Network Error", "no_authority"],
  ["Invalid Data", "no_authority"],
  ["Signature Expired before Valid", "bogus"],
  ["Too Early", "other"],
  ["Unsupported NSEC3 Iterations Value", "unsupported_dnssec"],
  ["Unable to conform to policy", "other"],
  ["Synthesized", "other"],
  ["Invalid Query Type", "other"],
  ["Rate Limited", "other"],
  ["Over Quota", "other"],
];

const OPTION = 15;

/** The error that says most. The EXTRA-TEXT is not read, because anyone on the way could have written it. */
export function extendedErrorOf({ edns }: DnsMessage): ExtendedError | undefined {
  const found = (edns?.options ?? [])
    .filter(({ code, data }) => code === OPTION && data.length >= 2)
    .map(({ data: [high = 0, low = 0] }) => {
      const code = high * 256 + low;
      const [name, kind] = REGISTRY[code] ?? ["Unassigned", "other"];
      return { code, name, kind };
    });
  return found.toSorted((one, other) => KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind))[0];
}
