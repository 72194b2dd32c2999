// Tests of redeeming a code: the response, and the reasons for refusing a second use.

import { beforeAll, describe, expect, test } from "vitest";
import { makeOAuthWorld, type OAuthWorld, REDIRECT_URI } from "../../test/support/oauth-world.ts";
import { someDelivery } from "../../test/support/some-delivery.ts";
import type { Account } from "../store/accounts.ts";
import { redeemAuthorizationCode } from "./authorization-code-grant.ts";
import type { Client } from "./client.ts";
import { mintCode } from "./grant-token.ts";
import { challengeOf } from "./pkce.ts";

const VERIFIER = "a-code-verifier-of-this-very-browser-session";

let world: OAuthWorld;
let client: Client;
beforeAll(async () => {
  world = await makeOAuthWorld();
  client = (await world.addClient()).client;
});

interface Issued {
  readonly id: string;
  readonly code: string;
  readonly account: Account;
}

async function issued(changes: Parameters<OAuthWorld["issueGrant"]>[2] = {}): Promise<Issued> {
  const account = await world.addAccount();
  const id = await world.issueGrant(client, account, {
    codeChallenge: challengeOf(VERIFIER),
    ...changes,
  });
  return { id, code: mintCode(world.keyring, id, world.now), account };
}

function redeem(
  code: string,
  changes: Record<string, string | undefined> = {},
  by = client,
  isProven = true,
) {
  const sent = { code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER, ...changes };
  const values = Object.entries(sent).filter((pair): pair is [string, string] => !!pair[1]);
  return redeemAuthorizationCode(
    { client: by, isProven },
    new Map(values),
    world.parts,
    someDelivery(),
  );
}

/** The reason in the log. The client gets the same description in every case. */
async function reasonOf(refused: Promise<unknown>): Promise<unknown> {
  const error = await refused.then(
    () => ({ detail: "redeemed" }),
    (cause: unknown) => cause,
  );
  const { detail, ...rest } = error as { detail?: unknown; code?: string; message?: string };
  if (detail === "redeemed") return detail;
  const message =
    "the code is invalid, expired or already used, or does not match the client, redirect_uri or code_verifier";
  expect({ ...rest, message: (error as Error).message }).toMatchObject({
    ...{ code: "invalid_grant", message },
  });
  return detail;
}

describe("a code is refused, and stays usable,", () => {
  test.each<[string, (issued: Issued) => Promise<unknown>, string]>([
    [
      "with another redirect_uri",
      ({ code }) => redeem(code, { redirect_uri: `${REDIRECT_URI}/` }),
      "redirect_uri does not match",
    ],
    [
      "without redirect_uri",
      ({ code }) => redeem(code, { redirect_uri: undefined }),
      "redirect_uri does not match",
    ],
    [
      "with another code_verifier",
      ({ code }) => redeem(code, { code_verifier: "x".repeat(43) }),
      "code_verifier does not match",
    ],
    [
      "without code_verifier",
      ({ code }) => redeem(code, { code_verifier: undefined }),
      "code_verifier does not match",
    ],
    [
      "with a code_verifier of another form",
      ({ code }) => redeem(code, { code_verifier: "short" }),
      "code_verifier is malformed",
    ],
    [
      "by another client",
      async ({ code }) => redeem(code, {}, (await world.addClient()).client),
      "issued to another client",
    ],
  ])("%s", async (_, use, reason) => {
    const given = await issued();
    expect(await reasonOf(use(given))).toBe(reason);
    expect(world.reported).toEqual([]);
    expect((await redeem(given.code)).access_token).toMatch(/^dsa_/);
  });
});

