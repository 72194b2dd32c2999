// An OpenID Provider on loopback for `federation.mjs`, which can delay its token responses forever.

import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  sign,
} from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";

/** The subject of every ID token. */
export const SUB = "alice";

// Parsed from PEM, because Node 20 can deadlock when it exports a generated key object as a JWK.
const privateKey = createPrivateKey(
  generateKeyPairSync("ec", {
    namedCurve: "P-256",
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  }).privateKey,
);
const publicKey = createPublicKey(privateKey);

/** Signs everyone in as `SUB`. `onTokens` gets a function that sends the token response. */
export async function startSp(onTokens) {
  const codes = new Map();
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request.setEncoding("utf8")) text += chunk;
    const { pathname, searchParams } = new URL(request.url, issuer);
    const json = (value) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify(value));
    };
    switch (pathname) {
      case "/.well-known/openid-configuration":
        return json(metadataOf(issuer));
      case "/jwks":
        return json({ keys: [{ ...publicKey.export({ format: "jwk" }), kid: "k", alg: "ES256" }] });
      case "/authorize": {
        const code = randomBytes(16).toString("base64url");
        codes.set(code, searchParams);
        const answer = { code, state: searchParams.get("state"), iss: issuer };
        const location = `${searchParams.get("redirect_uri")}?${new URLSearchParams(answer)}`;
        response.writeHead(303, { location }).end();
        return;
      }
      case "/token": {
        const asked = codes.get(new URLSearchParams(text).get("code"));
        return onTokens(() => json(tokensFor(issuer, asked)));
      }
      default:
        response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const issuer = `http://localhost:${server.address().port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { issuer, close };
}

function metadataOf(issuer) {
  return {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ["code"],
    id_token_signing_alg_values_supported: ["ES256"],
    code_challenge_methods_supported: ["S256"],
    token_endpoint_auth_methods_supported: ["none"],
    authorization_response_iss_parameter_supported: true,
    client_id_metadata_document_supported: true,
  };
}

function tokensFor(issuer, asked) {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { iss: issuer, sub: SUB, aud: asked.get("client_id"), nonce: asked.get("nonce") };
  const part = (value) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const signed = `${part({ alg: "ES256", kid: "k" })}.${part({ ...claims, iat, exp: iat + 600 })}`;
  const signature = sign("sha256", Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  const id_token = `${signed}.${signature.toString("base64url")}`;
  return { access_token: "a", token_type: "Bearer", id_token };
}
