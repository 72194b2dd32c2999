// A stranger who uses up the questions that may be put to the name servers of one domain in a minute.

import type { TestClient, TestService } from "./service.ts";
import { authorizationUrl } from "./sign-in.ts";

/** More than any limit allows in a minute. */
const MOST = 600;
/** So many look-ups in a row that ask no name server show that the limit is reached. */
const QUIET = 5;

/**
 * Enters random names below the domain until its name servers are not asked any more. `asked` returns how many
 * questions they have got. Returns the number of names that it took.
 */
export async function useUpQuestions(
  at: Pick<TestService, "issuer" | "service">,
  client: TestClient,
  { domain, asked }: { readonly domain: string; readonly asked: () => number },
): Promise<number> {
  const query = authorizationUrl(at, client).split("?")[1];
  for (let names = 1, quiet = 0; names <= MOST; names++) {
    const before = asked();
    const request = new Request(`${at.issuer}/sign-in?${query}`, {
      ...{ method: "POST", headers: { origin: at.issuer } },
      body: new URLSearchParams({ domain: `random${names}.${domain}` }),
    });
    await at.service.fetch(request, { clientAddress: "127.0.0.1" });
    quiet = asked() === before ? quiet + 1 : 0;
    if (quiet === QUIET) return names - QUIET;
  }
  throw new Error(`the name servers of ${domain} are asked without end`);
}
