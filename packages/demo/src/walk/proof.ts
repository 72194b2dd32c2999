// A part of the walk: the app verifies offline what it was sent, and refuses it with one octet changed.

import {
  type JwkSet,
  parseTrustAnchor,
  VerificationError,
  type VerificationOptions,
  verifyValidationData,
} from "domain-signin-verify";
import type { DemoDescription } from "../description.ts";
import type { Tokens, WalkClient } from "./client.ts";
import { expectEqual, expectThat, type Narrate, type Step } from "./steps.ts";

/** What the app keeps of a sign-in: the answer to its code, and its own side of the request. */
export interface Received {
  readonly tokens: Tokens;
  readonly verifier: string;
  readonly sub: string;
}

type Signed = { readonly attestation: string; readonly dnssec: { readonly chain: string } };

/** Gives on the keys of the service that it verified with. */
export async function verifyProof(
  walk: {
    readonly demo: DemoDescription;
    readonly domain: string;
    readonly client: WalkClient;
    readonly narrate: Narrate;
    readonly step: Step;
  },
  { tokens, verifier, sub }: Received,
): Promise<JwkSet> {
  const { demo, domain, client, narrate, step } = walk;
  const { access_token, validation_data } = tokens;

  const sentence = "The app fetches the service's keys: once, for many sign-ins.";
  const jwks = await step("keys", sentence, () => client.keys());

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

  await step(
    "verify-offline",
    "Offline, it verifies the proof that the tokens came with.",
    async () => {
      const proven = await verifyValidationData(validation_data, options);
      const { record } = proven;
      expectEqual("the proven domain", proven.domain, domain);
      expectEqual("the proven sub", proven.sub, sub);
      narrate(
        `   proven   by the service's key: ${domain} signed in to this app, in this very request,`,
      );
      narrate(`            as ${proven.sub}; good until ${timeOf(proven.until)}`);
      narrate(
        `   proven   by the DNS root's keys: ${domain} names ${record.sp} and ${record.acct};`,
      );
      narrate(`            good until ${timeOf(record.notAfter)}`);
    },
  );

  await step("flipped-octet", "With one octet changed it believes none of it.", async () => {
    const data = readSigned(validation_data);
    const chain = changed(data.dnssec.chain, Buffer.from("acct="));
    const inChain = await refusal({ ...data, dnssec: { ...data.dnssec, chain } }, options);
    narrate(`   refused  the record in the chain says another acct: ${inChain}`);
    expectEqual("the code of the refusal", inChain, "bad_signature");
    const [header = "", claims = "", signature = ""] = data.attestation.split(".");
    const others = changed(claims, Buffer.from(sub));
    const inClaims = await refusal(
      { ...data, attestation: [header, others, signature].join(".") },
      options,
    );
    narrate(`   refused  the attestation says another sub: ${inClaims}`);
    expectEqual("the code of the refusal", inClaims, "bad_signature");
  });
  return jwks;
}

/** Its code; "not refused" where the data is believed. */
export async function refusal(data: unknown, options: VerificationOptions): Promise<string> {
  try {
    await verifyValidationData(data, options);
    return "not refused";
  } catch (error) {
    if (error instanceof VerificationError) return error.code;
    throw error;
  }
}

/** The same base64url, but for one bit in the last octet of what is sought. */
export function changed(encoded: string, sought: Buffer): string {
  const octets = Buffer.from(encoded, "base64url");
  const at = octets.indexOf(sought);
  expectThat(`${sought} stands in what is signed`, at >= 0, "nowhere");
  const last = at + sought.length - 1;
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
