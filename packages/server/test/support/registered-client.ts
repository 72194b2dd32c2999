// Clients that register themselves, for tests: each from an address of its own.

import { expect } from "vitest";
import { noteSecret } from "./log-run.ts";
import type { TestClient, TestService } from "./service.ts";

export type Members = Readonly<Record<string, unknown>>;

export const REDIRECT = "https://app.example.org/callback";
export const OPEN = { registration: "open" } as const;

let addresses = 0;
/** One that nobody has asked from. */
const freshAddress = () => `198.51.100.${++addresses}`;

/** `members` are sent as JSON, or as they are if they are a text. */
export async function register(
  { issuer }: TestService,
  members: unknown,
  more: { from?: string; headers?: Readonly<Record<string, string>> } = {},
) {
  const { from = freshAddress(), headers } = more;
  const answer = await fetch(`${issuer}/oauth/register`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from, ...headers },
    body: typeof members === "string" ? members : JSON.stringify(members),
  });
  const body = (await answer.json()) as Record<string, unknown>;
  for (const name of ["client_secret", "registration_access_token"]) {
    if (typeof body[name] === "string") noteSecret(name, body[name]);
  }
  return { status: answer.status, headers: answer.headers, body };
}

/** `body` is what the client was told. */
export async function registered(
  at: TestService,
  members: Members = {},
): Promise<TestClient & { readonly body: Members }> {
  const { status, body } = await register(at, { redirect_uris: [REDIRECT], ...members });
  expect(status, JSON.stringify(body)).toBe(201);
  const [redirectUri = ""] = body.redirect_uris as string[];
  const secret = typeof body.client_secret === "string" ? body.client_secret : null;
  return { id: String(body.client_id), secret, redirectUri, body };
}

/** A request to manage the registration; without a header if `token` is empty. */
export async function manage(
  method: string,
  { body }: { readonly body: Members },
  options: { token?: string; members?: Members | undefined } = {},
) {
  const { token = String(body.registration_access_token), members } = options;
  const answer = await fetch(String(body.registration_client_uri), {
    method,
    headers: {
      "x-forwarded-for": freshAddress(),
      ...(token !== "" && { authorization: `Bearer ${token}` }),
      ...(members && { "content-type": "application/json" }),
    },
    ...(members && { body: JSON.stringify(members) }),
  });
  const text = await answer.text();
  return { status: answer.status, body: text === "" ? null : JSON.parse(text) };
}
