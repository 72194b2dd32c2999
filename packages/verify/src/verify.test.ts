// Tests of complete validation data, and of parts that do not match.

import { describe, expect, it } from "vitest";
import { makeSigningKey } from "../test/support/jose.ts";
import {
  acct,
  attest,
  cch,
  chainOf,
  codeVerifier,
  dnssecPart,
  domain,
  goodClaims,
  goodData,
  goodRecord,
  goodStatement,
  issuer,
  jwsProof,
  makeScene,
  optionsFor,
  providerProof,
  recordOf,
  refusalOf,
  type Scene,
  sp,
  webauthnProof,
} from "../test/support/sign-in.ts";
import {
  expiration,
  inception,
  join,
  makeZone,
  now,
  signedSet,
  txt,
  type,
  upwards,
  wireName,
} from "../test/support/signer.ts";
import type { VerificationOptions } from "./expectations.ts";
import { verifyValidationData } from "./verify.ts";

const scene = await makeScene();

function provenRecord({ owner, provider, standby }: Scene) {
  const keys = { jkt: [owner.jkt], spk: [provider.jkt, standby.jkt] };
  return { sp, acct, ...keys, notBefore: inception, notAfter: expiration };
}

/** What only the service says. */
const facts = {
  ...{ sub: "acc_1", assurance: "secure", authTime: now - 5, amr: ["hwk", "user"] },
  ...{ method: "passkey", jti: "j1", domainSince: now - 9000 },
};

const otherVerifier = "another-code-verifier-of-another-browser-session";

describe("validation data", () => {
  it("proves the domain and the account by attestation, with no other part there", async () => {
    const { v, attestation } = await goodData(scene);
    const data = { v, domain, attestation };
    expect(await verifyValidationData(data, optionsFor(scene, "attestation"))).toEqual({
      ...{ domain, how: "attestation", sp, acct, ...facts, until: now + 600 },
    });
  });

  it("proves the domain by its provider's key without any key set of the service", async () => {
    const data = await goodData(scene, { attestation: "nobody looks at it" });
    expect(await verifyValidationData(data, optionsFor(scene, "provider_proof"))).toEqual({
      ...{ domain, how: "provider_proof", sp, acct, spk: scene.provider.jkt, until: now + 3540 },
      record: provenRecord(scene),
    });
  });

  it("proves the domain by its owner's key without any key of the service", async () => {
    const data = await goodData(scene, { attestation: "nobody looks at it" });
    expect(await verifyValidationData(data, optionsFor(scene, "owner_proof"))).toEqual({
      ...{ domain, how: "owner_proof", sp, acct, jkt: scene.owner.jkt, until: now + 3540 },
      record: provenRecord(scene),
    });
  });

  it("proves by attestation and chain what the service and the zone both say", async () => {
    const options = optionsFor(scene, "attestation_and_dnssec");
    expect(await verifyValidationData(await goodData(scene), options)).toEqual({
      ...{ domain, how: "attestation_and_dnssec", sp, acct, ...facts, until: now + 600 },
      record: provenRecord(scene),
    });
  });

  it("proves both, until the first of the proofs ends", async () => {
    expect(await verifyValidationData(await goodData(scene), scene.options)).toEqual({
      ...{ domain, how: "both", sp, acct, ...facts, jkt: scene.owner.jkt, until: now + 600 },
      record: provenRecord(scene),
    });
  });

  it("proves nothing for longer than the zone signed it", async () => {
    const late = expiration - 10;
    const times = { iat: late, exp: late + 600 };
    const attestation = await attest(scene, times);
    const data = await goodData(scene, {
      ...{ attestation, owner_proof: await jwsProof(scene, times) },
    });
    const proven = await verifyValidationData(data, { ...scene.options, now: late });
    expect(proven.until).toBe(expiration);
  });

  it.each(["attestation_and_dnssec", "provider_proof", "owner_proof"] as const)(
    "proves no longer than the zone signed it: %s",
    async (require) => {
      const late = expiration - 10;
      const times = { iat: late, exp: late + 600 };
      const data = await goodData(scene, {
        attestation: await attest(scene, times),
        provider_proof: await providerProof(scene, times),
        owner_proof: await jwsProof(scene, times),
      });
      const options = { ...optionsFor(scene, require), now: late };
      expect(await verifyValidationData(data, options)).toMatchObject({ until: expiration });
    },
  );

  it("is refused, by name, without the part that is required", async () => {
    for (const [require, part] of [
      ["attestation_and_dnssec", "dnssec"],
      ["provider_proof", "dnssec"],
      ["provider_proof", "provider_proof"],
      ["owner_proof", "dnssec"],
      ["owner_proof", "owner_proof"],
      ["both", "owner_proof"],
    ] as const) {
      const data = await goodData(scene, { [part]: undefined });
      await expect(verifyValidationData(data, optionsFor(scene, require))).rejects.toMatchObject({
        code: "missing_part",
        message: `${part} is required but missing`,
      });
    }
  });

  it("may be of another service provider than the issuer only if the app allows federation", async () => {
    const other = "https://sp.example.org";
    const record = recordOf(scene).replace(sp, other);
    const data = await goodData(scene, {
      attestation: await attest(scene, { sp: other }),
      dnssec: dnssecPart(await chainOf(scene, record)),
    });
    const options = optionsFor(scene, "attestation_and_dnssec");
    for (const allowFederation of [undefined, false]) {
      const verified = verifyValidationData(data, { ...options, allowFederation });
      await expect(verified).rejects.toMatchObject({ code: "wrong_service_provider" });
    }
    const proven = await verifyValidationData(data, { ...options, allowFederation: true });
    expect([proven.sp, proven.sub]).toEqual([other, "acc_1"]);
  });

  it("is bound by its nonce where there was no PKCE", async () => {
    const { codeVerifier: _, ...rest } = scene.options;
    const attestation = await attest(scene, { cch: undefined, nonce: "n-1" });
    const owner_proof = await webauthnProof(scene, { statement: { cch: undefined, nonce: "n-1" } });
    const data = await goodData(scene, { attestation, owner_proof });
    expect(await verifyValidationData(data, { ...rest, nonce: "n-1" })).toMatchObject({ domain });
    await expect(verifyValidationData(data, { ...rest, nonce: "n-2" })).rejects.toMatchObject({
      code: "wrong_request",
    });
  });

  it("may name members that this version does not know", async () => {
    expect(await refusalOf(scene, { later: { x: 1 } })).toBe("good");
  });
});