describe("a code is refused", () => {
  test("that this server did not make", async () => {
    expect(await reasonOf(redeem("dsc_x"))).toBe("not a code issued by this server");
    const noCode = redeemAuthorizationCode(
      { client, isProven: true },
      new Map(),
      world.parts,
      someDelivery(),
    );
    expect(await reasonOf(noCode)).toBe("not a code issued by this server");
  });

  test("whose grant is not there", async () => {
    const code = mintCode(world.keyring, "0".repeat(32), world.now);
    expect(await reasonOf(redeem(code))).toBe("grant not found");
  });

  test("whose grant was revoked", async () => {
    const { id, code } = await issued();
    await world.store.revokeGrant({ id, now: world.now });
    expect(await reasonOf(redeem(code))).toBe("revoked");
  });

  test("at its end, and not a second before", async () => {
    const late = await issued({ codeExpiresAt: world.now });
    expect(await reasonOf(redeem(late.code))).toBe("expired");
    const inTime = await issued({ codeExpiresAt: world.now + 1 });
    expect((await redeem(inTime.code)).token_type).toBe("bearer");
  });

  test("while its account sleeps, and after its end", async () => {
    const { code, account } = await issued();
    await world.store.putToSleep(account.id, world.now - 86_400);
    await world.store.putToSleep(account.id, world.now);
    expect(await reasonOf(redeem(code))).toBe("account is not live");
    const ending = { accountId: account.id, asleepBefore: world.now, now: world.now };
    expect(await world.store.endAccount(ending)).toBe(true);
    expect(await reasonOf(redeem(code))).toBe("account is not live");
  });

  test("whose grant was free again when it was read", async () => {
    const { code } = await issued();
    const grants = { ...world.store, redeemCode: async () => null };
    const values = new Map(
      Object.entries({ code, redirect_uri: REDIRECT_URI, code_verifier: VERIFIER }),
    );
    const parts = { ...world.parts, grants };
    const refused = redeemAuthorizationCode(
      { client, isProven: true },
      values,
      parts,
      someDelivery(),
    );
    expect(await reasonOf(refused)).toBe("grant changed during the request");
  });
});

describe("a second use that matches in everything", () => {
  const revokedAt = async (id: string) => (await world.store.readGrant(id))?.grant.revokedAt;

  test("is a double submit for 30 seconds, and then a replay that ends the grant (RFC 6749 §4.1.2)", async () => {
    const { id, code, account } = await issued();
    await redeem(code);
    const begun = world.now;
    world.now = begun + 30;
    expect(await reasonOf(redeem(code))).toBe("already redeemed within the last 30 seconds");
    expect(await revokedAt(id)).toBeNull();
    world.now = begun + 31;
    expect(await reasonOf(redeem(code))).toBe("already redeemed");
    expect(await revokedAt(id)).toBe(begun + 31);
    expect(world.reported.splice(0)).toEqual([
      {
        event: "replayed",
        fields: { clientId: client.client_id, accountId: account.id, token: "code" },
      },
    ]);
    expect(await reasonOf(redeem(code))).toBe("revoked");
    expect(world.reported).toEqual([]);
  });

  test("is a double submit without PKCE only with the client secret: nothing else shows who it is", async () => {
    const { id, code } = await issued({ codeChallenge: null });
    await redeem(code, { code_verifier: undefined });
    expect(await reasonOf(redeem(code, { code_verifier: undefined }))).toBe(
      "already redeemed within the last 30 seconds",
    );
    expect(await revokedAt(id)).toBeNull();
    const unproven = redeem(code, { code_verifier: undefined }, client, false);
    expect(await reasonOf(unproven)).toBe("already redeemed");
    expect(await revokedAt(id)).toBe(world.now);
    world.reported.splice(0);
  });

  test("is a replay at once after the refresh token was used", async () => {
    const { id, code } = await issued();
    await redeem(code);
    const rotation = { id, generation: 1, clientId: client.client_id, now: world.now };
    const lives = { refreshExpiresAt: world.now + 60, controlCheckedAfter: world.now - 60 };
    expect(await world.store.rotateRefreshToken({ ...rotation, ...lives })).not.toBeNull();
    expect(await reasonOf(redeem(code))).toBe("already redeemed");
    expect(await revokedAt(id)).toBe(world.now);
    world.reported.splice(0);
  });
});

