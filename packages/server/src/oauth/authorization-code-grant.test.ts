// Tests of redeeming a code: the response, and the reasons for refusing a second use.

import { decodeJwt } from "jose";
import { describe, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { makeOAuthWorld, type Presentation, REDIRECT_URI } from "../../test/support/oauth-world.ts";
import type { NewGrant } from "../store/issue.ts";
import { mintCode } from "./grant-token.ts";
import { challengeOf } from "./pkce.ts";

const VERIFIER = "a-code-verifier-of-this-very-browser-session";

const world = fixture(makeOAuthWorld);
const client = fixture(async () => (await world.addClient()).client);

/** A grant with its code, which the verifier protects. */
async function issued(changes: Partial<NewGrant> = {}, by = client) {
  const account = await world.addAccount();
  const codeChallenge = challengeOf(VERIFIER);
  const id = await world.issueGrant(by, account, { codeChallenge, ...changes });
  return { id, code: world.codeOf(id), account };
}
type Issued = Awaited<ReturnType<typeof issued>>;

const redeem = (
  code: string | undefined,
  changes: Presentation["sent"] = {},
  how: Partial<Presentation> = {},
) => world.redeem(code, { by: client, ...how, sent: { code_verifier: VERIFIER, ...changes } });

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
  const otherUri = `${REDIRECT_URI}/`;
  const another = async () => ({ by: (await world.addClient()).client });
  test.each<[string, Presentation["sent"], string, typeof another?]>([
    ["with another redirect_uri", { redirect_uri: otherUri }, "redirect_uri does not match"],
    ["without redirect_uri", { redirect_uri: undefined }, "redirect_uri does not match"],
    [
      "with another code_verifier",
      { code_verifier: "x".repeat(43) },
      "code_verifier does not match",
    ],
    ["without code_verifier", { code_verifier: undefined }, "code_verifier does not match"],
    [
      "with a code_verifier of another form",
      { code_verifier: "short" },
      "code_verifier is malformed",
    ],
    ["by another client", {}, "issued to another client", another],
  ])("%s", async (_, changes, reason, how) => {
    const { code } = await issued();
    expect(await reasonOf(redeem(code, changes, await how?.()))).toBe(reason);
    expect(world.reported).toEqual([]);
    expect((await redeem(code)).access_token).toMatch(/^dsa_/);
  });
});

describe("a code is refused", () => {
  test("that this server did not make", async () => {
    expect(await reasonOf(redeem("dsc_x"))).toBe("not a code issued by this server");
    expect(await reasonOf(redeem(undefined))).toBe("not a code issued by this server");
  });

  test("whose grant is not there", async () => {
    const code = mintCode(world.keyring, "0".repeat(32), world.now);
    expect(await reasonOf(redeem(code))).toBe("grant not found");
  });

  test("whose grant was revoked", async () => {
    const { id, code } = await issued();
    await world.store.grants.revokeGrant({ id, now: world.now });
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
    await world.store.accounts.putToSleep(account.id, world.now - 86_400);
    await world.store.accounts.putToSleep(account.id, world.now);
    expect(await reasonOf(redeem(code))).toBe("account is not live");
    const ending = { accountId: account.id, asleepBefore: world.now, now: world.now };
    expect(await world.store.accountWalk.endAccount(ending)).toBe(true);
    expect(await reasonOf(redeem(code))).toBe("account is not live");
  });

  test("whose grant was free again when it was read", async () => {
    const { code } = await issued();
    const grants = { ...world.store.grants, redeemCode: async () => null };
    const refused = redeem(code, {}, { parts: { ...world.parts, grants } });
    expect(await reasonOf(refused)).toBe("grant changed during the request");
  });
});

describe("a second use that matches in everything", () => {
  test("is a double submit for 30 seconds, and then a replay that ends the grant (RFC 6749 §4.1.2)", async () => {
    const { id, code, account } = await issued();
    await redeem(code);
    const begun = world.now;
    world.now = begun + 30;
    expect(await reasonOf(redeem(code))).toBe("already redeemed within the last 30 seconds");
    expect(await world.revokedAt(id)).toBeNull();
    world.now = begun + 31;
    expect(await reasonOf(redeem(code))).toBe("already redeemed");
    expect(await world.revokedAt(id)).toBe(begun + 31);
    const fields = { clientId: client.client_id, accountId: account.id, token: "code" };
    expect(world.reported.splice(0)).toEqual([{ event: "replayed", fields }]);
    expect(await reasonOf(redeem(code))).toBe("revoked");
    expect(world.reported).toEqual([]);
  });

  test("is a double submit without PKCE only with the client secret: nothing else shows who it is", async () => {
    const { id, code } = await issued({ codeChallenge: null });
    await redeem(code, { code_verifier: undefined });
    expect(await reasonOf(redeem(code, { code_verifier: undefined }))).toBe(
      "already redeemed within the last 30 seconds",
    );
    expect(await world.revokedAt(id)).toBeNull();
    const unproven = redeem(code, { code_verifier: undefined }, { isProven: false });
    expect(await reasonOf(unproven)).toBe("already redeemed");
    expect(await world.revokedAt(id)).toBe(world.now);
    world.reported.splice(0);
  });

  test("is a replay at once after the refresh token was used", async () => {
    const { id, code } = await issued();
    await redeem(code);
    const rotation = { id, generation: 1, clientId: client.client_id, now: world.now };
    const lives = { refreshExpiresAt: world.now + 60, controlCheckedAfter: world.now - 60 };
    expect(await world.store.grants.rotateRefreshToken({ ...rotation, ...lives })).not.toBeNull();
    expect(await reasonOf(redeem(code))).toBe("already redeemed");
    expect(await world.revokedAt(id)).toBe(world.now);
    world.reported.splice(0);
  });
});

