// Verifies a token response offline: `node verify.mjs response.json request.json jwks.json`, `-` being standard input.

import { readFileSync } from "node:fs";
import { parseTrustAnchor, VerificationError, verifyValidationData } from "domain-signin-verify";

const read = (path) => JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8"));
const [response, request, jwks] = process.argv.slice(2, 5).map(read);
try {
  const proven = await verifyValidationData(response.validation_data, {
    clientId: request.client_id,
    redirectUri: request.redirect_uri,
    codeVerifier: request.code_verifier,
    nonce: request.nonce,
    issuer: request.issuer,
    accessToken: response.access_token,
    jwks,
    require: request.require ?? "attestation",
    // For vectors and demos: another time than now, another root than that of the Internet.
    now: request.now,
    trustAnchors: request.trust_anchors?.map(parseTrustAnchor),
  });
  console.log(JSON.stringify(proven, null, 2));
} catch (error) {
  if (!(error instanceof VerificationError)) throw error;
  console.error(`not proven: ${error.code}: ${error.message}`);
  process.exitCode = 1;
}
