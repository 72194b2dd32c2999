// Tests of the options: which each requirement honours, and that no other passes for a check.

import { describe, expect, expectTypeOf, it } from "vitest";
import { clientId, codeVerifier, issuer, makeScene, redirectUri } from "../test/support/sign-in.ts";
import { now } from "../test/support/signer.ts";
import { VerificationError } from "./errors.ts";
import { type RequiredProof, readExpectations, type VerificationOptions } from "./expectations.ts";

const OPTIONAL = {
  jwks: { keys: [] },
  accessToken: "dsa_x",
  minAssurance: "single",
  allowFederation: true,
  trustAnchors: (await makeScene()).world.request.trustAnchors ?? [],
  maxSignatureAge: 60,
};
type Name = keyof typeof OPTIONAL;

const attested: Name[] = ["jwks", "accessToken", "minAssurance"];
const chained: Name[] = ["trustAnchors", "maxSignatureAge"];
const HONOURED: [RequiredProof, Name[]][] = [
  ["attestation", attested],
  ["attestation_and_dnssec", [...attested, ...chained, "allowFederation"]],
  ["provider_proof", chained],
  ["owner_proof", chained],
  ["both", [...attested, ...chained]],
];

const common = { clientId, redirectUri, issuer, codeVerifier, now };

async function read(options: object): Promise<string> {
  try {
    await readExpectations(options as VerificationOptions);
    return "good";
  } catch (error) {
    if (!(error instanceof VerificationError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

describe.each(HONOURED)("%s", (require, honoured) => {
  const needed = honoured.includes("jwks") ? { jwks: OPTIONAL.jwks } : {};
  const options = { ...common, ...needed, require };

  it("honours these options, and refuses the others by name", async () => {
    expect(await read({ ...options, nonce: "n" })).toBe("good");
    for (const name of Object.keys(OPTIONAL) as Name[]) {
      const outcome = await read({ ...options, [name]: OPTIONAL[name] });
      const refusal = `malformed_options: the option ${name} is unknown, or has no effect with ${require}`;
      expect([name, outcome]).toEqual([name, honoured.includes(name) ? "good" : refusal]);
    }
  });

  it("takes what is undefined for absent, and nothing for known that is not", async () => {
    const absent = Object.fromEntries(Object.keys(OPTIONAL).map((name) => [name, undefined]));
    expect(await read({ ...absent, ...options })).toBe("good");
    for (const name of ["maxAge", "requires", "toString", "constructor", "__proto__x"]) {
      const refusal = `malformed_options: the option ${name} is unknown, or has no effect with ${require}`;
      expect(await read({ ...options, [name]: 1 })).toBe(refusal);
    }
  });
});

it("takes no option that is inherited", async () => {
  const options = { ...common, jwks: OPTIONAL.jwks, require: "attestation_and_dnssec" };
  const inheriting = Object.assign(Object.create({ allowFederation: true }), options);
  expect((await readExpectations(inheriting)).allowFederation).toBe(false);
  expect(await read(Object.create(options))).toMatch(/^malformed_options: require must be one of/);
});

it("requires a code verifier of 43 to 128 characters, and a time in seconds", async () => {
  const options = { ...common, jwks: OPTIONAL.jwks, require: "attestation" };
  for (const [length, isGood] of [
    [42, false],
    [43, true],
    [128, true],
    [129, false],
  ] as const) {
    const outcome = await read({ ...options, codeVerifier: "v".repeat(length) });
    expect([length, outcome === "good"]).toEqual([length, isGood]);
  }
  const at = async (time: number) =>
    (await readExpectations({ ...options, now: time } as never)).now;
  expect(await at(0)).toBe(0);
  expect(await at(2 ** 33 - 0.5)).toBe(2 ** 33 - 1);
  await expect(at(2 ** 33)).rejects.toMatchObject({ code: "malformed_time" });
  await expect(at(-1)).rejects.toMatchObject({ code: "malformed_time" });
});

it("requires a key set only with an attestation", async () => {
  for (const [require, honoured] of HONOURED) {
    const outcome = await read({ ...common, require });
    const isNeeded = honoured.includes("jwks");
    expect(outcome).toMatch(isNeeded ? /^malformed_options: jwks must be a JWK Set/ : /^good$/);
  }
});

it("names what is wrong with an assurance, or with the leave to federate", async () => {
  const options = { ...common, jwks: OPTIONAL.jwks, require: "attestation_and_dnssec" };
  for (const minAssurance of ["single", "corroborated", "secure"]) {
    expect(await read({ ...options, minAssurance })).toBe("good");
  }
  for (const minAssurance of ["unknown", "SECURE", "", null, 1, ["secure"]]) {
    expect(await read({ ...options, minAssurance })).toBe(
      "malformed_options: minAssurance must be one of single, corroborated, secure",
    );
  }
  for (const allowFederation of [null, 1, "true", {}]) {
    expect(await read({ ...options, allowFederation })).toBe(
      "malformed_options: allowFederation must be true or false",
    );
  }
});

it("gives defaults for what is absent", async () => {
  const options = { ...common, jwks: { keys: [{ kid: "a" }, 5, null] }, require: "both" } as const;
  expect(await readExpectations(options as unknown as VerificationOptions)).toEqual({
    clientId,
    redirectUri,
    issuer,
    cch: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM",
    nonce: undefined,
    accessToken: undefined,
    require: "both",
    keys: [{ kid: "a" }],
    minAssurance: undefined,
    allowFederation: false,
    now,
    trustAnchors: undefined,
    maxSignatureAge: undefined,
  });
});

it("types of options can be taken apart and put together", () => {
  type Own = Omit<VerificationOptions, "require" | "now">;
  const own: Own = { clientId, redirectUri, issuer, codeVerifier, jwks: { keys: [] } };
  const whole: VerificationOptions = { ...own, require: "attestation" };
  expectTypeOf(whole).toEqualTypeOf<VerificationOptions>();
  expectTypeOf<Own["clientId"]>().toEqualTypeOf<string>();
  expectTypeOf<Own>().not.toHaveProperty("require");
});
