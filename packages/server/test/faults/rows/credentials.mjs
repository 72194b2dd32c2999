// Faults in the verification of credentials: what is checked of a registration and of an assertion.

import { inFile, src, testOf } from "../row-helpers.mjs";

export const CREDENTIAL_FAULTS = [
  ...inFile(src("passkeys/credential"), testOf("passkeys/webauthn"), {
    "a posted credential is bounded before it is parsed": {
      find: 'if (json.length > MAX_JSON_CHARS) return refused("too_large");\n  const { common, response } = readCredential(json);\n  const attestationObject',
      replace: "const { common, response } = readCredential(json);\n  const attestationObject",
    },
    "an assertion is no registration, and the reverse": {
      find: 'if (type !== expected.type) return "wrong_type";',
    },
    "the challenge is that of this interaction": {
      find: 'if (challenge !== expected.challenge) return "wrong_challenge";',
    },
    "the page that asked was ours": {
      find: 'if (origin !== expected.origin) return "wrong_origin";',
    },
    "the page that asked was in no frame of another site": {
      find: "crossOrigin !== false || topOrigin !== undefined",
      replace: "topOrigin !== undefined",
    },
    "no connection is bound to a token": {
      find: 'if (tokenBinding !== undefined && !canBind) return "malformed";',
      test: testOf("passkeys/library"),
    },
  }),
  ...inFile(src("passkeys/authenticator-data"), testOf("passkeys/webauthn"), {
    "the passkey is for our RP ID": {
      find: 'if (!rpIdHash.equals(octets.subarray(0, FLAGS_OFFSET))) return refused("wrong_rp_id");',
      replace: "void rpIdHash;",
    },
    "the user was present": {
      find: 'if (!has("userPresent")) return refused("user_not_present");',
    },
    "the authenticator verified the user": {
      find: 'if (!has("userVerified")) return refused("user_not_verified");',
    },
  }),
  ...inFile(src("passkeys/authenticator-data"), testOf("passkeys/library"), {
    "a passkey that cannot be backed up is not": {
      find: 'if (has("backedUp") && !has("backupEligible")) return refused("malformed");',
    },
    "authenticator data has what its flags announce": {
      find: 'if (has("attestedCredential") && attested === null) return refused("malformed");',
      title: "goes on, or is backed up",
    },
    "authenticator data ends after what its flags announce": {
      find: "isMap(rest) : rest.length === 0",
      replace: "isMap(rest) : true",
    },
    "extensions are a map, and the last part of authenticator data": {
      find: " && item.rest.length === 0;",
      replace: ";",
    },
    "extensions are a map": {
      find: "return item?.value instanceof Map",
      replace: "return item !== null",
    },
  }),
  ...inFile(src("passkeys/attestation"), testOf("passkeys/library"), {
    "nothing follows an attestation object": {
      find: "item?.rest.length === 0 ? item.value : null",
      replace: "item?.value",
    },
    "no attestation has no statement": {
      find: 'return statement.size === 0 ? null : "malformed";',
      replace: "return null;",
    },
    "no certificate is taken for the key of the passkey": {
      find: '!statement.has("x5c") && ',
    },
    "self attestation is by the algorithm of the key": {
      find: ' && statement.get("alg") === key.alg',
    },
  }),
  ...inFile(src("passkeys/attestation"), testOf("passkeys/webauthn"), {
    "only attestations without certificates are accepted": {
      find: 'format === "packed" && ',
      test: testOf("passkeys/library"),
    },
    "the key made the signature of its self attestation": {
      find: 'return isSignedBy(key, signed, signature) ? null : "bad_signature";',
      replace: "return null;",
    },
  }),
  ...inFile(src("passkeys/cbor"), testOf("passkeys/library"), {
    "a length is the shortest": {
      find: "return argument < smallest ? null : {",
      replace: "return argument < 0 ? null : {",
    },
    "a name is in a map once": {
      find: "return areKeys && map.size === count ?",
      replace: "return areKeys ?",
    },
    "a name in a map is a number or text": {
      find: 'typeof key === "number" || typeof key === "string"',
      replace: "key !== undefined",
    },
    "a string is as long as it says": {
      find: "if (argument > rest.length) return null;",
    },
    "text is ASCII": {
      find: "if (major === 3 && content.some((octet) => octet >= 0x80)) return null;",
    },
    "maps and lists have at most four levels": {
      find: "return depth === 0 ? null : readArray(rest, argument, depth - 1);",
      replace: "return readArray(rest, argument, depth);",
    },
  }),
  ...inFile(src("passkeys/cose-key"), testOf("passkeys/library"), {
    "an ES256 key is of its type": {
      find: "kty === 2 && alg",
      replace: "alg",
    },
    "an ES256 key is of P-256": {
      find: "alg === ALGORITHMS.ES256 && crv === 1",
      replace: "alg === ALGORITHMS.ES256",
    },
    "an EC key is not for another algorithm": {
      find: "kty === 2 && alg === ALGORITHMS.ES256 && crv === 1",
      replace: "kty === 2 && typeof alg === 'number' && crv === 1",
    },
    "an RSA key has at least 2,048 bits": {
      find: "const jwk = readPublicJwk(members);",
      replace: "const jwk = JSON.parse(JSON.stringify(members));",
      title: "RSA of 1,024 bits",
    },
  }),
  ...inFile(src("passkeys/webauthn"), testOf("passkeys/webauthn"), {
    "the passkey was made for this account's user handle": {
      find: 'if (read.userHandle !== passkey.userHandle) return refused("wrong_user");',
    },
    "an assertion is by the passkey that it names": {
      find: 'if (read.credentialId !== passkey.credentialId) return refused("wrong_credential");',
    },
    "a registration is of the credential that it names": {
      find: 'if (credentialId.toString("base64url") !== read.credentialId) return refused("wrong_credential");',
      replace: "void credentialId;",
    },
    "the key of the passkey made the signature": {
      find: 'if (!isSignedBy(key, signed, octetsOf(read.signature))) return refused("bad_signature");',
    },
    "the signature covers the client data": {
      find: "return Buffer.concat([authenticatorData, hash]);",
      replace: "return Buffer.concat([authenticatorData, hash.subarray(1)]);",
    },
    "the counter of a passkey rises": {
      find: 'if (hasCounter && counter <= passkey.counter) return refused("cloned");',
      replace: "void hasCounter;",
    },
  }),
];
