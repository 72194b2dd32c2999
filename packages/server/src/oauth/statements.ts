// What this service signs about a sign-in: ID tokens (OIDC Core §2), the parts of validation_data, and logout tokens.

import type { ProviderProofPart, ValidationData } from "domain-signin-verify";
import { type Client, subjectOf } from "../clients/client.ts";
import { profileClaims } from "../clients/scopes.ts";
import { spRecordName } from "../dns/sp-record.ts";
import { signJws, signJwsAsync } from "../keys/jws.ts";
import type { Keyring } from "../keys/keyring.ts";
import type { SigningAlg } from "../keys/signing-key.ts";
import type { Clock } from "../lib/clock.ts";
import { digest, type Random, randomText } from "../lib/random.ts";
import { acrOf } from "../sessions/acr.ts";
import type { LiveGrant } from "../store/grants.ts";
import type { DueLogout } from "../store/logouts.ts";
import type { StatementFor } from "./authorization-request.ts";
import type { ControlEvidence, PassedOn } from "./control-evidence.ts";
import { readJwtPart } from "./resource-token.ts";

/** `acct` is the account in the domain's record. */
interface Owner {
  readonly domain: string;
  readonly domain_since: number;
  readonly acct: string;
}

/** What an ID token says beside what an attestation says. */
interface Identified extends Owner {
  /** The session of the sign-in. */
  readonly sid?: string | undefined;
  /** Claims of the scope `profile` that the request named for the ID token. */
  readonly claims?: readonly string[] | undefined;
}

/** A grant, its client, and an access token of the same response. */
interface Issued {
  readonly grant: LiveGrant["grant"];
  readonly client: Client;
  readonly accessToken: string;
}

export interface IdTokenInput extends Issued {
  readonly owner: Identified;
  /** Only for a service that forwards them to one of its apps. */
  readonly proofs?: PassedOn;
}

/** The claims of an ID token by which a request names an account. */
export interface IdTokenHint {
  readonly sub: string;
  /** Missing if an earlier version of this service issued the token or its code. */
  readonly sid: string | undefined;
}

export interface AttestationInput extends Issued {
  readonly evidence: ControlEvidence;
}

interface Deps {
  readonly issuer: string;
  readonly keyring: Keyring;
  readonly clock: Clock;
  readonly random: Random;
}

const CLAIMS_LIFETIME_S = 600;
/** Covers authentication, consent and the lifetime of a code. `cch` and `nonce` prevent replays. */
const PROVIDER_STATEMENT_LIFETIME_S = 3600;
const PROVIDER_STATEMENT = "domain-provider-statement";
/** Back-Channel Logout §2.4 recommends at most two minutes. */
const LOGOUT_TOKEN_LIFETIME_S = 120;
const LOGOUT_EVENT = "http://schemas.openid.net/event/backchannel-logout";
/** An ID token has about 1 KB. */
const MAX_HINT_CHARS = 8192;

export const PURPOSE_OF = {
  ES256: "es256",
  RS256: "rs256",
  EdDSA: "eddsa",
} as const satisfies Record<SigningAlg, string>;

export type Statements = ReturnType<typeof createStatements>;

