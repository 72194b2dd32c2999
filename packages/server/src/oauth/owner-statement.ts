// The owner statement: that the owner of a domain signs in to one app, by the key that the record lists.

import type { OwnerProofPart } from "domain-signin-verify";
import { signJws } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import { publicJwkOf } from "../keys/signing-key.ts";
import type { Clock } from "../lib/clock.ts";
import type { Random } from "../lib/random.ts";
import { randomText } from "../lib/random.ts";
import type { Client } from "./client.ts";
import type { ControlEvidence } from "./evidence.ts";

/** Seconds: passkey, consent and a code of ten minutes must fit. Freshness comes from `cch` and `nonce`. */
const LIFETIME = 3600;

/**
 * The statement for the app that the grant's request named, or null where none was wanted or the record
 * lists no key of ours. `client` must have authenticated: it is the service that `svc` names. Every
 * member is our own, or was checked when the request was read: no bytes are signed that were given.
 */
export function ownerStatement(
  evidence: ControlEvidence,
  client: Pick<Client, "issuer">,
  parts: {
    readonly issuer: string;
    readonly keyring: Keyring;
    readonly clock: Clock;
    readonly random: Random;
  },
): OwnerProofPart | null {
  const { statement_for: wanted, jkt = [], domain, sp } = evidence;
  const { issuer, keyring, clock, random } = parts;
  // For an account at another SP that one speaks, not we.
  if (wanted === undefined || client.issuer === undefined || sp !== issuer) return null;
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
      aud: wanted.aud,
      redirect_uri: wanted.redirect_uri,
      svc: client.issuer,
      sp,
      ...(wanted.cch !== undefined && { cch: wanted.cch }),
      ...(wanted.nonce !== undefined && { nonce: wanted.nonce }),
      iat,
      exp: iat + LIFETIME,
      jti: randomText(random, 16),
    },
  );
  const { kid: _, use: __, alg: ___, ...jwk } = publicJwkOf(key.privateKey);
  return { kind: "jws", key: jwk, jws };
}
