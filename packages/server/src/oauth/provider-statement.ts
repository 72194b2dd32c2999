// The provider statement: we, the service provider of the domain, state that its account signed in to one app.

import type { ProviderProofPart } from "domain-signin-verify";
import { signJws } from "../keys/jws.ts";
import { randomText } from "../lib/random.ts";
import type { StatementFor } from "./authorization-request.ts";
import type { ControlEvidence } from "./control-evidence.ts";
import type { SigningDeps } from "./deps.ts";

/** Covers authentication, consent and the lifetime of a code. `cch` and `nonce` prevent replays. */
const STATEMENT_LIFETIME_S = 3600;
const TYP = "domain-provider-statement";

/**
 * The statement for an app's request, signed with our current statement key. `svc` is the service that sent
 * the user for this app; ourselves for a client of ours. All signed members are our own or were validated
 * with the request. Null if another SP has the account, if the zone is not signed or its record does not
 * list the key, and for a request with neither PKCE nor nonce.
 */
export function providerProof(
  { domain, sp, acct, dnssec, spk = [] }: ControlEvidence,
  { aud, redirect_uri, cch, nonce }: StatementFor,
  svc: string,
  { issuer, keyring, clock, random }: SigningDeps,
): ProviderProofPart | null {
  const iat = clock.seconds();
  if (sp !== issuer || dnssec === undefined || (cch ?? nonce) === undefined) return null;
  const key = keyring.statementKeyFor(spk);
  if (key === null) return null;
  const request = { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
  const lifetime = { iat, exp: iat + STATEMENT_LIFETIME_S };
  const said = { typ: TYP, v: 1, domain, acct, ...request, svc, sp, ...lifetime };
  const jti = randomText(random, 16);
  const { kid: _, use: __, alg: ___, ...jwk } = key.jwk;
  return { statement: signJws(key, { typ: `${TYP}+jwt` }, { ...said, jti }), key: jwk };
}
