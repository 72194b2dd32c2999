// Faults in the checks of external SPs: of their metadata, their ID tokens, their claims and our registrations.

import { flow, inFile, src, testOf } from "../row-helpers.mjs";

export const FEDERATION_FAULTS = [
  ...inFile(src("federation/sp-id-token"), testOf("federation/sp-id-token"), {
    "who signed in at the SP is the account of the record": {
      find: "if (actual === null) return null;",
      replace: 'if (actual !== "") return null;',
    },
    "an SP that proves domains must name the domain": {
      find: "if (claims.domain !== domain) {",
      replace: 'if (claims.domain === "") {',
    },
    "an SP that proves domains must name the account": {
      find: "if (claims.acct === acct) return null;",
      replace: 'if (claims.acct !== "") return null;',
    },
  }),
  ...inFile(src("federation/broker"), testOf("federation/broker"), {
    "nothing is asked of this service under another spelling": {
      find: "if (misspelt) throw",
      replace: 'if (misspelt?.about === "") throw',
    },
  }),
  ...inFile(src("federation/acct-hash"), testOf("federation/acct-hash"), {
    "the account at an SP is another one for each domain": {
      find: "${sub}\\n${domain}`",
      replace: "${sub}\\n${domain.length}`",
    },
    "a salted acct names the account alone that it was made for": {
      find: "if (hash !== acct) return hash;",
      replace: "if (hash.length !== acct.length) return hash;",
    },
    "each acct to publish has a salt of its own": {
      find: "saltedAcct(account, random(SALT_OCTETS));",
      replace: "saltedAcct(account, random(SALT_OCTETS).fill(0));",
    },
    "the sign-ins of one requester cannot keep every thread busy": {
      find: "const MAX_COMPUTATIONS = 2;",
      replace: "const MAX_COMPUTATIONS = 2000;",
    },
    "an account that matched once needs no slot": {
      find: "if (matched.get(key)) return null;",
      replace: "if (matched.get(key)) await queue.enter([{ lane: 0, ...from }]);",
    },
  }),
  ...inFile(src("federation/sp-authorization"), testOf("federation/sp-authorization"), {
    "the secrets of a request are those of its interaction": {
      find: "${purpose}\\n${interactionId}\\n${salt}`",
      replace: "${purpose}\\n${salt}`",
    },
    "the secrets of a request are those of its browser": {
      find: 'createHmac("sha256", browser)',
      replace: 'createHmac("sha256", "browser")',
    },
    "each SP has a callback address of its own": {
      find: "return sha256(sp);",
      replace: "return sha256(new URL(sp).protocol);",
    },
  }),
  ...inFile(src("federation/sp-id-token"), testOf("federation/token-endpoint"), {
    "the ID token has the nonce of this sign-in": {
      find: "expectedNonce: nonce,",
      replace: `expectedNonce: JSON.parse(
      Buffer.from((await response.clone().json()).id_token.split(".")[1], "base64url").toString(),
    ).nonce,`,
      title: "an ID token is refused that says another nonce",
    },
    "the ID token is signed by a key of the SP": {
      find: `    await verifySignature(received, call, false).catch((error) => {
      if (isReported(error)) throw error;
      return verifySignature(received, call, true);
    });
`,
      replace: "    await verifySignature(received, call, false).catch(() => {});\n",
      title: "an ID token is refused that is signed",
    },
    "the ID token is for no other azp": {
      find: '  insist(azp === undefined || azp === asked.client.id, "has a different azp");\n',
      title: "an ID token is refused that says another azp",
    },
    "the ID token is not of the future": {
      find: '  insist(iat <= now + SKEW_S, "has an iat in the future");\n',
      title: "an ID token is refused that says an iat of the future",
    },
    "max_age holds at the SP too": {
      find: '  insist(isFresh, "has an auth_time that is older than max_age");\n',
      title: "where the app asked for max_age",
    },
    "an answer without auth_time is refused where max_age was asked for": {
      find: '  insist(auth_time !== undefined, "has no auth_time, although max_age was requested");\n',
      replace: "  if (auth_time === undefined) return;\n",
      title: "where the app asked for max_age",
    },
  }),
  ...inFile(src("federation/token-endpoint"), flow("federation/id-token"), {
    "the ID token is signed by an algorithm that the SP declares": {
      find: "id_token_signing_alg_values_supported: [...asked.algs],",
      replace: 'id_token_signing_alg_values_supported: ["RS256", "ES256"],',
      only: "with an algorithm that we registered not to get",
    },
  }),
  ...inFile(src("federation/broker"), flow("federation/callback"), {
    "the code goes to the token endpoint that stood when it was asked for": {
      find: "const sent = { ...code, sp, asked, secret };",
      replace: `const sent = {
        ...{ ...code, sp, secret },
        asked: {
          ...asked,
          token_endpoint: (await metadataOf(sp, signal)).token_endpoint,
        },
      };`,
      title: "the code goes to the token endpoint",
    },
  }),
  ...inFile(src("federation/provider"), testOf("federation/provider"), {
    "metadata is of the issuer that was asked": {
      find: "if (found !== issuer) throw bad(",
      replace: 'if (found === "") throw bad(',
    },
    "a failure of an SP is remembered for seconds": {
      find: "isGood ? CACHE_LIFETIME_MS : FAILURE_CACHE_LIFETIME_MS",
      replace: "isGood ? CACHE_LIFETIME_MS : 0",
    },
  }),
  ...inFile(src("federation/provider"), testOf("federation/provider-requirements"), {
    "endpoints are on the SP's own origin": {
      find: "url.origin !== origin",
      replace: "url.origin === new URL(issuer).host",
    },
    "endpoints are on https": {
      find: 'url.protocol !== "https:" && !isLoopback(url)',
      replace: 'url.protocol === "ftp:" && !isLoopback(url)',
    },
    "an SP does PKCE with S256": {
      find: 'methods.includes("S256")',
      replace: "methods.length >= 0",
    },
    "an SP's answers name it (RFC 9207)": {
      find: 'metadata.authorization_response_iss_parameter_supported === true,\n      "auth',
      replace: 'metadata.authorization_response_iss_parameter_supported !== null,\n      "auth',
    },
    "bad ID tokens are no flood to the keys of an SP": {
      find: "const maxAgeMs = forceRefresh ? MIN_REFRESH_INTERVAL_MS : CACHE_LIFETIME_MS;",
      replace: "const maxAgeMs = forceRefresh ? 0 : CACHE_LIFETIME_MS;",
      test: testOf("federation/sp-keys"),
    },
  }),
  ...inFile(src("federation/proofs"), testOf("federation/proofs"), {
    "a proof that nobody asked for is not passed on": {
      find: "if (wanted === null) return { proofs: {}, dropped: [] };",
      replace: "if (wanted === null) return { proofs: claims as never, dropped: [] };",
    },
    "a bad proof is not passed on": {
      find: "      dropped.push(`${name}: ${error.code}`);\n      return {};",
      replace: "      dropped.push(`${name}: ${error.code}`);\n      return { [name]: claim };",
    },
  }),
  ...inFile(src("federation/sp-registry"), testOf("federation/sp-client"), {
    "a secret that has ended is not used": {
      find: "return end !== 0 && end <= now;",
      replace: "return end !== 0 && end <= 0;",
    },
    "the secret of a registration is sealed": {
      find: "seal.close(labelOf(row), Buffer.from(secret))",
      replace: "secret",
    },
  }),
  ...inFile(src("federation/sp-client"), testOf("federation/sp-client"), {
    "an SP registers us for an asymmetric algorithm": {
      find: "if (!read.success || !algs.includes(read.data.id_token_signed_response_alg)) {",
      replace: "if (!read.success) {",
      title: "a shared key for ID tokens",
    },
    "an SP that knows no client is not registered at with every sign-in": {
      find: "if (clock.seconds() - row.madeAt < MIN_RENEWAL_INTERVAL_S) return false;",
      replace: "if (clock.seconds() < row.madeAt) return false;",
    },
    "a secret goes only with the client that it is of": {
      find: "return row !== null && row.clientId === client.id ? openSecret(row, seal) : null;",
      replace: "return row !== null ? openSecret(row, seal) : null;",
    },
  }),
  ...inFile(src("federation/provider"), flow("federation/provider-metadata"), {
    "metadata may redirect within its origin": {
      find: "signal: AbortSignal.timeout(TIMEOUT_MS), withinOrigin: true",
      replace: "signal: AbortSignal.timeout(TIMEOUT_MS), withinOrigin: false",
      title: "signs the owner in (status 301)",
    },
  }),
  ...inFile(src("cli/sp-trial-answers"), flow("check-sp-try-answers"), {
    "an SP that redirects with an error has not let anybody in": {
      find: "if (error !== null) {",
      replace: "if (error === undefined) {",
      title: "an error in the redirect to a page of its own",
    },
    "an error page is no page for a person": {
      find: 'if (status !== 200 || answer.error !== null) throw new SpFailure("refused_by_sp"',
      replace: 'if (answer.error !== null) throw new SpFailure("refused_by_sp"',
      title: "a page with status 400",
    },
    "an SP that is tried returns the state": {
      find: 'if (answer.get("state") !== state)',
      replace: 'if (answer.get("state") === null)',
      title: "another state",
    },
    "an SP that is tried says that it answers (RFC 9207)": {
      find: "return isRight ? null :",
      replace: "return isRight || true ? null :",
      title: "a code with the iss of another",
    },
    "an SP that does not know the client fails the trial": {
      find: "if (isUnknownClient(status, answer.error)) throw",
      replace:
        "if (isUnknownClient(status, answer.error)) return { answer, detail };\n  if (status < 200) throw",
      title: "that it does not know the client it has just registered",
    },
  }),
  ...inFile(src("federation/sp-problem"), flow("check-sp-try-answers"), {
    "what an SP says is one line": {
      find: '.replace(/[\\p{C}\\p{Z}]+/gu, " ")',
      title: "400 with an error",
    },
    "what an SP says is bounded": {
      find: "if (characters.length <= MAX_TEXT_LENGTH)",
      replace: "if (characters.length <= 100 * MAX_TEXT_LENGTH)",
      title: "400 with a long description",
    },
  }),
  ...inFile(src("cli/sp-trial"), flow("check-sp-try-answers"), {
    "an SP that sends a credential back does not get it printed": {
      find: "[...sent, ...secrets]",
      replace: "secrets",
      title: "without the secret, though the SP sends it back",
    },
    "an SP that sends a secret back does not get it printed": {
      find: "await jsonOf(response), [...sent, ...secrets]",
      replace: "await jsonOf(response), sent",
      title: "without the secret, though the SP sends it back",
    },
    "a registration access token goes to the SP alone": {
      find: "new URL(uri).origin === new URL(metadata.issuer).origin",
      replace: "new URL(uri).origin !== metadata.issuer.concat('/')",
      title: "its token goes to the SP alone",
      test: flow("check-sp-try"),
    },
  }),
  ...inFile(src("cli/check-sp-command"), flow("check-sp-try-service"), {
    "a trial leaves no registration with the redirect URI of another service": {
      find: "    await claimIssuer(store.installation, issuer);\n",
      title: "what would leave a registration that the service cannot use",
    },
  }),
];
