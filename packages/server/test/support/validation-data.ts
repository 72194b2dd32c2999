// What a client does with the validation_data that it received.

import { type VerificationOptions, verifyValidationData } from "domain-signin-verify";
import type { TestClient, TestService } from "./service.ts";
import { redemption, type SignIn, signIn } from "./sign-in.ts";

export interface Received {
  readonly signIn: SignIn;
  readonly accessToken: string;
  readonly refreshToken: string;
  /** The member as it came, if it did. */
  readonly data: unknown;
}

/** Signs in and redeems the code. */
export async function signInForData(
  at: TestService,
  client: TestClient,
  options: Parameters<typeof signIn>[2] = {},
): Promise<Received> {
  const done = await signIn(at, client, options);
  const { status, body } = await at.token(redemption(client, done), client);
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return {
    signIn: done,
    accessToken: String(body.access_token),
    refreshToken: String(body.refresh_token),
    data: body.validation_data,
  };
}

export function dataAt(at: Pick<TestService, "issuer">, accessToken: string): Promise<Response> {
  const headers = { authorization: `Bearer ${accessToken}` };
  return fetch(`${at.issuer}/oauth/validation_data`, { headers });
}

/** All that the client knows of this sign-in, with the keys as the service publishes them. */
export async function expectationsOf(
  at: Pick<TestService, "issuer">,
  client: TestClient,
  { signIn: { verifier }, accessToken }: Received,
) {
  const response = await fetch(`${at.issuer}/.well-known/jwks.json`);
  const jwks = (await response.json()) as { keys: object[] };
  const { id: clientId, redirectUri } = client;
  const require = "attestation" as const;
  const { issuer } = at;
  return { clientId, redirectUri, issuer, accessToken, codeVerifier: verifier, jwks, require };
}

/** `good`, or the code of the refusal. */
export async function judged(data: unknown, options: VerificationOptions): Promise<string> {
  try {
    await verifyValidationData(data, options);
    return "good";
  } catch (error) {
    return error instanceof Error && "code" in error ? String(error.code) : String(error);
  }
}

/** Header and claims of the attestation, unverified. */
export function readAttestation(data: unknown) {
  const { attestation } = data as { attestation: string };
  const [header, claims] = attestation
    .split(".", 2)
    .map((part) => JSON.parse(Buffer.from(part, "base64url").toString()));
  return { header, claims };
}