describe("what a code gives", () => {
  const keep = ({ id, account }: Issued) => world.keepEvidence(id, account);
  const domainIn = (token = "") => decodeJwt(token).domain;
  const withoutVerifier = { code_verifier: undefined };

  test("is an ID token for openid, also of a grant whose evidence is gone, and validation_data with it", async () => {
    const kept = await issued();
    await keep(kept);
    const response = await redeem(kept.code);
    expect(domainIn(response.id_token)).toBe(kept.account.domain);
    expect(response.validation_data).toMatchObject({ v: 1, domain: kept.account.domain });
    const { code, account } = await issued();
    const bare = await redeem(code);
    expect(decodeJwt(bare.id_token ?? "")).toMatchObject({
      ...{ domain: account.domain, domain_since: account.createdAt, acct: account.acct },
    });
    expect(bare).not.toHaveProperty("validation_data");
  });

  test("is no ID token without openid, and no validation_data for a client that does not want it", async () => {
    const scope = "openid profile";
    const { client: plain } = await world.addClient({ scope, validation_data: false });
    const withScope = async (scope: string) => {
      const given = await issued({ scope }, plain);
      await keep(given);
      return { ...(await redeem(given.code, {}, { by: plain })), account: given.account };
    };
    const notes = await withScope("profile");
    expect(notes.scope).toBe("profile");
    expect(notes).not.toHaveProperty("id_token");
    expect(notes).not.toHaveProperty("validation_data");
    const both = await withScope("openid profile");
    expect(domainIn(both.id_token)).toBe(both.account.domain);
    expect(both).not.toHaveProperty("validation_data");
  });

  test("is an ID token with what the row of the grant says, without a read of evidence", async () => {
    const { client: plain } = await world.addClient({ validation_data: false });
    const said = { sid: "the session", nonce: "n-0S6_WzA2Mj" };
    const { code, account } = await issued({ ...said, claims: "name website" }, plain);
    const readEvidence = () => Promise.reject(new Error("not asked for"));
    const parts = { ...world.parts, evidences: { ...world.store.evidences, readEvidence } };
    const claims = decodeJwt((await redeem(code, {}, { by: plain, parts })).id_token ?? "");
    const { domain, acct, createdAt } = account;
    const website = `https://${domain}/`;
    expect(claims).toMatchObject({ ...said, domain, acct, domain_since: createdAt, website });
    expect(claims).not.toHaveProperty("preferred_username");
  });

  describe("issued by a node of an earlier version, which kept session and claims as evidence,", () => {
    const plain = fixture(async () => {
      return (await world.addClient({ type: "public", validation_data: false })).client;
    });
    const ofEarlier = async () => {
      const given = await issued({ sid: null, nonce: "n" }, plain);
      await world.keepEvidence(given.id, given.account, { sid: "of then", claims: ["name"] });
      return given;
    };

    test("is an ID token with these", async () => {
      const { code, account } = await ofEarlier();
      const { id_token = "" } = await redeem(code, {}, { by: plain, isProven: false });
      const { domain: name } = account;
      expect(decodeJwt(id_token)).toMatchObject({ sid: "of then", nonce: "n", name });
      const bare = await issued({ sid: null }, plain);
      const without = await redeem(bare.code, {}, { by: plain, isProven: false });
      expect(decodeJwt(without.id_token ?? "")).not.toHaveProperty("sid");
    });
  });

  describe("to a service that has authenticated, and asked for its app,", () => {
    const service = () => ({ ...client, issuer: "https://broker.example" });
    const app = { aud: "app", redirect_uri: REDIRECT_URI, nonce: "n" };
    /** The claims of the ID token. */
    async function claimsFor(more: object, how: Partial<Presentation> = {}) {
      const { id, code, account } = await issued({ codeChallenge: null });
      const spk = world.keyring.statementKeys();
      const dnssec = { chain: "", not_before: world.now, not_after: world.now + 60 };
      await world.keepEvidence(id, account, { dnssec, spk, ...more });
      const redeemed = await redeem(code, withoutVerifier, { by: service(), ...how });
      return decodeJwt(redeemed.id_token ?? "");
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
    const { id, code } = await issued({}, brief);
    await redeem(code, {}, { by: brief });
    expect((await world.grant(id))?.refreshExpiresAt).toBe(world.now + 60);
  });
});
