// What a statement, of an owner or of a provider, can say that it must be refused for.

import type { VerificationErrorCode } from "../../src/errors.ts";
import type { Json } from "../support/jose.ts";
import { now } from "../support/signer.ts";

export type Row = readonly [name: string, lies: Json, code: VerificationErrorCode, reason: string];

export const STATEMENTS: readonly Row[] = [
  [
    "of another type",
    { typ: "domain-attestation" },
    "wrong_type",
    "What the key signed for another purpose is no statement.",
  ],
  ["of version 2", { v: 2 }, "unsupported_version", "Another version may mean other things."],
  ["about another domain", { domain: "evilalice.test" }, "wrong_domain", "domain is another."],
  ["about another account", { acct: "x".repeat(22) }, "wrong_account", "The record names another."],
  ["without an account", { acct: undefined }, "wrong_account", "The record names one."],
  ["for another client", { aud: "https://evil.test" }, "wrong_audience", "aud is another client."],
  [
    "for another redirect_uri",
    { redirect_uri: "https://evil.test/" },
    "wrong_redirect_uri",
    "The code went elsewhere.",
  ],
  ["for another service", { svc: "https://evil.example.com" }, "wrong_issuer", "svc is another."],
  [
    "of another service provider",
    { sp: "https://sp.example.org" },
    "wrong_service_provider",
    "The record names another sp.",
  ],
  ["of another request", { cch: "x".repeat(43) }, "wrong_request", "cch is another challenge."],
  ["of no request", { cch: undefined }, "wrong_request", "Nothing binds it to this sign-in."],
  [
    "with a nonce in the place of cch",
    { cch: undefined, nonce: "n-1" },
    "wrong_request",
    "The client gives its code_verifier, and cch is not there.",
  ],
  ["that is over", { iat: now - 3000, exp: now - 60 }, "expired", "exp is 60 seconds ago."],
  [
    "that is to come",
    { iat: now + 61, exp: now + 99 },
    "not_yet_valid",
    "iat is 61 seconds ahead.",
  ],
  ["that lasts too long", { exp: now + 3541 }, "malformed_claims", "3,600 seconds is the most."],
  ["without jti", { jti: undefined }, "malformed_claims", "jti is a text."],
];