describe("the shape of the data", () => {
  it.each(["Alice.test", "alice.test.", "test", "192.0.2.1", "alice..test", "älice.test", ""])(
    "%j is no domain",
    async (name) => {
      expect(await refusalOf(scene, { domain: name })).toBe("malformed_data");
    },
  );

  it.each([2, "1", null])("version %j is refused", async (v) => {
    expect(await refusalOf(scene, { v })).toBe("unsupported_version");
  });

  it("is checked in parts that nobody asked for, too", async () => {
    const options = { require: "attestation" } as const;
    const dnssec = { ...dnssecPart(await chainOf(scene)), type: "A" };
    expect(await refusalOf(scene, { dnssec }, options)).toBe("malformed_data");
    const owner_proof = { kind: "password", key: {} };
    expect(await refusalOf(scene, { owner_proof }, options)).toBe("malformed_data");
  });
});

describe("what a client must say", () => {
  const bad: [string, object, string][] = [
    ["neither codeVerifier nor nonce", { codeVerifier: undefined }, "malformed_options"],
    ["an empty codeVerifier", { codeVerifier: "" }, "malformed_options"],
    ["the code_challenge of another verifier", { codeVerifier: otherVerifier }, "wrong_request"],
    ["an empty nonce", { codeVerifier: undefined, nonce: "" }, "malformed_options"],
    ["a nonce that nobody attested", { codeVerifier: undefined, nonce: cch }, "wrong_request"],
    ["no clientId", { clientId: undefined }, "malformed_options"],
    ["no jwks", { jwks: undefined }, "malformed_options"],
    ["an unknown level", { require: "any" }, "malformed_options"],
    ["milliseconds", { now: now * 1000 }, "malformed_time"],
    ["no number as time", { now: Number.NaN }, "malformed_time"],
    ["another issuer", { issuer: "https://evil.example.com" }, "wrong_issuer"],
    ["the issuer with a slash", { issuer: `${issuer}/` }, "wrong_issuer"],
    ["another client", { clientId: "https://evil.example.net" }, "wrong_audience"],
    ["another redirect_uri", { redirectUri: "https://app.example.net/" }, "wrong_redirect_uri"],
  ];
  it.each(bad)("%s is refused", async (_, options, code) => {
    expect(await refusalOf(scene, {}, options as Partial<VerificationOptions>)).toBe(code);
  });

  it("a nonce besides the code verifier is compared wherever it was attested", async () => {
    const attestation = await attest(scene, { nonce: "n-1" });
    expect(await refusalOf(scene, { attestation }, { codeVerifier, nonce: "n-1" })).toBe("good");
    expect(await refusalOf(scene, { attestation }, { codeVerifier, nonce: "n-2" })).toBe(
      "wrong_request",
    );
  });

  it("an age of signatures, if the zone's validity is too long for the client", async () => {
    const age = now - inception;
    expect(await refusalOf(scene, {}, { maxSignatureAge: age })).toBe("good");
    expect(await refusalOf(scene, {}, { maxSignatureAge: age - 1 })).toBe("signature_too_old");
  });
});

