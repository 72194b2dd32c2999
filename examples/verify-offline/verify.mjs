// Verifies a token response offline: `node verify.mjs response.json request.json jwks.json`, `-` being standard input.
import { readFileSync } from "node:fs";
import { parseTrustAnchor, verifyValidationData } from "domain-signin-verify";

const read = (path) => JSON.parse(readFileSync(path === "-" ? 0 : path, "utf8"));
try {
  if (process.argv.length !== 5)
    throw new Error("usage: node verify.mjs response.json request.json jwks.json");
  const [{ validation_data, access_token }, request, jwks] = process.argv.slice(2).map(read);
  const { client_id, redirect_uri, code_verifier, trust_anchors, ...others } = request;
  const names = { clientId: client_id, redirectUri: redirect_uri, codeVerifier: code_verifier };
  const asked = { require: "attestation", ...names, ...others };
  // Only what has an effect: without an attestation no key set, without a chain no trust anchors.
  if (!/_proof$/.test(asked.require)) Object.assign(asked, { jwks, accessToken: access_token });
  if (asked.require !== "attestation") asked.trustAnchors = trust_anchors?.map(parseTrustAnchor);
  console.log(JSON.stringify(await verifyValidationData(validation_data, asked), null, 2));
} catch ({ name, code, message }) {
  process.exitCode = name === "VerificationError" ? 1 : 2;
  console.error(process.exitCode === 1 ? `not proven: ${code}: ${message}` : message);
}
