// Access tokens of a resource that were changed, and other tokens of the service: none is an access token.

import { createHmac, generateKeyPairSync, sign } from "node:crypto";

/** What the cases are made from. */
export interface AccessTokens {
  readonly token: string;
  /** Of another sign-in, for the same resource. */
  readonly another: string;
  readonly idToken: string;
  readonly attestation: string;
  readonly refreshToken: string;
  readonly code: string;
  /** A JWK of the key set, as text. */
  readonly publicKey: string;
  /** Not that of `token`. */
  readonly audience: readonly string[];
}

type Make = (tokens: AccessTokens) => string;

export const forgedAccessTokens: readonly (readonly [what: string, Make])[] = [
  ["without its last character", ({ token }) => token.slice(0, -1)],
  ["cut in half", ({ token }) => token.slice(0, token.length / 2)],
  ["without its signature", ({ token }) => token.slice(0, token.lastIndexOf(".") + 1)],
  ["with a character more", ({ token }) => `${token}A`],
  ["with a part more", ({ token }) => `${token}.${partsOf(token)[2]}`],
  ["twice in a row", ({ token }) => token + token],
  ["with a bit of its header flipped", ({ token }) => flipped(token, 0, 5)],
  ["with the first bit of its claims flipped", ({ token }) => flipped(token, 1, 0)],
  ["with the last bit of its claims flipped", ({ token }) => flipped(token, 1, -1)],
  ["with the first bit of its signature flipped", ({ token }) => flipped(token, 2, 0)],
  ["with the last bit of its signature flipped", ({ token }) => flipped(token, 2, -1)],
  [
    "with the signature of another",
    ({ token, another }) => [...partsOf(token).slice(0, 2), partsOf(another)[2]].join("."),
  ],
  [
    "with the jti of another",
    ({ token, another }) => changed(token, { jti: decoded(partsOf(another)[1]).jti }),
  ],
  ["with a later expiry", ({ token }) => changed(token, { exp: 9_999_999_999 })],
  ["with another subject", ({ token }) => changed(token, { sub: "sub_other" })],
  ["with another audience", ({ token, audience }) => changed(token, { aud: audience })],
  ["with more scopes", ({ token }) => changed(token, { scope: "notes:read notes:write" })],
  [
    "of the algorithm none",
    ({ token }) => changed(token, {}, { alg: "none" }).replace(/[^.]*$/, ""),
  ],
  ["signed with a public key as a shared secret", signedWithPublicKey],
  ["of a key that is not there", ({ token }) => changed(token, {}, { kid: "A".repeat(43) })],
  ["signed by a stranger's key that it brings along", signedByStranger],
];

export const tokensOfAnotherKind: readonly (readonly [what: string, Make])[] = [
  ["an ID token", ({ idToken }) => idToken],
  ["an attestation", ({ attestation }) => attestation],
  ["a refresh token", ({ refreshToken }) => refreshToken],
  ["a code", ({ code }) => code],
];

const partsOf = (text: string) => text.split(".") as [string, string, string];
const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
const decoded = (part: string) =>
  JSON.parse(Buffer.from(part, "base64url").toString()) as Record<string, unknown>;

/** The token with one bit of one of its parts flipped. */
function flipped(token: string, part: 0 | 1 | 2, octet: number): string {
  const parts = partsOf(token);
  const octets = Buffer.from(parts[part], "base64url");
  const at = octet < 0 ? octets.length + octet : octet;
  octets[at] = (octets[at] ?? 0) ^ 1;
  parts[part] = octets.toString("base64url");
  return parts.join(".");
}

/** The token with other claims or another header, under its own signature. */
function changed(token: string, claims: object, header: object = {}): string {
  const [head, payload, signature] = partsOf(token);
  const parts = [
    { ...decoded(head), ...header },
    { ...decoded(payload), ...claims },
  ].map(encoded);
  return [...parts, signature].join(".");
}

function signedWithPublicKey({ token, publicKey }: AccessTokens): string {
  const [, payload] = partsOf(token);
  const signed = `${encoded({ alg: "HS256", typ: "at+jwt" })}.${payload}`;
  return `${signed}.${createHmac("sha256", publicKey).update(signed).digest("base64url")}`;
}

function signedByStranger({ token }: AccessTokens): string {
  const [head, payload] = partsOf(token);
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const header = { ...decoded(head), jwk: publicKey.export({ format: "jwk" }) };
  const signed = `${encoded(header)}.${payload}`;
  const key = { key: privateKey, dsaEncoding: "ieee-p1363" } as const;
  return `${signed}.${sign("sha256", Buffer.from(signed), key).toString("base64url")}`;
}