describe("what a code gives", () => {
  const evidence = (account: Account) => ({
    ...{ v: 2, domain: account.domain, domain_since: 1, sp: "https://auth.example.com" },
    ...{ acct: account.acct, redirect_uri: REDIRECT_URI },
    dns: { status: "unknown", checked_at: world.now },
  });
  const keep = ({ id, account }: Issued) => {
    const body = JSON.stringify(evidence(account));
    return world.store.keepEvidence({ grantId: id, expiresAt: world.now + 60, body });
  };
  const domainIn = (token: string | undefined) =>
    JSON.parse(Buffer.from(token?.split(".")[1] ?? "", "base64url").toString()).domain;

  test("is an ID token for openid, also of a grant whose evidence is gone, and validation_data with it", async () => {
    const kept = await issued();
    await keep(kept);
    const response = await redeem(kept.code);
    expect(domainIn(response.id_token)).toBe(kept.account.domain);
    expect(response.validation_data).toMatchObject({ v: 1, domain: kept.account.domain });
    const { code, account } = await issued();
    const bare = await redeem(code);
    expect(domainIn(bare.id_token)).toBe(account.domain);
    expect(bare).not.toHaveProperty("validation_data");
  });

  test("is no ID token without openid, and no validation_data for a client that does not want it", async () => {
    const scope = "openid profile";
    const { client: plain } = await world.addClient({ scope, validation_data: false });
    const account = await world.addAccount();
    const withScope = async (scope: string) => {
      const id = await world.issueGrant(plain, account, { scope });
      await keep({ id, account, code: "" });
      const verifier = { code_verifier: undefined };
      return redeem(mintCode(world.keyring, id, world.now), verifier, plain);
    };
    const notes = await withScope("profile");
    expect(notes.scope).toBe("profile");
    expect(notes).not.toHaveProperty("id_token");
    expect(notes).not.toHaveProperty("validation_data");
    const both = await withScope("openid profile");
    expect(domainIn(both.id_token)).toBe(account.domain);
    expect(both).not.toHaveProperty("validation_data");
  });

  test("asks the store for no evidence if the client wants neither", async () => {
    const { client: plain } = await world.addClient({ scope: "profile", validation_data: false });
    const id = await world.issueGrant(plain, await world.addAccount(), { scope: "profile" });
    const readEvidence = () => Promise.reject(new Error("not asked for"));
    const values = { code: mintCode(world.keyring, id, world.now), redirect_uri: REDIRECT_URI };
    const evidences = { ...world.store, readEvidence };
    const parts = { ...world.parts, evidences };
    const by = { client: plain, isProven: true };
    const response = await redeemAuthorizationCode(
      by,
      new Map(Object.entries(values)),
      parts,
      someDelivery(),
    );
    expect(response.scope).toBe("profile");
  });

  describe("to a service that has authenticated, and asked for its app,", () => {
    const service = () => ({ ...client, issuer: "https://broker.example" });
    const app = { aud: "app", redirect_uri: REDIRECT_URI, nonce: "n" };
    /** The claims of the ID token. */
    async function claimsFor(
      more: object,
      { by = service(), isProven = true }: { by?: Client; isProven?: boolean } = {},
    ) {
      const given = await issued({ codeChallenge: null });
      const spk = world.keyring.statementKeys();
      const dnssec = { chain: "", not_before: world.now, not_after: world.now + 60 };
      const body = JSON.stringify({ ...evidence(given.account), dnssec, spk, ...more });
      await world.store.keepEvidence({ grantId: given.id, expiresAt: world.now + 60, body });
      const values = new Map(Object.entries({ code: given.code, redirect_uri: REDIRECT_URI }));
      const redeemed = redeemAuthorizationCode(
        { client: by, isProven },
        values,
        world.parts,
        someDelivery(),
      );
      const { id_token = "" } = await redeemed;
      return JSON.parse(Buffer.from(id_token.split(".")[1] ?? "", "base64url").toString());
    }

    test("is the provider proof in the ID token", async () => {
      const proofOf = async (...of: Parameters<typeof claimsFor>) =>
        (await claimsFor(...of)).provider_proof;
      expect(await proofOf({ statement_for: app })).toMatchObject({ key: { kty: "EC" } });
      expect(await proofOf({ statement_for: app }, { isProven: false })).toBeUndefined();
      expect(await proofOf({})).toBeUndefined();
      const { issuer: _, ...plain } = service();
      expect(await proofOf({ statement_for: app }, { by: plain })).toBeUndefined();
    });

    test("is the owner proof, if the sign-in was here and has the chain by which it can be verified", async () => {
      const owner_proof = { statement: "s", credential: "c" };
      const asked = { statement_for: app, owner_proof };
      expect((await claimsFor(asked)).owner_proof).toEqual(owner_proof);
      expect(await claimsFor({ statement_for: app })).not.toHaveProperty("owner_proof");
      for (const other of [{ sp: "https://sp.example" }, { dnssec: undefined }]) {
        expect(await claimsFor({ ...asked, ...other })).not.toHaveProperty("owner_proof");
      }
    });
  });

  test("is a refresh token that lives as long as the client's setting says", async () => {
    const { client: brief } = await world.addClient({ refresh_idle_lifetime: 60 });
    const id = await world.issueGrant(brief, await world.addAccount());
    const code = mintCode(world.keyring, id, world.now);
    await redeem(code, { code_verifier: undefined }, brief);
    const found = await world.store.readGrant(id);
    expect(found?.grant.refreshExpiresAt).toBe(world.now + 60);
  });
});
