// Tests of refreshes: the response, the reasons for a refusal, and when one revokes the grant.

import { describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { makeOAuthWorld, type Presentation, REDIRECT_URI } from "../../test/support/oauth-world.ts";
import { UnavailableError } from "../lib/errors.ts";
import { mintRefreshToken, readAccessToken } from "./grant-token.ts";

const DAY = 86_400;
const scope = "openid profile offline_access";

const world = fixture(makeOAuthWorld);
const client = fixture(async () => (await world.addClient({ scope })).client);

/** `token` makes the refresh token of a generation. */
async function redeemed({ idle = 30 * DAY, by = client } = {}) {
  const account = await world.addAccount();
  const id = await world.issueGrant(by, account, { scope });
  const grant = await world.store.grants.redeemCode({
    ...{ id, clientId: by.client_id, redirectUri: REDIRECT_URI, codeChallenge: null },
    ...{ refreshExpiresAt: world.now + idle, now: world.now },
  });
  if (grant === null) throw new Error("not redeemed");
  const made = world.now;
  const token = (generation: number) => mintRefreshToken(world.keyring, id, generation, made);
  return { grant, account, token };
}

type How = Partial<Presentation> & { readonly scope?: string };
const refresh = (token: string | undefined, { scope, ...how }: How = {}) =>
  world.refresh(token, { by: client, sent: { scope }, ...how });

/** The reason in the log. The client gets the same description in every case. */
async function reasonOf(refused: Promise<unknown>): Promise<unknown> {
  const error = await refused.then(
    () => ({ detail: "refreshed" }),
    (cause: unknown) => cause,
  );
  const { detail } = error as { detail?: unknown };
  if (detail === "refreshed") return detail;
  expect(error).toMatchObject({
    code: "invalid_grant",
    message: "refresh_token is invalid, expired, revoked or already used",
  });
  return detail;
}

test("a refresh token gives an access token for the hour and the next refresh token", async () => {
  const { grant, token } = await redeemed();
  const { access_token, refresh_token, ...rest } = await refresh(token(1));
  expect(rest).toEqual({ token_type: "bearer", expires_in: 3600, scope });
  expect(refresh_token).toBe(token(2));
  expect(await readAccessToken(world.keyring, access_token, world.now)).toEqual({
    ...{ grantId: grant.id, expiresAt: world.now + 3600, scopeMask: 7 },
  });
});

test("it lives on for as long as the client's setting says", async () => {
  const { client: brief } = await world.addClient({ refresh_idle_lifetime: 90 });
  const { grant, token } = await redeemed({ by: brief });
  await refresh(token(1), { by: brief });
  expect((await world.grant(grant.id))?.refreshExpiresAt).toBe(world.now + 90);
});

describe("a scope", () => {
  test("may be less than was granted, in the grant's order, and not for longer (RFC 6749 §6)", async () => {
    const { token } = await redeemed();
    const less = await refresh(token(1), { scope: "offline_access  openid" });
    expect(less.scope).toBe("openid offline_access");
    const mask = (await readAccessToken(world.keyring, less.access_token, world.now))?.scopeMask;
    expect(mask).toBe(0b101);
    expect((await refresh(token(2))).scope).toBe(scope);
  });

  test.each(["openid phone", "phone", " "])(
    "%j is refused, and the token stays usable",
    async (scope) => {
      const { grant, token } = await redeemed();
      await expect(refresh(token(1), { scope })).rejects.toMatchObject({
        ...{ code: "invalid_request", message: "scope exceeds the scope that was granted" },
      });
      expect((await world.grant(grant.id))?.generation).toBe(1);
      expect((await refresh(token(1))).refresh_token).toBe(token(2));
    },
  );

  test("says nothing to another client of what was granted", async () => {
    const { token } = await redeemed();
    const { client: by } = await world.addClient();
    expect(await reasonOf(refresh(token(1), { scope: "phone", by }))).toBe(
      "issued to another client",
    );
    const gone = mintRefreshToken(world.keyring, "0".repeat(32), 1, world.now);
    expect(await reasonOf(refresh(gone, { scope: "phone" }))).toBe("grant not found");
  });
});

describe("it is refused, and its grant stays,", () => {
  test("when it was never made here", async () => {
    expect(await reasonOf(refresh("dsr_x"))).toBe("not a refresh token issued by this server");
    const without = refresh(undefined);
    expect(await reasonOf(without)).toBe("not a refresh token issued by this server");
    const gone = mintRefreshToken(world.keyring, "0".repeat(32), 1, world.now);
    expect(await reasonOf(refresh(gone))).toBe("grant not found");
  });

  test("to another client", async () => {
    const { grant, token } = await redeemed();
    const { client: by } = await world.addClient();
    expect(await reasonOf(refresh(token(1), { by }))).toBe("issued to another client");
    expect(await world.revokedAt(grant.id)).toBeNull();
  });

  test("at its end, and not a second before", async () => {
    const { grant, token } = await redeemed({ idle: 60 });
    world.now += 60;
    expect(await reasonOf(refresh(token(1)))).toBe("expired");
    expect(await world.revokedAt(grant.id)).toBeNull();
    const other = await redeemed({ idle: 60 });
    world.now += 59;
    expect((await refresh(other.token(1))).token_type).toBe("bearer");
  });

  test("after the end of its account", async () => {
    const { grant, account, token } = await redeemed();
    await world.store.accounts.putToSleep(account.id, world.now - DAY);
    await world.store.accounts.putToSleep(account.id, world.now);
    const ending = { accountId: account.id, asleepBefore: world.now, now: world.now };
    await world.store.accountWalk.endAccount(ending);
    expect(await reasonOf(refresh(token(1)))).toBe("account has ended");
    expect(await world.revokedAt(grant.id)).toBeNull();
  });

  test("after it was revoked", async () => {
    const { grant, token } = await redeemed();
    await world.store.grants.revokeGrant({ id: grant.id, now: world.now - 5 });
    expect(await reasonOf(refresh(token(1)))).toBe("revoked");
    expect(await world.revokedAt(grant.id)).toBe(world.now - 5);
  });

  test("when the DNS record of the domain no longer names the account", async () => {
    const { grant, account, token } = await redeemed();
    await world.store.accounts.putToSleep(account.id, world.now);
    world.control = { control: "lost" };
    expect(await reasonOf(refresh(token(1)))).toBe(
      "the DNS record of the domain no longer names the account",
    );
    world.control = { control: "held", checkedAt: world.now };
    expect(await world.revokedAt(grant.id)).toBeNull();
    // The check says that the record names the account, but it was put to sleep again since.
    expect(await reasonOf(refresh(token(1)))).toBe("grant changed during the request");
  });
});

describe("DNS", () => {
  const confirmed: string[] = [];
  const confirm: typeof world.parts.control.confirm = async (_, { id: grantId }) => {
    confirmed.push(grantId);
    await world.store.grants.recordControl({ grantId, checkedAt: world.now, now: world.now });
    return true;
  };
  const withControl = () => ({
    parts: { ...world.parts, control: { ...world.parts.control, confirm } },
  });

  test("is asked in the background once the last look is a day old, and not before", async () => {
    const { grant, token } = await redeemed();
    world.now += DAY - 1;
    await refresh(token(1), withControl());
    expect(world.checkedLater).toEqual([]);
    world.now += 1;
    await refresh(token(2), withControl());
    expect(world.checkedLater).toEqual([grant.id]);
    expect((await world.grant(grant.id))?.generation).toBe(3);
    expect(confirmed).toEqual([]);
  });

  test("is waited for once the last look is 72 hours old, and not before", async () => {
    const { grant, token } = await redeemed();
    world.now += 3 * DAY - 1;
    await refresh(token(1), withControl());
    expect(confirmed).toEqual([]);
    world.now += 1;
    await refresh(token(2), withControl());
    expect(confirmed).toEqual([grant.id]);
    expect((await world.grant(grant.id))?.generation).toBe(3);
  });
});

describe("a retry", () => {
  test("gets the same successor for as long as the window is open, counted from the rotation", async () => {
    const { grant, token } = await redeemed();
    const isProven = false;
    const first = await refresh(token(1), { isProven });
    world.now += client.refresh_retry_window;
    const again = await refresh(token(1), { scope: "profile", isProven });
    expect([again.refresh_token, again.scope]).toEqual([first.refresh_token, "profile"]);
    world.now += 1;
    expect(await reasonOf(refresh(token(1), { isProven }))).toBe("already used");
    expect(await world.revokedAt(grant.id)).toBe(world.now);
    expect(world.reported.splice(0)).toMatchObject([
      { event: "replayed", fields: { token: "refresh_token", clientId: client.client_id } },
    ]);
  });

  test("is a replay for a client without a window", async () => {
    const { client: by } = await world.addClient({ refresh_retry_window: 0, scope });
    const { grant, token } = await redeemed({ by });
    await refresh(token(1), { by });
    expect(await reasonOf(refresh(token(1), { by }))).toBe("already used");
    expect(await world.revokedAt(grant.id)).toBe(world.now);
    world.reported.splice(0);
  });

  test("is answered while the account sleeps as any refresh is", async () => {
    const { grant, account, token } = await redeemed();
    const first = await refresh(token(1));
    await world.store.accounts.putToSleep(account.id, world.now);
    const asleep = () => Promise.reject(new UnavailableError("asleep"));
    const control = { ...world.parts.control, confirm: asleep };
    const waiting = refresh(token(1), { parts: { ...world.parts, control } });
    await expect(waiting).rejects.toThrow(UnavailableError);
    world.control = { control: "lost" };
    expect(await reasonOf(refresh(token(1)))).toBe(
      "the DNS record of the domain no longer names the account",
    );
    await world.store.accounts.wakeAccount(account, world.now);
    expect((await refresh(token(1))).refresh_token).toBe(first.refresh_token);
    expect(await world.revokedAt(grant.id)).toBeNull();
    world.control = { control: "held", checkedAt: world.now };
  });

  test("of the token before the last is a replay, and so is one of generation 0", async () => {
    const { grant, token } = await redeemed();
    await refresh(token(1));
    await refresh(token(2));
    expect(await reasonOf(refresh(token(1)))).toBe("already used");
    expect(await world.revokedAt(grant.id)).toBe(world.now);
    const other = await redeemed();
    expect(await reasonOf(refresh(other.token(0)))).toBe("already used");
    world.reported.splice(0);
  });
});

test("a token that is newer than the store ends the grant, and the log says that writes are lost", async () => {
  const { grant, account, token } = await redeemed();
  expect(await reasonOf(refresh(token(2)))).toBe("token is newer than the database");
  expect(await world.revokedAt(grant.id)).toBe(world.now);
  const fields = { clientId: client.client_id, accountId: account.id };
  expect(world.reported.splice(0)).toEqual([{ event: "lostWrites", fields }]);
});
