// Grants with codes to redeem, made without a browser: through the store, and with the service's keys.

import { REDIRECT_URI, seedGrants, VERIFIER } from "../support/seeded-grants.ts";
import type { Request } from "./history.ts";

/** The nodes' own: with it the codes are minted. */
export const SECRET = "a secret for tests, and for nothing else";

export interface Seeded {
  readonly clientId: string;
  /** A name for the history, and the code. */
  readonly grants: readonly { name: string; code: string }[];
}

/** `database` as in the settings. Brings the schema, one public client, one account, the grants. */
export async function seed(database: string, count: number): Promise<Seeded> {
  const address = /^(postgres|sqlite)/.test(database) ? database : `sqlite:${database}`;
  const client = { type: "public" } as const;
  const seeded = await seedGrants({ database: address, secret: SECRET, count, client });
  const grants = seeded.codes.map((code, index) => ({ name: `grant ${index}`, code }));
  return { clientId: seeded.clientId, grants };
}

/** The HTTP request that a request of the history is. */
export function formOf(
  { verb, input }: Pick<Request, "verb" | "input">,
  clientId: string,
): { path: string; body: string } {
  const form = (fields: Record<string, string>) =>
    new URLSearchParams({ client_id: clientId, ...fields }).toString();
  switch (verb) {
    case "redeem": {
      const code = { code: input, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER };
      return { path: "/oauth/token", body: form({ grant_type: "authorization_code", ...code }) };
    }
    case "rotate": {
      const fields = { grant_type: "refresh_token", refresh_token: input };
      return { path: "/oauth/token", body: form(fields) };
    }
    case "revoke":
      return { path: "/oauth/revoke", body: form({ token: input }) };
  }
}
