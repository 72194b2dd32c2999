// A test vector for other languages: its JSON format, and how this verifier answers it.

import { parseChallengeRecord } from "../../src/challenge-record.ts";
import { verifyChain } from "../../src/dnssec/chain.ts";
import { parseTrustAnchor } from "../../src/dnssec/trust-anchors.ts";
import { VerificationError, type VerificationErrorCode } from "../../src/errors.ts";
import type { VerificationOptions } from "../../src/expectations.ts";
import {
  type ChosenRecord,
  chooseSpRecord,
  type IssuerOptions,
  parseSpRecord,
} from "../../src/record.ts";
import { verifyValidationData } from "../../src/verify.ts";
import { base64url, type Json } from "../support/jose.ts";
import { join } from "../support/signer.ts";
import { codeOf } from "../support/world.ts";

export type Expected =
  | { readonly result: Json; readonly if_unsupported?: "platform_unsupported" }
  | { readonly error: VerificationErrorCode; readonly reason: string }
  | RecordExpected
  | { readonly outcome: ChosenRecord["outcome"] };

/** What a text says; `problems` are codes, with the rule of an issuer behind `bad_sp`. */
export type RecordExpected =
  | { readonly outcome: "ok"; readonly record: Json }
  | { readonly outcome: "not_ours" }
  | { readonly outcome: "other_version" | "unsupported"; readonly version: string }
  | { readonly outcome: "invalid"; readonly problems: readonly string[] };

/** test-vectors/README.md describes `input` and `options` for each kind. */
export interface Vector {
  readonly name: string;
  /** Of a record: the rule of the grammar that alone decides it. */
  readonly rule?: string;
  readonly input: Json;
  readonly options: Json;
  readonly expected: Expected;
}

export type VectorKind = "validation_data" | "chain" | "record" | "record_set";

export interface VectorFile {
  readonly kind: VectorKind;
  readonly about: string;
  /** The defaults of the vectors. */
  readonly shared: { readonly input: Json; readonly options: Json };
  readonly vectors: readonly Vector[];
}

export interface VectorIndex {
  readonly format: string;
  readonly files: readonly { readonly file: string; readonly vectors: number }[];
  /** Codes that no vector produces, each with the reason. */
  readonly not_covered: Readonly<Record<string, string>>;
}

/** As in the vectors: `{ result }`, `{ error }` or the outcome of records. Rethrows any other error. */
export async function answerTo(kind: VectorKind, { input, options }: Vector): Promise<Json> {
  if (kind === "record") return recordAnswer(parsers, input, options);
  if (kind === "record_set") return setAnswer(parsers, input, options);
  try {
    const result = kind === "chain" ? chainResult(input, options) : dataResult(input, options);
    return { result: await result };
  } catch (error) {
    if (error instanceof VerificationError) return { error: codeOf(error) };
    throw error;
  }
}

type ChainInput = {
  readonly name: string;
  readonly type: number;
  readonly chain: string;
  /** Number of zero octets to append to the chain, which would be too long to print. */
  readonly zeros?: number;
};

async function chainResult(input: Json, options: Json): Promise<Json> {
  const { name, type, chain, zeros = 0 } = input as ChainInput;
  const { now, trustAnchors, maxSignatureAge } = read(options);
  const octets = join(new Uint8Array(Buffer.from(chain, "base64url")), new Uint8Array(zeros));
  const proven = await verifyChain(octets, {
    ...{ name, type, now: Number(now) },
    ...(trustAnchors && { trustAnchors }),
    ...(maxSignatureAge !== undefined && { maxSignatureAge }),
  });
  const { notBefore, notAfter, values, ...others } = proven;
  return {
    ...others,
    ...{ values: values.map(base64url), not_before: notBefore, not_after: notAfter },
  };
}

async function dataResult(input: Json, options: Json): Promise<Json> {
  const proven = await verifyValidationData(input, read(options));
  return inSnakeCase(proven) as Json;
}

/** Names of members as in the vectors, which are for all languages. */
function inSnakeCase(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== "object" || value === null) return value;
  const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [snake(name), inSnakeCase(member)]),
  );
}

/** Converts a vector's options, which have snake_case names, to those of the verifier. */
function read(options: Json): VerificationOptions {
  const { client_id, redirect_uri, code_verifier, access_token, trust_anchors, ...others } =
    options;
  const { max_signature_age, min_assurance, allow_federation, ...same } = others;
  return {
    ...same,
    ...{ minAssurance: min_assurance, allowFederation: allow_federation },
    ...{ clientId: client_id, redirectUri: redirect_uri, maxSignatureAge: max_signature_age },
    ...{ codeVerifier: code_verifier, accessToken: access_token },
    ...(Array.isArray(trust_anchors) && { trustAnchors: trust_anchors.map(parseTrustAnchor) }),
  } as unknown as VerificationOptions;
}

const parsers = { parseSpRecord, parseChallengeRecord, chooseSpRecord };
/** Those of this verifier, or others, for a test of the vectors. */
export type RecordParsers = typeof parsers;

export function recordAnswer(of: RecordParsers, input: Json, options: Json): Json {
  const { parseSpRecord: spRecord, parseChallengeRecord: challenge } = of;
  const parse = input.record === "dsi1" ? spRecord : challenge;
  const parsed = parse(octetsIn(input), readIssuerOptions(options));
  if (parsed.outcome !== "invalid") return parsed;
  const named = parsed.problems.map(({ code, about }) =>
    code === "bad_sp" ? `${code} ${about}` : code,
  );
  return { outcome: parsed.outcome, problems: named };
}

export function setAnswer(of: RecordParsers, { records }: Json, options: Json): Json {
  const texts = (records as Json[]).map(octetsIn);
  return { outcome: of.chooseSpRecord(texts, readIssuerOptions(options)).outcome };
}

/** With one character for each octet. */
function octetsIn({ text, hex }: Json): string {
  return hex === undefined ? String(text) : Buffer.from(String(hex), "hex").toString("latin1");
}

function readIssuerOptions(options: Json): IssuerOptions {
  const { allow_issuer_port, allow_loopback_issuer, own_issuer } = options;
  return {
    allowIssuerPort: allow_issuer_port === true,
    allowLoopbackIssuer: allow_loopback_issuer === true,
    ...(typeof own_issuer === "string" && { ownIssuer: own_issuer }),
  };
}