describe("parts that do not belong together", () => {
  it.each(["dnssec", "owner_proof"])("%s cannot be left out if it is required", async (part) => {
    expect(await refusalOf(scene, { [part]: undefined })).toBe("missing_part");
    expect(await refusalOf(scene, { [part]: undefined }, { require: "attestation" })).toBe("good");
  });

  it("parts of two sign-ins are refused, whichever is the other's", async () => {
    const other = { cch: "x".repeat(43) };
    const attestation = await attest(scene, other);
    const owner_proof = await webauthnProof(scene, { statement: other });
    expect(await refusalOf(scene, { attestation })).toBe("wrong_request");
    expect(await refusalOf(scene, { owner_proof })).toBe("wrong_request");
    expect(await refusalOf(scene, { attestation, owner_proof })).toBe("wrong_request");
  });

  it.each(["attestation_and_dnssec", "both"] as const)(
    "the attestation names the account and the SP of the record (%s)",
    async (require) => {
      const otherAcct = await attest(scene, { acct: "x".repeat(22) });
      const otherSp = await attest(scene, { sp: "https://sp.example.org" });
      const refused = (attestation: string) => refusalOf(scene, { attestation }, { require });
      expect(await refused(otherAcct)).toBe("wrong_account");
      expect(await refused(otherSp)).toBe("wrong_service_provider");
    },
  );

  it("attestation and chain do without an owner proof, and neither without the other", async () => {
    const options = { require: "attestation_and_dnssec" } as const;
    expect(await refusalOf(scene, { owner_proof: undefined }, options)).toBe("good");
    expect(await refusalOf(scene, { dnssec: undefined }, options)).toBe("missing_part");
    const attestation = await attest(scene, { cch: "x".repeat(43) });
    expect(await refusalOf(scene, { attestation }, options)).toBe("wrong_request");
    const chain = (await chainOf(scene)).slice(0, -1);
    expect(await refusalOf(scene, { dnssec: dnssecPart(chain) }, options)).toBe("malformed_chain");
  });
});

