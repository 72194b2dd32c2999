// Faults in passkeys: what is checked of a credential, whose it is, and how often a challenge counts.

const signIn = (name) => `packages/server/src/sign-in/${name}`;
const store = (name) => `packages/server/src/store/${name}`;
const WEBAUTHN = signIn("webauthn.test.ts");
const FLOW = "packages/server/test/flows/passkeys.test.ts";
const PROOF = "packages/server/test/flows/owner-proof.test.ts";
const CONFORMANCE = "packages/server/test/conformance/store/passkeys.test.ts";

export const PASSKEY_FAULTS = [
  {
    file: signIn("credential.ts"),
    guard: "a posted credential is bounded before it is parsed",
    find: 'if (json.length > MAX_JSON_CHARS) return refused("too_large");\n  const { common, response } = readCredential(json);\n  const attestationObject',
    replace: "const { common, response } = readCredential(json);\n  const attestationObject",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "an assertion is no registration, and the reverse",
    find: 'if (type !== expected.type) return "wrong_type";',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "the challenge is that of this interaction",
    find: 'if (challenge !== expected.challenge) return "wrong_challenge";',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "the page that asked was ours",
    find: 'if (origin !== expected.origin) return "wrong_origin";',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "the page that asked was in no frame of another site",
    find: "crossOrigin !== false || topOrigin !== undefined",
    replace: "topOrigin !== undefined",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "the passkey is for our RP ID",
    find: "if (!Buffer.from(rpIdHash).equals(authenticatorData.subarray(0, 32)))",
    replace: "if (rpIdHash.length === 0)",
    test: WEBAUTHN,
  },
  {
    file: signIn("credential.ts"),
    guard: "the authenticator verified the user",
    find: 'if ((flags & 0x04) === 0) return "user_not_verified";',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("webauthn.ts"),
    guard: "no certificate reaches the library, which would request addresses in it",
    find: '(format !== "none" && format !== "packed") || hasCertificates',
    replace: 'format !== "none" && format !== "packed"',
    test: WEBAUTHN,
  },
  {
    file: signIn("webauthn.ts"),
    guard: "the passkey was made for this account's user handle",
    find: 'if (read.userHandle !== passkey.userHandle) return refused("wrong_user");',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("webauthn.ts"),
    guard: "a registration is of the credential that it names",
    find: 'if (credential.id !== read.credentialId) return refused("wrong_credential");',
    replace: "",
    test: WEBAUTHN,
  },
  {
    file: signIn("webauthn.ts"),
    guard: "a public key is a point of its curve",
    find: 'createPublicKey({ key: { ...jwk }, format: "jwk" });',
    replace: "void createPublicKey;",
    test: WEBAUTHN,
  },
  {
    file: signIn("passkey.ts"),
    guard: "a passkey signs in only to its own account",
    find: "passkey === null || passkey.accountId !== account.id",
    replace: "passkey === null",
    test: FLOW,
    title: "with a passkey of another domain",
  },
  {
    file: signIn("passkey.ts"),
    guard: "a challenge counts once",
    find: "!(await deps.interactions.takePasskeyStatement(id, statement, now))",
    replace: "now === 0",
    test: FLOW,
    title: "a second time",
  },
  {
    file: signIn("passkey.ts"),
    guard: "the record must name the account when its passkey signs in",
    find: 'look.outcome !== "own" || !namesAccount(look, found)',
    replace: 'look.outcome !== "own"',
    test: FLOW,
    title: "after a sale",
  },
  {
    file: signIn("passkey.ts"),
    guard: "the record must list the key of an owner proof",
    find: "const { proofs } = await federation.checkProofs({ owner_proof }, context);",
    replace: "const proofs = { owner_proof, context: undefined };",
    test: PROOF,
    title: "a passkey that the record does not list",
  },
  {
    file: signIn("dns-challenge.ts"),
    guard: "a known browser is not enough for an account with a passkey",
    find: "!hasPasskey &&",
    replace: "",
    test: FLOW,
    title: "a recovery code is needed too",
  },
  {
    file: signIn("domain.ts"),
    guard: "an account with a passkey is asked for it",
    find: "return (await deps.passkeys.hasPasskey(account.id))",
    replace: "return account.id === null",
    test: FLOW,
    title: "a domain with a passkey signs in with it",
  },
  {
    file: store("passkeys.ts"),
    guard: "a counter only rises",
    find: "AND (counter < ?1 OR (counter = 0 AND ?1 = 0))",
    replace: "AND ?1 = ?1",
    test: CONFORMANCE,
  },
  {
    file: store("passkeys.ts"),
    guard: "a passkey of a sleeping account is not used",
    find: "    AND account_id IN (SELECT id FROM accounts WHERE ${ACCOUNT_IS_LIVE}) RETURNING",
    replace: "    RETURNING",
    test: CONFORMANCE,
  },
  {
    file: store("interactions.ts"),
    guard: "a challenge lasts five minutes",
    find: "AND passkey_expires_at > ?3",
    replace: "AND passkey_expires_at > 0",
    test: CONFORMANCE,
  },
];
