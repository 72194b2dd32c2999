// A part of the walk: the app verifies its validation data offline, and rejects it when one octet is changed.

import {
  type JwkSet,
  parseTrustAnchor,
  VerificationError,
  type VerificationOptions,
  verifyValidationData,
} from "domain-signin-verify";
import type { UserAgent } from "../browser/user-agent.ts";
import type { DemoDescription } from "../description.ts";
import type { Tokens, WalkClient } from "./client.ts";
import { expectEqual, expectThat, type Narrate, type Step } from "./steps.ts";

/** What all steps of one walk share. */
export interface Walk {
  readonly demo: DemoDescription;
  readonly domain: string;
  readonly browser: UserAgent;
  readonly client: WalkClient;
  readonly narrate: Narrate;
  readonly step: Step;
}

/** What the app keeps of a sign-in: the token response, and what it knows of its own request. */
export interface Received {
  readonly tokens: Tokens;
  readonly verifier: string;
  readonly sub: string;
}

type Signed = { readonly attestation: string; readonly dnssec: { readonly chain: string } };

/** Returns the service's keys, for later steps. */
export async function verifyProof(
  { demo, domain, client, narrate, step }: Walk,
  { tokens, verifier, sub }: Received,
): Promise<JwkSet> {
  const { access_token, validation_data } = tokens;

  const jwks = await step("keys", () => client.keys());

  const options = {
    clientId: client.clientId,
    redirectUri: client.redirectUri,
    issuer: demo.issuer,
    codeVerifier: verifier,
    accessToken: access_token,
    jwks,
    require: "attestation_and_dnssec",
    trustAnchors: demo.trust_anchors.map(parseTrustAnchor),
  } as const satisfies VerificationOptions;

  await step("verify-offline", async () => {
    const proven = await verifyValidationData(validation_data, options);
    const { record } = proven;
    expectEqual("the proven domain", proven.domain, domain);
    expectEqual("the proven sub", proven.sub, sub);
    narrate("   attestation     The service says so, with its published key:");
    narrate(`                   ${proven.sub} signed in to this app, in this request,`);
    narrate(`                   as ${domain}; assurance ${proven.assurance}.`);
    narrate("                   The app trusts the service for all of this.");
    narrate("   chain           The zone published this, signed from the DNS root down:");
    narrate(`                   provider ${record.sp}, account ${record.acct}.`);
    narrate("                   Anyone can look this up. It does not prove who signed in.");
    narrate(`                   Valid until ${timeOf(record.notAfter)}.`);
  });

  await step("provider-proof", async () => {
    const { jwks: _, accessToken: __, ...request } = options;
    const withoutService = { ...request, require: "provider_proof" } as const;
    const proven = await verifyValidationData(validation_data, withoutService);
    expectEqual("the proven domain", proven.domain, domain);
    expectEqual("the proven provider", proven.sp, demo.issuer);
    expectThat("the result names no sub", !("sub" in proven), proven);
    narrate(
      "   provider proof  The provider that the zone names says so, with a key that the record",
    );
    narrate(`                   lists in spk: account ${proven.acct} signed in`);
    narrate("                   to this app, in this request. No key set is needed.");
    narrate(
      "                   It proves no sub. The app trusts the provider that the owner chose.",
    );
    const owner = { ...request, require: "owner_proof" } as const;
    const code = await refusalCode(validation_data, owner);
    expectEqual("the code without an owner proof", code, "missing_part");
    narrate(
      "   owner proof     There is none: the record lists no key of the owner in jkt, so this",
    );
    narrate(`                   does not prove that the owner was present: ${code}`);
  });

  await step("flipped-octet", async () => {
    const data = readSigned(validation_data);
    const chain = flipBit(data.dnssec.chain, Buffer.from("acct="));
    const inChain = await refusalCode({ ...data, dnssec: { ...data.dnssec, chain } }, options);
    narrate(`   refused  a chain whose record has another acct: ${inChain}`);
    expectEqual("the code of the refusalCode", inChain, "bad_signature");
    const [header = "", claims = "", signature = ""] = data.attestation.split(".");
    const others = flipBit(claims, Buffer.from(sub));
    const inClaims = await refusalCode(
      { ...data, attestation: [header, others, signature].join(".") },
      options,
    );
    narrate(`   refused  an attestation with another sub: ${inClaims}`);
    expectEqual("the code of the refusalCode", inClaims, "bad_signature");
  });
  return jwks;
}

/** The error code of the verification, or "not refused" if it succeeds. */
export async function refusalCode(data: unknown, options: VerificationOptions): Promise<string> {
  try {
    await verifyValidationData(data, options);
    return "not refused";
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    throw error;
  }
}

/** The base64url text with one bit flipped in the last octet of `target`. */
export function flipBit(encoded: string, target: Buffer): string {
  const octets = Buffer.from(encoded, "base64url");
  const at = octets.indexOf(target);
  expectThat(`the signed data contains ${target}`, at >= 0, "no match");
  const last = at + target.length - 1;
  octets[last] = (octets[last] ?? 0) ^ 1;
  return octets.toString("base64url");
}

function readSigned(data: unknown): Signed {
  const { attestation, dnssec } = (data ?? {}) as Partial<Signed>;
  expectThat("there is an attestation", typeof attestation === "string", data);
  expectThat("there is a chain", typeof dnssec?.chain === "string", data);
  return { ...(data as object), attestation, dnssec } as Signed;
}

export function timeOf(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19).replace("T", " ")} UTC`;
}
