// Which JWTs that this service signed are access tokens for a resource, and which are not.

import { decodeJwt } from "jose";
import { beforeAll, expect, test } from "vitest";
import { fixture } from "../../test/support/fixture.ts";
import { ISSUER, makeOAuthWorld, START } from "../../test/support/oauth-world.ts";
import { signJws } from "../keys/jws.ts";
import { createAccessTokens } from "./access-tokens.ts";

const uri = "https://notes.example/api";

const world = fixture(makeOAuthWorld);
let grantId: string;
let token: string;
let claims: Record<string, unknown>;
beforeAll(async () => {
  const { client } = await world.addClient();
  const account = await world.addAccount();
  const resource = { uri, scope: "notes:read", registered: false };
  const owner = { domain: account.domain, domain_since: account.createdAt };
  const resources = JSON.stringify({ ...owner, list: [resource] });
  grantId = await world.issueGrant(client, account, { resources });
  const grant = await world.grant(grantId);
  if (grant === undefined) throw new Error("no grant");
  const access = { resource, scopes: ["openid", "notes:read"] };
  token = (await world.parts.accessTokens.respond(grant, access, client)).access_token;
  claims = decodeJwt(token);
});

const read = (text: string) => world.parts.accessTokens.read(text);

/** The claims with these changes, signed with the key of the token. */
const signed = (changes: object = {}, typ = "at+jwt") =>
  world.signed({ ...claims, ...changes }, typ);

test("it leads back to its grant, scopes, resource and times", async () => {
  const known = {
    ...{ grantId, scopeMask: 3, resource: uri, isForUserinfo: true },
    ...{ issuedAt: START, expiresAt: START + 3600 },
  };
  expect(await read(token)).toEqual(known);
  expect(await read(signed())).toEqual(known);
});

test("no two have the same jti, and none shows the grant id", async () => {
  expect(token).not.toContain(grantId);
  const octets = Buffer.from(String(claims.jti), "base64url").toString("hex");
  expect(octets).not.toContain(grantId);
});

test("another type of JWT with the same claims and the same key is none", async () => {
  for (const typ of ["JWT", "", "logout+jwt", "AT+JWT"]) {
    expect([typ, await read(signed({}, typ))]).toEqual([typ, null]);
  }
});

test("its jti opens only with its own audience and expiry", async () => {
  const changes = [
    ...[{ aud: "https://other.example" }, { aud: ["https://other.example", ISSUER] }],
    ...[{ exp: START + 3601 }, { exp: START + 7200 }, { aud: [] }, { aud: undefined }],
    ...[{ jti: "" }, { jti: undefined }, { jti: `${claims.jti}A` }, { exp: "soon" }],
    ...[{ iss: "https://evil.example" }, { iat: undefined }],
  ];
  for (const change of changes) {
    expect([change, await read(signed(change))]).toEqual([change, null]);
  }
});

test("another key with the same kid, and a signature of another form, are refused", async () => {
  const { alg, kid } = world.keyring.signingKeyAt("es256", START);
  const stranger = world.keyring.signingKeyAt("client-assertion", START);
  expect(await read(signJws({ ...stranger, alg, kid }, { typ: "at+jwt" }, claims))).toBeNull();
  // Of 512 bits, the last character has four that mean nothing.
  const last = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  const index = last.indexOf(token.at(-1) ?? "");
  const other = `${token.slice(0, -1)}${last[index ^ 1]}`;
  expect(Buffer.from(other, "base64url")).toEqual(Buffer.from(token, "base64url"));
  expect(await read(other)).toBeNull();
});

test("one that was read before is still refused once one of its keys is gone", async () => {
  const { keyring } = world;
  const gone = { signing: false, mac: false };
  const changing = {
    ...keyring,
    publicKeys: (time: number) => (gone.signing ? [] : keyring.publicKeys(time)),
    find: (purpose: "grant-token", id: number) =>
      gone.mac ? Promise.resolve(null) : keyring.find(purpose, id),
  };
  const { read } = createAccessTokens({ ...world.parts, keyring: changing });
  const again = () => read(token);
  expect(await again()).not.toBeNull();
  gone.signing = true;
  expect(await again()).toBeNull();
  Object.assign(gone, { signing: false, mac: true });
  expect(await again()).toBeNull();
  gone.mac = false;
  expect(await again()).not.toBeNull();
});

test("its signature is verified once, and that of another one each time", async () => {
  let looked = 0;
  const { keyring } = world;
  // The keys are read once for a token that is known, and twice for one that is not.
  const publicKeys = (time: number) => {
    looked++;
    return keyring.publicKeys(time);
  };
  const { read } = createAccessTokens({ ...world.parts, keyring: { ...keyring, publicKeys } });
  const cost = async (text: string) => {
    looked = 0;
    await read(text);
    return looked;
  };
  expect([await cost(token), await cost(token), await cost(token)]).toEqual([2, 1, 1]);
  const forged = `${token.slice(0, -8)}AAAAAAAA`;
  expect([await cost(forged), await cost(forged)]).toEqual([1, 1]);
});
