// Fuzz targets: the parsers of texts, JSON, keys and signed parts, with their inputs.

import { decodeBase64url, encodeBase64url } from "../../src/base64url.ts";
import { challengeProblems, parseChallengeRecord } from "../../src/challenge-record.ts";
import { VerificationError } from "../../src/errors.ts";
import { readIssuer } from "../../src/issuer.ts";
import { readJsonObject } from "../../src/json.ts";
import { readPublicJwk } from "../../src/jwk.ts";
import { verifyJws } from "../../src/jws.ts";
import { parseSpRecord, readSpRecordSet } from "../../src/record.ts";
import { type RecordProblem, readTagList } from "../../src/tag-list.ts";
import { readValidationData } from "../../src/validation-data.ts";
import { changedJson, type Random, someJson, someOctets, someText } from "./fuzz-random.ts";
import { type FuzzTarget, fuzzTarget } from "./fuzz-run.ts";
import { type Json, utf8 } from "./jose.ts";

const jkt = "NzbLsXh8uDCcd-6MNwXF4W_7noWXFZAfHkxZsRGC9Xs";
const spk = "EUxcBvqzU7Xr3WpS1uSEITpqWBhCcri5k5BJn5CTh4c";
const acct = "m3Zk0bq2vS1nF9o7b0uHqg";
const spRecords = [
  "v=dsi1 sp=none",
  `v=dsi1 sp=https://auth.example.com acct=${acct} spk=${spk},${spk} jkt=${jkt},${jkt}`,
  `"v=dsi1\\;sp=http://localhost:8080/a/b \\; acct=${acct};x-n" "ew=1;"`,
  `;V = DSI1 sp=https://auth.example.com acct=${acct}`,
  `v=dsi1-chal sp=https://auth.example.com chal=${acct}`,
  "v=dsi2 whatever",
  "v=spf1 -all",
];
const challenges = [`v=dsi1-chal sp=https://auth.example.com chal=${acct}`, "v=dsi1 chal=short"];
const recordTokens = [
  "v=dsi1",
  "; ",
  "\\;",
  '"',
  '" "',
  "“",
  "-chal",
  "sp=",
  "acct=",
  "jkt=",
  "spk=",
  "chal=",
  "none",
  "https://",
  " \t",
  jkt,
];
const issuers = [
  ...["https://auth.example.com", "https://a.b.example:8443/x/y", "http://localhost:3000"],
  ...["https://[::1]/", "https://xn--bcher-kva.example/~a"],
];
const issuerTokens = ["https://", "localhost", ":65536", "/..", "//", "a.", "-.", "%2e", "0x7f.1"];
const jsonTexts = [
  '{"a":{"b":[1,2,{"c":null}]},"d":"\\u00e9\\n"}',
  '{"typ":"t","alg":"ES256","kid":"k1"}',
  '{"a":1,"\\u0061":2}',
  "[]",
];
const jsonTokens = [
  '"a"',
  ":",
  ",",
  "{",
  "}",
  "[",
  "]",
  "\\u0061",
  "\\",
  "1e9",
  "true",
  "[[",
  '{"a":',
];
const base64Tokens = ["AA", "_-", "Qg", "R", "==", "+/", "AAAA"];

/** Maximum characters of a JWS in validation data. */
export const maxPart = 16_384;

const issuerOptions = [{}, { allowLoopbackIssuer: true, allowIssuerPort: true }];

