// The issuers of the vectors of records.

import type { Json } from "../support/jose.ts";
import type { RecordExpected } from "./vector.ts";

const SP = "https://auth.example.com";
const wrong = (...problems: string[]): RecordExpected => ({ outcome: "invalid", problems });
const BAD = (rule: string) => wrong(`bad_sp ${rule}`);
const PORT = { allow_issuer_port: true };
const LOCAL = { allow_loopback_issuer: true };
const OWN = { own_issuer: SP };
const OWN_LOCAL = { ...LOCAL, ...PORT, own_issuer: "http://localhost:8080" };

/** `expected` is null if the issuer is good. */
type IssuerRow = readonly [
  sp: string,
  expected: RecordExpected | null,
  rule?: string | undefined,
  options?: Json,
];

export const LONG_HOST = `https://${"a.".repeat(126)}aa`;
export const ISSUERS: readonly IssuerRow[] = [
  ["https://xn--bcher-kva.example/op/~x/$:@,", null],
  ["https://a.example/", null],
  ["ftp://a.example", BAD("no_url"), "sp is a URL of https or http."],
  ["HTTPS://a.example", BAD("no_url")],
  ["https://a.example?x", BAD("query"), "It has no query."],
  ["https://a.example/#x", BAD("fragment"), "It has no fragment."],
  ["https://a.example/%41", BAD("percent"), "It is not percent-encoded."],
  ["https://me@a.example", BAD("userinfo"), "It has no user name."],
  ["https://a.example/a|b", BAD("path"), "Its path has only characters of paths."],
  ["https://a.example/../b", BAD("dot_segments"), "Its path has no dot segments."],
  ["https://a.example/.", BAD("dot_segments"), "Its path has no dot segments."],
  ["http://a.example", BAD("not_https"), "It begins with https."],
  ["https://A.example", BAD("upper_case"), "Its host is in lower case."],
  ["https://example", BAD("host"), "Its host has a dot."],
  [
    "https://127.0.0.1",
    BAD("host"),
    "The last label of its host begins with a letter, so that it is no IP address.",
  ],
  ["https://0x7f.0x1", BAD("host")],
  ["https://[::1]", BAD("host")],
  ["https://a.example.", BAD("host")],
  ["https://a_b.example", BAD("host")],
  ["https://-a.example", BAD("host"), "A label of its host begins with a letter or digit."],
  [LONG_HOST, BAD("host"), "Its host has at most 253 characters."],
  [LONG_HOST.slice(0, -1), null],
  ["https://a.example:8443", BAD("port"), "It has a port only with the option."],
  ["https://a.example:65535", null, "With the option, it may have one.", PORT],
  ["https://a.example:65536", BAD("port_number"), "A port is at most 65535.", PORT],
  ["https://a.example:0443", BAD("port_number"), "A port does not begin with 0.", PORT],
  ["https://a.example:", BAD("port_number"), undefined, PORT],
  ["http://localhost:8080", null, "With the option, sp may be http://localhost and a port.", LOCAL],
  ["http://localhost:8080", BAD("not_https"), "Without the option, it may not."],
  ["http://localhost", BAD("not_https"), "localhost needs a port there.", LOCAL],
  ["http://sp.localhost:8080", null, "One label may stand before localhost.", LOCAL],
  ["http://a.b.localhost:8080", BAD("not_https"), undefined, LOCAL],
  ["http://127.0.0.1:8080", BAD("not_https"), undefined, LOCAL],
  ["https://example", BAD("host"), undefined, LOCAL],
  ["https://localhost", null, "With the option, sp may be https://localhost.", LOCAL],
  [SP, null, undefined, OWN],
  [`${SP}/`, wrong("own_sp_path"), "The reader's own issuer with a slash is a mistake.", OWN],
  [`${SP}/oauth`, wrong("own_sp_path"), "The reader's own issuer with a slash is a mistake.", OWN],
  ["http://auth.example.com", wrong("own_sp_scheme"), undefined, OWN],
  [
    "https://localhost:8080",
    wrong("own_sp_scheme"),
    "The reader's own issuer with the other scheme is a mistake.",
    OWN_LOCAL,
  ],
  [`${SP}.test`, null, undefined, OWN],
];
