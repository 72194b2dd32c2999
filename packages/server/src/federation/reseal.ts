// The secrets that SPs gave us, sealed anew after a change of the operator's secret.

import type { Seal } from "../keys/seal.ts";
import type { SpClientRow } from "../store/sp-clients.ts";
import type { Store } from "../store/store.ts";
import { openSecret, sealSecret } from "./registration.ts";
import { SpFailure } from "./sp-problem.ts";

/** Those that the previous secret alone opens. What neither opens stays: the SP's own error says so. */
export async function resealSpSecrets({
  store,
  seal,
}: {
  store: Pick<Store, "listSpClients" | "replaceSpClient">;
  seal: Seal;
}): Promise<void> {
  const withoutFormer = { ...seal, openFormer: () => null };
  for (const row of await store.listSpClients()) {
    if (row.sealedSecret === null || opened(row, withoutFormer) !== null) continue;
    const secret = opened(row, seal);
    if (secret === null) continue;
    await store.replaceSpClient(
      { ...row, sealedSecret: sealSecret(row, secret, seal) },
      row.clientId,
    );
  }
}

function opened(row: SpClientRow, seal: Seal): string | null {
  try {
    return openSecret(row, seal);
  } catch (error) {
    if (error instanceof SpFailure) return null;
    throw error;
  }
}