/** The caller provides what a client receives, which needs signatures. */
export function textTargets(good: {
  data: readonly Json[];
  jwks: readonly Json[];
  /** The key that signed the attestations in `data`. */
  service: Json;
}): FuzzTarget[] {
  const someRecord = (random: Random) => someText(random, spRecords, recordTokens);
  const someChallenge = (random: Random) => someText(random, challenges, recordTokens);
  const ofOurs = { error: VerificationError };
  const jwss = good.data.map(({ attestation }) => String(attestation));
  const typ = "domain-attestation+jwt";
  const key = readPublicJwk(good.service);

  return [
    fuzzTarget({
      ...{ title: "readTagList", inputs: 40_000, make: someRecord },
      read: (text) => {
        const { outcome } = readTagList(text, "dsi1");
        // What was meant as a record must not look absent: absence puts an account to sleep.
        if (outcome === "not_ours" && /^[\s\S]{0,12}dsi\d/i.test(text)) throw new Error("absent");
        return outcome === "tags";
      },
    }),
    fuzzTarget({
      ...{ title: "parseSpRecord", inputs: 80_000 },
      make: (random) => ({ text: someRecord(random), options: random.pick(issuerOptions) }),
      read: ({ text, options }) => parseSpRecord(text, options).outcome === "ok",
    }),
    fuzzTarget({
      ...{ title: "readSpRecordSet", inputs: 20_000 },
      make: (random) => Array.from({ length: random.nat(5) }, () => someRecord(random)),
      read: (texts) => readSpRecordSet(texts).outcome === "one",
    }),
    fuzzTarget({
      ...{ title: "parseChallengeRecord", inputs: 40_000, make: someChallenge },
      read: (text) => parseChallengeRecord(text).outcome === "ok",
    }),
    fuzzTarget({
      ...{ title: "challengeProblems", inputs: 20_000, make: someChallenge },
      read: (text) =>
        challengeProblems(text, { sp: "https://auth.example.com", chal: acct }).length === 0,
    }),
    fuzzTarget({
      ...{ title: "readIssuer", inputs: 60_000 },
      make: (random) => ({
        sp: someText(random, issuers, issuerTokens),
        options: random.pick(issuerOptions),
      }),
      read: ({ sp, options }) => {
        const problems: RecordProblem[] = [];
        return readIssuer(new Map([["sp", sp]]), options, problems) !== undefined;
      },
    }),
    fuzzTarget({
      ...{ title: "decodeBase64url", inputs: 60_000 },
      make: (random) => someText(random, ["", "Zm9vYmE", "Zm9vYg", jkt], base64Tokens),
      read: (text) => {
        const octets = decodeBase64url(text);
        // Each octet string has one encoding.
        if (octets && encodeBase64url(octets) !== text) throw new Error("two texts, one meaning");
        return octets !== null;
      },
    }),
    fuzzTarget({
      ...{ title: "readJsonObject of octets", inputs: 30_000 },
      make: (random) => someOctets(random, jsonTexts.map(utf8)),
      read: (octets) => readJsonObject(octets) !== null,
    }),
    fuzzTarget({
      ...{ title: "readJsonObject of texts", inputs: 40_000 },
      make: (random) => utf8(someText(random, jsonTexts, jsonTokens)),
      read: (octets) => readJsonObject(octets) !== null,
    }),
    fuzzTarget({
      ...{ title: "readPublicJwk", inputs: 30_000, ...ofOurs, read: readPublicJwk },
      make: (random) => {
        const changed = changedJson(random, random.pick(good.jwks), base64Tokens);
        return typeof changed === "object" && changed !== null ? (changed as Json) : {};
      },
    }),
    fuzzTarget({
      ...{ title: "verifyJws", inputs: 30_000, ...ofOurs },
      make: (random) =>
        random.chance(3)
          ? madeUpJws(random, typ)
          : someText(random, jwss, [".", ...base64Tokens], maxPart),
      read: (text) => verifyJws(text, typ, () => key),
    }),
    fuzzTarget({
      ...{ title: "readValidationData", inputs: 30_000, ...ofOurs, read: readValidationData },
      make: (random) =>
        random.chance(6)
          ? someJson(random)
          : changedJson(random, random.pick(good.data), base64Tokens),
    }),
  ];
}

/** Encoded correctly, with any content. */
function madeUpJws(random: Random, typ: string): string {
  const header = random.chance(3)
    ? someJson(random)
    : changedJson(random, { typ, kid: "k" }, ["."]);
  const parts = [header, someJson(random), "signature"].map((part) =>
    encodeBase64url(utf8(JSON.stringify(part))),
  );
  return parts.join(".");
}
