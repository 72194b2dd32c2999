// A stranger who enters random names below the domain of somebody else.

import type { TestClient, TestService } from "./service.ts";
import { authorizationUrl } from "./sign-in.ts";

/** Enters so many names at once, all from one network. */
export async function enterRandomNames(
  at: Pick<TestService, "issuer" | "service">,
  client: TestClient,
  { domain, count }: { readonly domain: string; readonly count: number },
): Promise<void> {
  const query = authorizationUrl(at, client).split("?")[1];
  const enter = (name: string) => {
    const request = new Request(`${at.issuer}/sign-in?${query}`, {
      ...{ method: "POST", headers: { origin: at.issuer } },
      body: new URLSearchParams({ domain: name }),
    });
    return at.service.fetch(request, { clientAddress: "203.0.113.7" });
  };
  const names = Array.from({ length: count }, (_, index) => `random${index}.${domain}`);
  await Promise.all(names.map(enter));
}
