// The owner statement: confirms a sign-in to one app, signed with a key in the domain's record.

import type { OwnerProofPart } from "domain-signin-verify";
import { signJws } from "../keys/jws.ts";
import { publicJwkOf } from "../keys/signing-key.ts";
import { randomText } from "../lib/random.ts";
import type { Client } from "./client.ts";
import type { SigningDeps } from "./deps.ts";
import type { ControlEvidence } from "./evidence.ts";

/** Covers authentication, consent and the lifetime of a code. `cch` and `nonce` prevent replays. */
const STATEMENT_LIFETIME_S = 3600;

/**
 * Returns the statement for the app in the request, or null if none was requested or the record lists
 * none of our keys. `client` is the service and must be authenticated. All signed members are our own
 * or were validated with the request.
 */
export function ownerStatement(
  evidence: ControlEvidence,
  client: Pick<Client, "issuer">,
  { issuer, keyring, clock, random }: SigningDeps,
): OwnerProofPart | null {
  const { statement_for: statementFor, jkt = [], domain, sp } = evidence;
  // The external SP of an account issues its statements.
  if (statementFor === undefined || client.issuer === undefined || sp !== issuer) return null;
  const key = keyring.statementKeyFor(jkt);
  if (key === null) return null;
  const iat = clock.seconds();
  const jws = signJws(
    key,
    { typ: "domain-owner-statement+jwt" },
    {
      typ: "domain-owner-statement",
      v: 1,
      domain,
      aud: statementFor.aud,
      redirect_uri: statementFor.redirect_uri,
      svc: client.issuer,
      sp,
      ...(statementFor.cch !== undefined && { cch: statementFor.cch }),
      ...(statementFor.nonce !== undefined && { nonce: statementFor.nonce }),
      iat,
      exp: iat + STATEMENT_LIFETIME_S,
      jti: randomText(random, 16),
    },
  );
  const { kid: _, use: __, alg: ___, ...jwk } = publicJwkOf(key.privateKey);
  return { kind: "jws", key: jwk, jws };
}
