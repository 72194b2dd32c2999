// Faults in the checks of external SPs: of their metadata, their ID tokens, their claims and our registrations.

const src = (name) => `packages/server/src/federation/${name}`;
const testOf = (name) => src(`${name}.test.ts`);
const flow = (name) => `packages/server/test/flows/${name}.test.ts`;
const ID_TOKENS = testOf("token-endpoint");

export const FEDERATION_FAULTS = [
  {
    file: src("id-token.ts"),
    guard: "who signed in at the SP is the account of the record",
    find: "if (found === acct) return null;",
    replace: 'if (found !== "") return null;',
    test: testOf("id-token"),
  },
  {
    file: src("id-token.ts"),
    guard: "an SP that proves domains must name the domain",
    find: "if (claims.domain !== domain) {",
    replace: 'if (claims.domain === "") {',
    test: testOf("id-token"),
  },
  {
    file: src("id-token.ts"),
    guard: "an SP that proves domains must name the account",
    find: "if (claims.acct === acct) return null;",
    replace: 'if (claims.acct !== "") return null;',
    test: testOf("id-token"),
  },
  {
    file: src("id-token.ts"),
    guard: "the account at an SP is another one for each domain",
    find: "${sub}\\n${domain}`",
    replace: "${sub}\\n${domain.length}`",
    test: testOf("id-token"),
  },
  {
    file: src("authorization-request.ts"),
    guard: "the secrets of a request are those of its interaction",
    find: "${purpose}\\n${interactionId}\\n${salt}`",
    replace: "${purpose}\\n${salt}`",
    test: testOf("authorization-request"),
  },
  {
    file: src("authorization-request.ts"),
    guard: "the secrets of a request are those of its browser",
    find: 'createHmac("sha256", browser)',
    replace: 'createHmac("sha256", "browser")',
    test: testOf("authorization-request"),
  },
  {
    file: src("authorization-request.ts"),
    guard: "each SP has a callback address of its own",
    find: "return sha256(sp);",
    replace: "return sha256(new URL(sp).protocol);",
    test: testOf("authorization-request"),
  },
  {
    file: src("id-token.ts"),
    guard: "the ID token has the nonce of this sign-in",
    find: "expectedNonce: nonce,",
    replace: `expectedNonce: JSON.parse(
      Buffer.from((await response.clone().json()).id_token.split(".")[1], "base64url").toString(),
    ).nonce,`,
    test: ID_TOKENS,
    title: "an ID token is refused that says another nonce",
  },
  {
    file: src("id-token.ts"),
    guard: "the ID token is signed by a key of the SP",
    find: `  await verifySignature(false).catch((error) => {
    if (isReported(error)) throw error;
    return verifySignature(true);
  });
`,
    replace: "  await verifySignature(false).catch(() => {});\n",
    test: ID_TOKENS,
    title: "an ID token is refused that is signed",
  },
  {
    file: src("id-token.ts"),
    guard: "the ID token is for no other azp",
    find: '  insist(azp === undefined || azp === asked.client.id, "has a different azp");\n',
    replace: "",
    test: ID_TOKENS,
    title: "an ID token is refused that says another azp",
  },
  {
    file: src("id-token.ts"),
    guard: "the ID token is not of the future",
    find: '  insist(iat <= now + SKEW_S, "has an iat in the future");\n',
    replace: "",
    test: ID_TOKENS,
    title: "an ID token is refused that says an iat of the future",
  },
  {
    file: src("id-token.ts"),
    guard: "max_age holds at the SP too",
    find: '  insist(isFresh, "has an auth_time that is older than max_age");\n',
    replace: "",
    test: ID_TOKENS,
    title: "where the app asked for max_age",
  },
  {
    file: src("id-token.ts"),
    guard: "an answer without auth_time is refused where max_age was asked for",
    find: '  insist(auth_time !== undefined, "has no auth_time, although max_age was requested");\n',
    replace: "  if (auth_time === undefined) return;\n",
    test: ID_TOKENS,
    title: "where the app asked for max_age",
  },
  {
    file: src("token-endpoint.ts"),
    guard: "the ID token is signed by an algorithm that the SP declares",
    find: "id_token_signing_alg_values_supported: [...asked.algs],",
    replace: 'id_token_signing_alg_values_supported: ["RS256", "ES256"],',
    test: flow("federation/id-token"),
    only: "with an algorithm that we registered not to get",
  },
  {
    file: src("broker.ts"),
    guard: "the code goes to the token endpoint that stood when it was asked for",
    find: "{ ...code, sp, asked, secret }, context",
    replace: `{
          ...{ ...code, sp, secret },
          asked: {
            ...asked,
            token_endpoint: (await metadataOf(sp, signal)).token_endpoint,
          },
        }, context`,
    test: flow("federation/callback"),
    title: "the code goes to the token endpoint",
  },
  {
    file: src("provider.ts"),
    guard: "metadata is of the issuer that was asked",
    find: "if (found !== issuer) throw bad(",
    replace: 'if (found === "") throw bad(',
    test: testOf("provider"),
  },
  {
    file: src("provider.ts"),
    guard: "a failure of an SP is remembered for seconds",
    find: "isGood ? CACHE_LIFETIME_MS : FAILURE_CACHE_LIFETIME_MS",
    replace: "isGood ? CACHE_LIFETIME_MS : 0",
    test: testOf("provider"),
  },
  {
    file: src("provider.ts"),
    guard: "endpoints are on the SP's own origin",
    find: "url.origin !== origin",
    replace: "url.origin === new URL(issuer).host",
    test: testOf("provider-requirements"),
  },
  {
    file: src("provider.ts"),
    guard: "endpoints are on https",
    find: 'url.protocol !== "https:" && !isLoopback(url)',
    replace: 'url.protocol === "ftp:" && !isLoopback(url)',
    test: testOf("provider-requirements"),
  },
  {
    file: src("provider.ts"),
    guard: "an SP does PKCE with S256",
    find: 'methods.includes("S256")',
    replace: "methods.length >= 0",
    test: testOf("provider-requirements"),
  },
  {
    file: src("provider.ts"),
    guard: "an SP's answers name it (RFC 9207)",
    find: 'metadata.authorization_response_iss_parameter_supported === true,\n      "auth',
    replace: 'metadata.authorization_response_iss_parameter_supported !== null,\n      "auth',
    test: testOf("provider-requirements"),
  },
  {
    file: src("provider.ts"),
    guard: "bad ID tokens are no flood to the keys of an SP",
    find: "const maxAgeMs = forceRefresh ? MIN_REFRESH_INTERVAL_MS : CACHE_LIFETIME_MS;",
    replace: "const maxAgeMs = forceRefresh ? 0 : CACHE_LIFETIME_MS;",
    test: testOf("sp-keys"),
  },
  {
    file: src("owner-proof.ts"),
    guard: "a proof that nobody asked for is not passed on",
    find: 'if (claim === undefined || wanted === null) return { outcome: "none" } as const;',
    replace:
      'if (claim === undefined || wanted === null) return { outcome: "proof", part: claim } as const;',
    test: testOf("owner-proof"),
  },
  {
    file: src("owner-proof.ts"),
    guard: "a bad proof is not passed on",
    find: "    await verifyOwnerProof(",
    replace: "    verifyOwnerProof(",
    test: testOf("owner-proof"),
  },
  {
    file: src("sp-client.ts"),
    guard: "an SP registers us for an asymmetric algorithm",
    find: "if (!read.success || !asymmetricAlgs(metadata).includes(read.data.id_token_signed_response_alg)) {",
    replace: "if (!read.success) {",
    test: testOf("sp-client"),
    title: "a shared key for ID tokens",
  },
  {
    file: src("stored-client.ts"),
    guard: "a secret that has ended is not used",
    find: "return end !== 0 && end <= now;",
    replace: "return end !== 0 && end <= 0;",
    test: testOf("sp-client"),
  },
  {
    file: src("stored-client.ts"),
    guard: "the secret of a registration is sealed",
    find: "seal.close(labelOf(row), Buffer.from(secret))",
    replace: "secret",
    test: testOf("sp-client"),
  },
  {
    file: src("sp-client.ts"),
    guard: "an SP that knows no client is not registered at with every sign-in",
    find: "if (clock.seconds() - row.madeAt < MIN_RENEWAL_INTERVAL_S) return false;",
    replace: "if (clock.seconds() < row.madeAt) return false;",
    test: testOf("sp-client"),
  },
  {
    file: src("sp-client.ts"),
    guard: "a secret goes only with the client that it is of",
    find: "return row !== null && row.clientId === client.id ? openSecret(row, seal) : null;",
    replace: "return row !== null ? openSecret(row, seal) : null;",
    test: testOf("sp-client"),
  },
];
