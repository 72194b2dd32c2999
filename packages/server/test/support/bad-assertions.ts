// Client assertions with a valid signature and invalid claims.

/** Each gets 400 `invalid_client` with `words` in its description. `undefined` removes a claim. */
export function badClaims({
  clientId,
  issuer,
  now,
}: {
  clientId: string;
  issuer: string;
  now: number;
}): [what: string, claims: Record<string, unknown>, words: string][] {
  return [
    ["for another server", { aud: "https://other.example" }, "aud"],
    ["for the token endpoint", { aud: `${issuer}/oauth/token` }, "aud"],
    ["for the issuer with a trailing slash", { aud: `${issuer}/` }, "aud"],
    [
      "for the issuer and another server",
      { aud: [issuer, "https://other.example"] },
      "aud must contain only",
    ],
    ["for the issuer twice", { aud: [issuer, issuer] }, "aud must contain only"],
    ["without aud", { aud: undefined }, "aud"],
    ["without exp", { exp: undefined }, "exp"],
    ["that is valid for longer than five minutes", { exp: now + 301 }, "more than 300 seconds"],
    ["that has expired", { exp: now - 31 }, "exp"],
    ["with a string for exp", { exp: `${now + 60}` }, "exp"],
    ["with iat in the future", { iat: now + 31 }, "iat is in the future"],
    ["with nbf in the future", { nbf: now + 31 }, "nbf"],
    ["without jti", { jti: undefined }, "jti"],
    ["with an empty jti", { jti: "" }, "jti"],
    ["with a number for jti", { jti: 7 }, "jti"],
    ["with a long jti", { jti: "x".repeat(513) }, "jti"],
    ["of another issuer", { iss: `${clientId}/other` }, "iss"],
    ["without iss", { iss: undefined }, "iss"],
  ];
}