describe("the domain", () => {
  const evil = "evilalice.test";

  it("that the data names is the one that is attested and stated", async () => {
    expect(await refusalOf(scene, { domain: evil })).toBe("wrong_domain");
    const attestation = await attest(scene, { domain: evil });
    expect(await refusalOf(scene, { attestation })).toBe("wrong_domain");
    const owner_proof = await webauthnProof(scene, { statement: { domain: evil } });
    expect(await refusalOf(scene, { owner_proof })).toBe("wrong_domain");
  });

  it("is not proven by a chain about another name, whatever the part calls itself", async () => {
    const attestation = await attest(scene, { domain: evil });
    const owner_proof = await webauthnProof(scene, { statement: { domain: evil } });
    const dnssec = dnssecPart(await chainOf(scene));
    const data = { domain: evil, attestation, owner_proof };
    expect(await refusalOf(scene, { ...data, dnssec })).toBe("wrong_domain");
    const renamed = { ...dnssec, name: `_domain-signin.${evil}.` };
    expect(await refusalOf(scene, { ...data, dnssec: renamed })).toBe("no_answer");
  });

  it("evilalice.test is not signed for by alice.test", async () => {
    const { world } = scene;
    const name = `_domain-signin.${evil}`;
    const set = { name, type: type.TXT, rdatas: [txt(recordOf(scene))] };
    const chain = join(await signedSet(world.alice, set), ...world.up);
    const attestation = await attest(scene, { domain: evil });
    const owner_proof = await webauthnProof(scene, { statement: { domain: evil } });
    const dnssec = { ...dnssecPart(chain), name: `${name}.` };
    const data = { domain: evil, attestation, owner_proof, dnssec };
    expect(await refusalOf(scene, data)).toBe("foreign_signer");
  });
});

describe("the record", () => {
  const proven = async (...records: string[]) =>
    refusalOf(scene, { dnssec: dnssecPart(await chainOf(scene, ...records)) });

  it("is read out of the verified set alone, and is exactly one", async () => {
    const good = recordOf(scene);
    expect(await proven("v=spf1 -all", good)).toBe("good");
    expect(await proven("v=spf1 -all")).toBe("no_record");
    expect(await proven("v=dsi1 sp=none")).toBe("disabled");
    expect(await proven(good, "v=dsi1 sp=none")).toBe("ambiguous_record");
    expect(await proven(`v=dsi1 sp=${sp}`)).toBe("invalid_record");
    expect(await proven(good.replace("dsi1", "dsi2"))).toBe("unsupported_record");
  });

  it("is not the one that the attestation quotes", async () => {
    const other = await makeSigningKey();
    const record = goodRecord({ jkt: other.jkt });
    const attestation = await attest(scene, { dns: { ...Object(goodClaims().dns), record } });
    const owner_proof = await webauthnProof(scene, { key: other });
    expect(await refusalOf(scene, { attestation, owner_proof })).toBe("key_not_in_record");
  });

  it("cannot be changed behind its signature", async () => {
    const chain = await chainOf(scene);
    const at = Buffer.from(chain).indexOf("acct=") + 5;
    chain[at] = "x".charCodeAt(0);
    expect(await refusalOf(scene, { dnssec: dnssecPart(chain) })).toBe("bad_signature");
  });

  it("lies behind an alias only if the last name still says what it is for", async () => {
    const { world } = scene;
    const host = await makeZone("host.test", 13);
    const [hostKeys, hostDs] = await upwards(host, world.tld);
    const chainTo = async (target: string) => {
      const alias = { ...world.answer, type: type.CNAME, rdatas: [wireName(target)] };
      const rdatas = [txt(recordOf(scene))];
      const answer = { name: target, type: type.TXT, rdatas };
      const parts = [await signedSet(world.alice, alias), await signedSet(host, answer)];
      const up = hostKeys && hostDs ? [hostKeys, hostDs] : [];
      return dnssecPart(join(...parts, ...up, ...world.up));
    };
    const keeps = await chainTo("alice._domain-signin.host.test");
    expect(await refusalOf(scene, { dnssec: keeps })).toBe("good");
    const loses = await chainTo("x_domain-signin.host.test");
    expect(await refusalOf(scene, { dnssec: loses })).toBe("foreign_alias");
  });

  it("may name an issuer on loopback only to a client whose service is there too", async () => {
    const local = "http://localhost:8080";
    const record = `v=dsi1 sp=${local} acct=${acct} jkt=${scene.owner.jkt}`;
    const dnssec = dnssecPart(await chainOf(scene, record));
    const statement = { ...goodStatement(), sp: local, svc: local };
    const lies = { statement, clientData: { origin: local }, rpId: "localhost" };
    const owner_proof = await webauthnProof(scene, lies);
    const attestation = await attest(scene, { iss: local, sp: local });
    const data = { dnssec, owner_proof, attestation };
    expect(await refusalOf(scene, data, { issuer: local })).toBe("good");
    expect(await refusalOf(scene, { dnssec })).toBe("invalid_record");
  });
});