export function createStatements({ issuer, keyring, clock, random }: Deps) {
  return { idToken, readIdTokenHint, logoutToken, validationData, providerProof };

  function idToken({ owner, proofs, ...issued }: IdTokenInput): Promise<string> | string {
    const alg = issued.client.id_token_signed_response_alg;
    const claims = sharedClaims(owner, issued, alg);
    const ofIdToken = { acr: acrOf(issued.grant.amr), sid: owner.sid };
    Object.assign(claims, ofIdToken, requestedOf(owner), proofs);
    const key = keyring.signingKeyAt(PURPOSE_OF[alg], claims.iat);
    return signJwsAsync(key, { typ: "JWT" }, claims);
  }

  /**
   * The claims of an `id_token_hint`. Null if it is not an ID token for the client: another issuer or audience, a wrong
   * signature, or one by a key that is no longer published. It may have expired (OIDC RP-Initiated Logout §4).
   */
  async function readIdTokenHint(hint: string, { client_id }: Client): Promise<IdTokenHint | null> {
    if (hint.length > MAX_HINT_CHARS) return null;
    const { jwtVerify, createLocalJWKSet } = await import("jose");
    const keys = createLocalJWKSet({ keys: [...keyring.publicKeys(clock.seconds())] });
    try {
      const { payload } = await jwtVerify(hint, keys, {
        issuer,
        audience: client_id,
        typ: "JWT",
        requiredClaims: ["sub"],
        // Before any `exp`, so that an expired token is accepted.
        currentDate: new Date(0),
      });
      const { sub = "", sid } = payload;
      return { sub, sid: typeof sid === "string" ? sid : undefined };
    } catch {
      return null;
    }
  }

  /** Signed with the algorithm of the client's ID tokens. */
  function logoutToken(client: Client, { sid, accountId, domain }: DueLogout) {
    const iat = clock.seconds();
    const claims = {
      iss: issuer,
      sub: subjectOf(client, { id: accountId, domain }),
      aud: client.client_id,
      iat,
      exp: iat + LOGOUT_TOKEN_LIFETIME_S,
      jti: randomText(random, 16),
      events: { [LOGOUT_EVENT]: {} },
      sid,
    };
    const key = keyring.signingKeyAt(PURPOSE_OF[client.id_token_signed_response_alg], iat);
    return signJwsAsync(key, { typ: "logout+jwt" }, claims);
  }

  /** The claims about the owner and the request of the client, in ID tokens and attestations. */
  function sharedClaims(
    { domain, domain_since, acct }: Owner,
    { grant, client, accessToken }: Issued,
    alg: SigningAlg,
  ) {
    const iat = clock.seconds();
    return {
      iss: issuer,
      sub: subjectOf(client, { id: grant.accountId, domain }),
      aud: grant.clientId,
      exp: iat + CLAIMS_LIFETIME_S,
      iat,
      auth_time: grant.authTime,
      nonce: grant.nonce ?? undefined,
      at_hash: accessTokenHash(accessToken, alg),
      amr: grant.amr.split(" "),
      domain,
      domain_since,
      acct,
    };
  }

  /** The member of a token response: a new attestation and, for an account of ours, a new provider proof. */
  function validationData(input: AttestationInput): ValidationData {
    const { domain, dnssec } = input.evidence;
    const attested = { v: 1, domain, attestation: attestation(input) } as const;
    // Without a chain (unsigned zone, or expired signatures), no other part proves anything.
    if (dnssec === undefined || dnssec.not_after <= clock.seconds()) return attested;
    const { provider_proof = ownProof(input), owner_proof, statement_for } = input.evidence;
    // A service that sent the user for its app gets the owner proof for that app in the ID token.
    const isForApp = statement_for !== undefined && input.evidence.sp === issuer;
    return {
      ...attested,
      dnssec: { name: `${spRecordName(domain)}.`, type: "TXT", ...dnssec },
      ...(provider_proof && { provider_proof }),
      ...(owner_proof && !isForApp && { owner_proof }),
    };
  }

  /** None for a service that got one for its app: one statement for each code is enough. */
  function ownProof({ evidence, grant }: AttestationInput): ProviderProofPart | null {
    if (evidence.statement_for) return null;
    const { codeChallenge: cch, nonce, clientId: aud } = grant;
    const request = { aud, redirect_uri: evidence.redirect_uri, ...(cch && { cch }) };
    return providerProof(evidence, { ...request, ...(nonce && { nonce }) }, issuer);
  }

  /** Our signed checks, bound to one request by `cch` or `nonce`: verifiers require one of them. */
  function attestation({ evidence, ...issued }: AttestationInput): string {
    const { codeChallenge } = issued.grant;
    const shared = sharedClaims(evidence, issued, "ES256");
    return signJws(
      keyring.signingKeyAt("es256", shared.iat),
      { typ: "domain-attestation+jwt" },
      {
        ...shared,
        jti: randomText(random, 16),
        method: methodOf(shared.amr),
        sp: evidence.sp,
        redirect_uri: evidence.redirect_uri,
        ...(codeChallenge !== null && { cch: codeChallenge }),
        dns: evidence.dns,
      },
    );
  }

  /**
   * We, the service provider of the domain, state that its account signed in to one app. `svc` is the service that
   * sent the user for this app, or ourselves. All signed members are our own or validated. Null if another SP has the
   * account, the zone is unsigned, its record lacks our current statement key, or the request has neither PKCE nor
   * nonce.
   */
  function providerProof(
    { domain, sp, acct, dnssec, spk = [] }: ControlEvidence,
    { aud, redirect_uri, cch, nonce }: StatementFor,
    svc: string,
  ): ProviderProofPart | null {
    const iat = clock.seconds();
    if (sp !== issuer || dnssec === undefined || (cch ?? nonce) === undefined) return null;
    const key = keyring.statementKeyFor(spk);
    if (key === null) return null;
    const request = { aud, redirect_uri, ...(cch && { cch }), ...(nonce && { nonce }) };
    const lifetime = { iat, exp: iat + PROVIDER_STATEMENT_LIFETIME_S };
    const members = { v: 1, domain, acct, ...request, svc, sp, ...lifetime };
    const claims = { typ: PROVIDER_STATEMENT, ...members, jti: randomText(random, 16) };
    const { kid: _, use: __, alg: ___, ...jwk } = key.jwk;
    return { statement: signJws(key, { typ: `${PROVIDER_STATEMENT}+jwt` }, claims), key: jwk };
  }
}

/** The client that an unverified hint says it is for; undefined if it says none. */
export function audienceOf(hint: string): string | undefined {
  if (hint.length > MAX_HINT_CHARS) return undefined;
  const [, payload = ""] = hint.split(".");
  const aud = readJwtPart(payload)?.aud;
  return typeof aud === "string" ? aud : undefined;
}

function requestedOf({ domain, claims }: Identified): object | undefined {
  if (claims === undefined) return undefined;
  const all = Object.entries(profileClaims(domain));
  return Object.fromEntries(all.filter(([name]) => claims.includes(name)));
}

/** `other` is for `amr` values that a later version has stored. */
function methodOf(amr: readonly string[]): "passkey" | "dns" | "external" | "other" {
  if (amr.includes("pop")) return "passkey";
  if (amr.includes("dns")) return "dns";
  return amr.includes("external") ? "external" : "other";
}

/** `at_hash` binds a token to an access token (OIDC Core §3.1.3.6): half of its hash. Ed25519 uses SHA-512. */
export function accessTokenHash(accessToken: string, alg: SigningAlg): string {
  const octets = Buffer.from(digest(alg === "EdDSA" ? "sha512" : "sha256", accessToken), "latin1");
  return octets.toString("base64url", 0, octets.length / 2);
}
