// Verifies a token response offline: `node verify.mjs response.json request.json jwks.json`, `-` being standard input.
import { readFileSync } from "node:fs";
import { parseTrustAnchor, verifyValidationData } from "domain-signin-verify";

const read = (path) => JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8"));
try {
  const usage = "usage: node verify.mjs response.json request.json jwks.json";
  if (process.argv.length !== 5) throw new Error(usage);
  const [response, request, jwks] = process.argv.slice(2).map(read);
  const { client_id, redirect_uri, code_verifier, trust_anchors, ...same } = request;
  const proven = await verifyValidationData(response.validation_data, {
    ...{ require: "attestation", ...same, jwks, accessToken: response.access_token },
    ...{ clientId: client_id, redirectUri: redirect_uri, codeVerifier: code_verifier },
    trustAnchors: trust_anchors?.map(parseTrustAnchor),
  });
  console.log(JSON.stringify(proven, null, 2));
} catch ({ name, code, message }) {
  process.exitCode = name === "VerificationError" ? 1 : 2;
  console.error(process.exitCode === 1 ? `not proven: ${code}: ${message}` : message);
}
