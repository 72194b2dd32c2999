// The name under which the account page shows a client.

import { UnavailableError } from "../lib/errors.ts";
import type { Deps } from "./deps.ts";

export async function clientNameOf(
  clientId: string,
  { clients }: Pick<Deps, "clients">,
): Promise<string> {
  // The name in a document is not verified and would have to be fetched; its host says who it is.
  if (URL.canParse(clientId) && clientId.includes("://")) return new URL(clientId).host;
  const client = await clients.find(clientId).catch((error) => {
    if (error instanceof UnavailableError) throw error;
    return null;
  });
  return client?.name ?? clientId;
}
