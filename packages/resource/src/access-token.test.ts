// Tests of access tokens: valid ones, and every reason for refusing one.

import { exportJWK, generateKeyPair, SignJWT, UnsecuredJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import {
  type Algorithm,
  JWKS_PATH,
  startTestIssuer,
  TEST_RESOURCE,
  type TestIssuer,
} from "../test/support/test-issuer.ts";
import { verifyAccessToken } from "./access-token.ts";
import { AccessTokenError } from "./errors.ts";
import { remoteKeySet } from "./key-set.ts";

let at: TestIssuer;
let validToken: string;
let keys: ReturnType<typeof remoteKeySet>;
beforeAll(async () => {
  at = await startTestIssuer();
  keys = remoteKeySet(at.issuer);
  validToken = await at.sign(at.claims());
});
afterAll(() => at.close());

function verify(token: string, resource = TEST_RESOURCE) {
  return verifyAccessToken(token, { issuer: at.issuer, resource, keys });
}

/** The description of the refusal, which must be `invalid_token`; "accepted" without one. */
async function refusal(token: string, resource?: string): Promise<string> {
  try {
    await verify(token, resource);
    return "accepted";
  } catch (error) {
    if (!(error instanceof AccessTokenError) || error.code !== "invalid_token") throw error;
    return error.message;
  }
}

const seconds = () => Math.floor(Date.now() / 1000);

describe("a valid access token", () => {
  test.each<Algorithm>(["ES256", "RS256", "EdDSA"])("signed with %s is read", async (alg) => {
    const claims = at.claims({ scope: "notes:read notes:write" });
    const token = await at.sign(claims, { alg });
    expect(await verify(token)).toEqual({
      ...{ token, sub: "sub_alice", domain: "alice.test", domainSince: claims.domain_since },
      ...{ clientId: "dsid_app", scopes: ["notes:read", "notes:write"], expiresAt: claims.exp },
      claims,
    });
  });

  test("may have the long form of its type (RFC 9068 §4)", async () => {
    const token = await at.sign(at.claims(), { header: { typ: "application/at+jwt" } });
    expect(await refusal(token)).toBe("accepted");
  });

  test("may be for userinfo too, which is the issuer's", async () => {
    const token = await at.sign(at.claims({ aud: [TEST_RESOURCE, at.issuer] }));
    expect(await refusal(token)).toBe("accepted");
  });

  test.each([[undefined], [""]])("has no scopes if its scope is %j", async (scope) => {
    expect((await verify(await at.sign(at.claims({ scope })))).scopes).toEqual([]);
  });

  test("is accepted within 30 seconds around its life, for clocks that differ", async () => {
    const late = await at.sign(at.claims({ exp: seconds() - 20 }));
    const early = await at.sign(at.claims({ iat: seconds() + 20, nbf: seconds() + 20 }));
    expect([await refusal(late), await refusal(early)]).toEqual(["accepted", "accepted"]);
  });
});

describe("claims", () => {
  const wrongType = "A claim of the access token has the wrong type";
  const missing = (claim: string) => `The claim ${claim} of the access token is missing or invalid`;
  const otherResource = "The access token is for another resource";
  const notYet = "The access token is not valid yet";
  test.each<[string, () => Record<string, unknown>, string]>([
    ["another issuer", () => ({ iss: "https://evil.example" }), "from another issuer"],
    ["the issuer with a slash", () => ({ iss: `${at.issuer}/` }), "from another issuer"],
    ["no issuer", () => ({ iss: undefined }), "from another issuer"],
    ["the issuer in a list", () => ({ iss: [at.issuer] }), "from another issuer"],
    ["another resource", () => ({ aud: "https://mail.example/api" }), otherResource],
    ["a longer resource", () => ({ aud: `${TEST_RESOURCE}/admin` }), otherResource],
    ["a shorter resource", () => ({ aud: "https://notes.example" }), otherResource],
    ["the resource in capitals", () => ({ aud: TEST_RESOURCE.toUpperCase() }), otherResource],
    ["the resource inside a list", () => ({ aud: `["${TEST_RESOURCE}"]` }), otherResource],
    ["no resource", () => ({ aud: undefined }), otherResource],
    ["an empty list of resources", () => ({ aud: [] }), otherResource],
    ["an object as resource", () => ({ aud: { 0: TEST_RESOURCE } }), otherResource],
    ["the issuer alone", () => ({ aud: at.issuer }), otherResource],
    ["the client alone", () => ({ aud: "dsid_app" }), otherResource],
    ["an expiry in the past", () => ({ exp: seconds() - 31 }), "The access token has expired"],
    ["no expiry", () => ({ exp: undefined }), missing("exp")],
    ["an expiry as text", () => ({ exp: "9999999999" }), missing("exp")],
    ["an nbf in the future", () => ({ nbf: seconds() + 60 }), notYet],
    ["an iat in the future", () => ({ iat: seconds() + 60 }), notYet],
    ["no iat", () => ({ iat: undefined }), missing("iat")],
    ["no jti", () => ({ jti: undefined }), missing("jti")],
    ["no subject", () => ({ sub: undefined }), missing("sub")],
    ["a number as subject", () => ({ sub: 7 }), wrongType],
    ["no client", () => ({ client_id: undefined }), missing("client_id")],
    ["a list of clients", () => ({ client_id: ["dsid_app"] }), wrongType],
    ["no domain", () => ({ domain: undefined }), missing("domain")],
    ["null as domain", () => ({ domain: null }), wrongType],
    ["no domain_since", () => ({ domain_since: undefined }), missing("domain_since")],
    ["domain_since as text", () => ({ domain_since: "1" }), wrongType],
    ["a list of scopes", () => ({ scope: ["notes:read"] }), wrongType],
    ["a key it is bound to (RFC 9449 §7.1)", () => ({ cnf: { jkt: "a" } }), "bound to a key"],
  ])("with %s are refused", async (_, changes, description) => {
    expect(await refusal(await at.sign(at.claims(changes())))).toContain(description);
  });

  test("for two resources are accepted by each, and for one by one alone", async () => {
    const other = "https://mail.example/api";
    const both = await at.sign(at.claims({ aud: [TEST_RESOURCE, other] }));
    expect([await refusal(both), await refusal(both, other)]).toEqual(["accepted", "accepted"]);
    expect(await refusal(validToken, other)).toBe(otherResource);
    expect(await refusal(await at.sign(at.claims({ aud: other })))).toBe(otherResource);
  });

  test("that were valid are refused when the time has come", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 3_631_000 });
    try {
      expect(await refusal(validToken)).toBe("The access token has expired");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("another kind of token of the same issuer", () => {
  const notAccess = "This is not an access token: its type is not at+jwt";
  test.each<[string, Record<string, unknown>]>([
    ["an ID token", { typ: "JWT" }],
    ["an attestation", { typ: "domain-attestation+jwt" }],
    ["a logout token", { typ: "logout+jwt" }],
    ["a token without a type", { typ: undefined }],
  ])("is refused, even with the claims of an access token: %s", async (_, header) => {
    expect(await refusal(await at.sign(at.claims(), { header }))).toBe(notAccess);
  });

  test("an opaque access token is refused without a request", async () => {
    const fetched = at.requests(JWKS_PATH);
    expect(await refusal("dsa_AAECAwQFBgcICQoLDA0ODw")).toBe("The access token is malformed");
    expect(at.requests(JWKS_PATH)).toBe(fetched);
  });
});

describe("the signature", () => {
  const badSignature = "The signature of the access token is not valid";
  const badAlgorithm = "The algorithm of the access token is not allowed";

  test("of another key is refused, whether it names the issuer's key or itself", async () => {
    const { privateKey, publicKey } = await generateKeyPair("ES256");
    const stolenName = await at.sign(at.claims(), { key: privateKey });
    expect(await refusal(stolenName)).toBe(badSignature);
    const jwk = await exportJWK(publicKey);
    for (const header of [{ kid: "mine" }, { kid: "mine", jwk }, { jku: "https://evil.example" }]) {
      const own = await at.sign(at.claims(), { key: privateKey, header });
      expect(await refusal(own)).not.toBe("accepted");
    }
  });

  test("is required: alg none in every spelling is refused", async () => {
    const unsecured = new UnsecuredJWT(at.claims()).encode();
    expect(await refusal(unsecured)).toBe(badAlgorithm);
    const [, payload, signature] = validToken.split(".");
    for (const alg of ["none", "None", "NONE", "nOnE", "", null, 0, ["ES256"], {}]) {
      const header = Buffer.from(JSON.stringify({ alg, typ: "at+jwt" })).toString("base64url");
      expect(await refusal(`${header}.${payload}.`)).not.toBe("accepted");
      expect(await refusal(`${header}.${payload}.${signature}`)).not.toBe("accepted");
    }
  });

  test("with a public key of the issuer as a shared secret is refused (RFC 8725 §2.1)", async () => {
    for (const alg of ["HS256", "HS384", "HS512"]) {
      const jwk = at.publicKey("RS256");
      const secret = new TextEncoder().encode(JSON.stringify(jwk));
      const token = await new SignJWT(at.claims())
        .setProtectedHeader({ alg, typ: "at+jwt", kid: String(jwk.kid) })
        .sign(secret);
      expect(await refusal(token)).toBe(badAlgorithm);
    }
  });

  test("with an algorithm that is not allowed is refused, and so is a key of another algorithm", async () => {
    const { privateKey } = await generateKeyPair("PS256");
    const kid = String(at.publicKey("RS256").kid);
    const pss = await new SignJWT(at.claims())
      .setProtectedHeader({ alg: "PS256", typ: "at+jwt", kid })
      .sign(privateKey);
    expect(await refusal(pss)).toBe(badAlgorithm);
    const confused = await at.sign(at.claims(), { header: { kid } });
    expect(await refusal(confused)).toBe("The access token is signed with an unknown key");
  });

  test("with a critical extension is refused (RFC 7515 §4.1.11)", async () => {
    const { privateKey } = await generateKeyPair("ES256");
    const header = { alg: "ES256", typ: "at+jwt", crit: ["x"], x: true };
    const token = await new SignJWT(at.claims())
      .setProtectedHeader(header)
      .sign(privateKey, { crit: { x: true } });
    expect(await refusal(token)).toBe("The access token is malformed");
  });

  test("over unencoded claims is refused (RFC 7797)", async () => {
    const header = { b64: false, crit: ["b64"] };
    const [, payload, signature] = validToken.split(".");
    const encoded = Buffer.from(JSON.stringify({ alg: "ES256", typ: "at+jwt", ...header }));
    const token = `${encoded.toString("base64url")}.${payload}.${signature}`;
    expect(await refusal(token)).not.toBe("accepted");
  });
});

describe("a changed token", () => {
  test("is refused with any one bit flipped", async () => {
    const octets = Buffer.from(validToken, "latin1");
    for (let bit = 0; bit < octets.length * 8; bit++) {
      const flipped = Buffer.from(octets);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = await refusal(flipped.toString("latin1"));
      expect([bit, outcome === "accepted"]).toEqual([bit, false]);
    }
  });

  test("is refused when it is cut anywhere", async () => {
    for (let length = 0; length < validToken.length; length++)
      expect([length, await refusal(validToken.slice(0, length))]).not.toContain("accepted");
  });

  test("is refused when something is added", async () => {
    const [header, payload, signature] = validToken.split(".");
    for (const token of [
      ...[
        `${validToken}A`,
        `${validToken}=`,
        `${validToken}==`,
        `${validToken}.`,
        `${validToken}.${signature}`,
        `.${validToken}`,
      ],
      ...[
        ` ${validToken}`,
        `${validToken} `,
        `${validToken}\n`,
        `${validToken}\0`,
        `${validToken}, ${validToken}`,
        validToken + validToken,
      ],
      ...[`${header}.${payload}=.${signature}`, `${header}..${payload}.${signature}`],
      ...[`${header}.${payload}`, `${header}.${payload}.`, `..`, "", `.${payload}.${signature}`],
    ])
      expect([token, await refusal(token)]).not.toContain("accepted");
  });

  test("is refused with the claims of another token", async () => {
    const other = await at.sign(at.claims({ sub: "sub_mallory" }));
    const [header, , signature] = validToken.split(".");
    const mixed = `${header}.${other.split(".")[1]}.${signature}`;
    expect(await refusal(mixed)).toBe("The signature of the access token is not valid");
  });

  test("is refused when its parts are no JSON objects", async () => {
    const part = (text: string) => Buffer.from(text).toString("base64url");
    const [header = "", payload = "", signature = ""] = validToken.split(".");
    for (const text of ["", "null", "[]", '"a"', "{", "7", "\xff", '{"alg":"ES256"'])
      for (const token of [
        `${part(text)}.${payload}.${signature}`,
        `${header}.${part(text)}.${signature}`,
      ])
        expect([text, await refusal(token)]).not.toContain("accepted");
  });
});
