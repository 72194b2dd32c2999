// Sign-ins whose requests name resources, each in one browser. Unlike `signIn`, they may repeat a parameter and end
// with an error.

import { createUserAgent, type UserAgent } from "domain-signin-demo/browser/user-agent";
import type { TestClient, TestService } from "./service.ts";
import {
  authorizationUrl,
  pkce,
  pkceParameters,
  redemption,
  type SignIn,
  untilStopped,
} from "./sign-in.ts";

/** The parameters of a request, without those that every request has. */
export type Asked =
  | Readonly<Record<string, string>>
  | readonly (readonly [name: string, value: string])[];

export function resourceSignIns(at: TestService, agent: UserAgent = createUserAgent()) {
  return { agent, signedIn, tokensFor };

  /** Signs in; `code` is empty if the response to the client is an error. */
  async function signedIn(client: TestClient, asked: Asked): Promise<SignIn> {
    const proof = pkce();
    const url = new URL(authorizationUrl(at, client, pkceParameters(proof)));
    url.searchParams.delete("scope");
    for (const [name, value] of Array.isArray(asked) ? asked : Object.entries(asked)) {
      url.searchParams.append(name, value);
    }
    const stopAt = client.redirectUri;
    const first = await agent.open(url.href, { stopAt });
    const owner = { domain: "alice.test", stopAt };
    const { page, steps } = await untilStopped(at, agent, first, owner);
    const answer = new URL(page.url).searchParams;
    return { code: answer.get("code") ?? "", verifier: proof.verifier, answer, agent, steps };
  }

  /** Signs in, and redeems the code with `more` parameters. */
  async function tokensFor(client: TestClient, asked: Asked, more: Record<string, string> = {}) {
    const done = await signedIn(client, asked);
    return at.token({ ...redemption(client, done), ...more }, client);
  }
}
