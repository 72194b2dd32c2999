// Faults in the witness of the time: the signature of the DNS root, and how it is asked for.

import { inFile, src, testOf } from "../row-helpers.mjs";

export const ROOT_FAULTS = [
  ...inFile(src("dns/root-witness"), testOf("time/root-looks"), {
    "the root is asked again at once after a jump": {
      find: "      failures = 0;\n      dueAtMs = Number.NEGATIVE_INFINITY;\n",
      replace: "      failures = 0;\n",
      test: testOf("time/authority"),
      title: "that no clock counts is a jump, until the root is seen",
    },
    "a look that began before a jump does not confirm it": {
      find: "if (jumps === before) isFresh =",
      replace: "isFresh =",
      title: "also one during a look",
    },
    "an answer that contradicts the clock is soon asked for again": {
      find: "isSettled = root !== null && (await agrees());",
      replace: "await agrees();\n      isSettled = root !== null;",
      title: "if it contradicts the clock",
    },
    "looks without an answer come further and further apart": {
      find: "RETRY_MS * 2 ** failures",
      replace: "RETRY_MS",
      title: "hourly, and after 5, 10, 20 s",
    },
  }),
  ...inFile(src("dns/root-witness"), testOf("dns/root-witness"), {
    "a root with long signatures is no witness": {
      find: "> MAX_SIGNED_S) return null;",
      replace: "> MAX_SIGNED_S * 1e9) return null;",
      title: "36 days",
    },
    "keys that were signed anew while a cache kept the SOA record prove it": {
      find: "Math.max(inception, keysFrom?.inception ?? 0)",
      replace: "inception",
      title: "while a cache kept the SOA record",
    },
    "a signature is judged at its own time": {
      find: "type: SOA, now: at, trustAnchors } as const;",
      replace: "type: SOA, now: time, trustAnchors } as const;",
      title: "is 40 days ahead",
    },
    "the newest signature of any source counts": {
      find: "proven.toSorted((one, other) => other.inception - one.inception);",
      replace: "proven;",
      title: "the newest that any source proves counts",
    },
    "what a resolver repeats of years ago names no keys": {
      find: "=> inception >= newest.inception - OLD_S",
      replace: "=> inception > 0",
      title: "in what a resolver repeats of years ago",
    },
    "the resolver is asked for what it has not verified": {
      find: "const checkingDisabled = true;",
      replace: "const checkingDisabled = false;",
      title: "each look asks twice",
    },
    "keys of the root that are no anchors are named": {
      find: "keys.filter((key) => !known.includes(key))",
      replace: "keys.filter((key) => known.length === 0)",
      title: "are named as soon as it lists them",
    },
  }),
  ...inFile(src("dns/tls-connection"), testOf("dns/root-witness"), {
    "an expired certificate must have the name": {
      find: 'if (wrongName !== undefined) return "ERR_TLS_CERT_ALTNAME_INVALID";\n',
      title: "of another name that has expired",
    },
    "an expired certificate must be of an authority": {
      find: 'leadsToOneOf(roots, chain) ? null : "UNABLE_TO_VERIFY_LEAF_SIGNATURE"',
      replace: "null",
      title: "of another authority that has expired",
    },
    "an expired certificate must be for servers": {
      find: "if (purposes && !PURPOSES.some((one) => purposes.includes(one))) return",
      replace: "if (purposes === null) return",
      title: "for clients that has expired",
    },
    "only an authority issues certificates, expired or not": {
      find: "if (!issuer?.ca || !isIssuedBy(certificate, issuer)) return false;",
      replace: "if (!issuer || !isIssuedBy(certificate, issuer)) return false;",
      title: "that is no authority, and that has expired",
    },
    "what is wrong beside the time is refused": {
      find: "if (!ERRORS_OF_TIME.includes(error)) return error;\n",
      title: "with an extension that is critical",
    },
  }),
  ...inFile(
    "packages/verify/src/dnssec/root-anchors.ts",
    "packages/verify/src/dnssec/root-anchors.test.ts",
    {
      "an anchor that is over is none": {
        find: "from <= now && (until === null || now < until)",
        replace: "from <= now",
        title: "anchors that are over",
      },
      "a malformed anchor is no unsupported one": {
        find: 'throw refusal("has an anchor whose KeyTag or Digest is malformed");',
        replace: "return null;",
        title: "a digest that is too short",
      },
    },
  ),
];
