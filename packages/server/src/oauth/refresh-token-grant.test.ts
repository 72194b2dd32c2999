// Tests of changes to a grant during the DNS check of a refresh.

import { beforeEach, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { makeOAuthWorld, START } from "../../test/support/oauth-world.ts";
import type { Client } from "../clients/client.ts";
import { mintRefreshToken } from "./grant-token.ts";

/** Too late to refresh without a check. */
const LATER = START + 4 * 86_400;

const world = fixture(makeOAuthWorld, "test");
let client: Client;
let id: string;
let token: string;
beforeEach(async () => {
  ({ client } = await world.addClient());
  id = await world.issueGrant(client, await world.addAccount());
  token = (await world.redeem(world.codeOf(id), { by: client })).refresh_token;
  world.now = LATER;
});

/** Presents the token, while this happens during the check. */
function presentWhile(change: () => Promise<unknown>) {
  const confirm = async () => {
    await change();
    return true;
  };
  const parts = { ...world.parts, control: { ...world.parts.control, confirm } };
  return world.refresh(token, { by: client, parts });
}

const rotateElsewhere = async (generation: number) => {
  await world.store.grants.recordControl({ grantId: id, checkedAt: LATER, now: LATER });
  await world.store.grants.rotateRefreshToken({
    ...{ id, generation, clientId: client.client_id, now: LATER },
    ...{ refreshExpiresAt: LATER + 60, controlCheckedAfter: START },
  });
};

test("rotated once by somebody else, it is a retry and gets the same successor", async () => {
  const { refresh_token } = await presentWhile(() => rotateElsewhere(1));
  expect(refresh_token).toBe(mintRefreshToken(world.keyring, id, 2, LATER));
});

test("rotated twice by somebody else, it is a replay: the grant ends and the log says so", async () => {
  const answer = presentWhile(async () => {
    await rotateElsewhere(1);
    await rotateElsewhere(2);
  });
  await expect(answer).rejects.toMatchObject({ code: "invalid_grant" });
  expect(await world.revokedAt(id)).toBe(LATER);
  const fields = expect.objectContaining({ token: "refresh_token" });
  expect(world.reported).toEqual([{ event: "replayed", fields }]);
});

test("revoked by somebody else, it is refused", async () => {
  const answer = presentWhile(() => world.store.grants.revokeGrant({ id, now: LATER }));
  await expect(answer).rejects.toMatchObject({ code: "invalid_grant", detail: "revoked" });
});
