// Vectors of validation data or options that are rejected before any signature is checked.

import type { Json } from "../support/jose.ts";
import { attest, codeVerifier, issuer } from "../support/sign-in.ts";
import { now } from "../support/signer.ts";
import { asking, attested, bad, type Kit } from "./kit.ts";
import type { Vector } from "./vector.ts";

export async function badDataVectors(kit: Kit): Promise<Vector[]> {
  return [...(await shapes(kit)), ...(await optionsOfOthers(kit))];
}

async function shapes({ scene, options }: Kit): Promise<Vector[]> {
  const data = attested(await attest(scene));
  const alone = asking("attestation", options);
  const shape = (name: string, more: Json, reason: string) =>
    bad(name, { ...data, ...more }, alone, "malformed_data", reason);
  const chainless = { name: "_domain-signin.alice.test.", type: "TXT" };
  const version = "A later version may mean another thing by the same members.";
  return [
    bad("version 2", { ...data, v: 2 }, alone, "unsupported_version", version),
    bad("the version as a text", { ...data, v: "1" }, alone, "unsupported_version", version),
    shape("no attestation", { attestation: undefined }, "The attestation is always there."),
    shape("a domain in upper case", { domain: "Alice.test" }, "Names are in lower case."),
    shape("a domain with a final dot", { domain: "alice.test." }, "No dot ends a domain."),
    shape("a domain in letters beyond ASCII", { domain: "älice.test" }, "Names are A-labels."),
    shape("an IPv4 address as domain", { domain: "192.0.2.1" }, "An address is no domain."),
    shape(
      "a domain of 232 octets",
      { domain: `${"a.".repeat(114)}test` },
      "With `_domain-signin.` before it a name must still be a name: 228 octets at most.",
    ),
    shape(
      "a chain in base64 with padding",
      { dnssec: { ...chainless, chain: "AAAAAA==", not_before: now, not_after: now } },
      "Octets are base64url without padding, in one spelling; also in parts that are not required.",
    ),
    shape(
      "a chain in base64url with bits behind its last octet",
      { dnssec: { ...chainless, chain: "AB", not_before: now, not_after: now } },
      "Octets have one spelling: the spare bits of the last letter are zero.",
    ),
    shape(
      "an owner proof of unknown kind",
      { owner_proof: { kind: "password", key: {} } },
      "What a part of an unknown kind says is not known, also if it is not required.",
    ),
    bad(
      "an attestation of two parts",
      { ...data, attestation: "e30.e30" },
      alone,
      "malformed_jws",
      "A compact JWS is three parts of base64url.",
    ),
  ];
}

/** The data is valid, but the client's options are invalid or belong to another request. */
async function optionsOfOthers({ scene, options }: Kit): Promise<Vector[]> {
  const data = attested(await attest(scene));
  const { code_verifier: _, jwks: __, ...others } = options;
  const bare = asking("attestation", others);
  const full: Json = { ...bare, code_verifier: codeVerifier, jwks: scene.options.jwks };
  const otherVerifier = "another-code-verifier-of-another-browser-session";
  const request = "It was made for another sign-in, perhaps in another person's browser.";
  const at_hash = await attest(scene, { at_hash: "77QmUPtjPfzWtF2AnpK9RQ" });
  return [
    bad(
      "neither code_verifier nor nonce",
      data,
      { ...bare, jwks: full.jwks },
      "malformed_options",
      "Nothing would bind the proof to this sign-in: another browser's would do.",
    ),
    bad(
      "an unknown requirement",
      data,
      { ...full, require: "dnssec" },
      "malformed_options",
      "A chain is public: there is no proof by dnssec alone.",
    ),
    bad(
      "an option that the requirement gives no meaning",
      data,
      { ...full, allow_federation: true },
      "malformed_options",
      "Without a chain no record names a provider: the client would believe in a check.",
    ),
    bad(
      "an option that is unknown",
      data,
      { ...full, max_age: 60 },
      "malformed_options",
      "The client would believe in a check that is not made.",
    ),
    bad(
      "a required assurance that requires nothing",
      data,
      { ...full, min_assurance: "unknown" },
      "malformed_options",
      "single, corroborated or secure.",
    ),
    bad(
      "no key set, but an attestation is required",
      data,
      { ...bare, code_verifier: codeVerifier },
      "malformed_options",
      "The service's keys are known before; none is taken from the data.",
    ),
    bad(
      "a time in milliseconds",
      data,
      { ...full, now: now * 1000 },
      "malformed_time",
      "Seconds since 1970, below 2^33: all else is a mistake of the caller.",
    ),
    bad(
      "another code_verifier",
      data,
      { ...full, code_verifier: otherVerifier },
      "wrong_request",
      request,
    ),
    bad(
      "a nonce that nobody attested",
      data,
      { ...bare, jwks: full.jwks, nonce: "n-1" },
      "wrong_request",
      request,
    ),
    bad(
      "the issuer with a slash at its end",
      data,
      { ...full, issuer: `${issuer}/` },
      "wrong_issuer",
      "Issuers are compared by code point.",
    ),
    bad(
      "an access token whose hash was not attested",
      data,
      { ...full, access_token: "SlAV32hkKG" },
      "wrong_access_token",
      "A client that gives its access token wants at_hash, which is not there.",
    ),
    bad(
      "another access token",
      attested(at_hash),
      { ...full, access_token: "SlAV32hkKG" },
      "wrong_access_token",
      "at_hash is that of another access token.",
    ),
  ];
}
