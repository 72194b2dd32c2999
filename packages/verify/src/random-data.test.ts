// Tests of random and randomly changed validation data: only VerificationError is thrown.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { base64url, compactJws, type Json } from "../test/support/jose.ts";
import { tries } from "../test/support/random-seed.ts";
import {
  chainOf,
  dnssecPart,
  goodData,
  jwsProof,
  makeScene,
  optionsFor,
} from "../test/support/sign-in.ts";
import { freeBits } from "../test/support/signer.ts";
import { outcomeOf } from "../test/support/world.ts";
import type { VerificationOptions } from "./expectations.ts";
import { verifyValidationData } from "./verify.ts";

const scene = await makeScene();
const chain = await chainOf(scene);
const withPasskey = await goodData(scene, { dnssec: dnssecPart(chain) });
const withJws = { ...withPasskey, owner_proof: await jwsProof(scene) };

const outcome = (data: unknown, options: VerificationOptions = scene.options) =>
  outcomeOf(verifyValidationData(data, options));

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+ ";

/** The data with the text at `path` replaced. */
function replaced(data: Json, [member = "", ...path]: readonly string[], text: string): Json {
  const inner = path.length === 0 ? text : replaced(data[member] as Json, path, text);
  return { ...data, [member]: inner };
}

function textAt(data: Json, path: readonly string[]): string {
  return String(path.reduce<unknown>((value, member) => (value as Json)[member], data));
}

const signedTexts: [string, "passkey" | "jws", string[]][] = [
  ["the attestation", "passkey", ["attestation"]],
  ["the chain", "passkey", ["dnssec", "chain"]],
  ["the statement", "passkey", ["owner_proof", "statement"]],
  ["the authenticator data", "passkey", ["owner_proof", "authenticator_data"]],
  ["the client data", "passkey", ["owner_proof", "client_data_json"]],
  ["the signature", "passkey", ["owner_proof", "signature"]],
  ["the key's x", "passkey", ["owner_proof", "key", "x"]],
  ["the key's y", "passkey", ["owner_proof", "key", "y"]],
  ["the owner's JWS", "jws", ["owner_proof", "jws"]],
];

describe("any single changed character is refused", () => {
  it.each(signedTexts)("in %s", async (_, kind, path) => {
    const data = kind === "jws" ? withJws : withPasskey;
    expect(await outcome(data)).toBe("good");
    const text = textAt(data, path);
    const change = fc.tuple(fc.nat(text.length - 1), fc.constantFrom(...letters));
    await fc.assert(
      fc.asyncProperty(change, async ([at, letter]) => {
        const changed = text.slice(0, at) + letter + text.slice(at + 1);
        fc.pre(changed !== text && !isFree(path, changed));
        expect(await outcome(replaced(data, path, changed))).not.toBe("good");
      }),
      { numRuns: tries({ sample: 20, full: 150 }) },
    );
  });

  it.each(signedTexts)("in the length of %s", async (_, kind, path) => {
    const data = kind === "jws" ? withJws : withPasskey;
    const text = textAt(data, path);
    for (const changed of [text.slice(1), text.slice(0, -1), `${text}A`, `${text}=`, `A${text}`]) {
      expect(await outcome(replaced(data, path, changed))).not.toBe("good");
    }
  });
});

/** TTLs and the case of letters in a chain may change: signatures do not cover them. */
function isFree(path: readonly string[], text: string): boolean {
  if (path.at(-1) !== "chain") return false;
  const octets = Buffer.from(text, "base64url");
  const free = freeBits(chain);
  return (
    base64url(octets) === text &&
    octets.length === chain.length &&
    octets.every((octet, index) => ((octet ^ (chain[index] ?? 0)) & ~(free[index] ?? 0)) === 0)
  );
}

describe("whatever the data is, nothing comes out but the one error", () => {
  it("for any JSON", async () => {
    const require = fc.constantFrom("attestation", "provider_proof", "owner_proof", "both");
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), require, async (data, level) => {
        const options = optionsFor(scene, level);
        expect(await outcome(data, options)).toMatch(/^(?:malformed_data|unsupported_version)$/);
      }),
      { numRuns: tries({ sample: 500, full: 2000 }) },
    );
  });

  it("for good data with any JSON in the place of a member, at any depth", async () => {
    const places = [...pathsOf(withPasskey), ...pathsOf(withJws)];
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...places), fc.jsonValue(), async (path, value) => {
        for (const data of [withPasskey, withJws]) {
          const copy = structuredClone(data);
          const last = path.at(-1) ?? "";
          const holder = path.slice(0, -1).reduce<Json>((at, name) => Object(at[name]), copy);
          holder[last] = value;
          expect(await outcome(copy)).toMatch(/^[a-z_]+$/);
        }
      }),
      { numRuns: tries({ sample: 150, full: 1000 }) },
    );
  });

  it("for a signed header, claims and statements of any JSON", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (header, payload) => {
        const good = { typ: "domain-attestation+jwt", alg: "ES256", kid: "k1" };
        const any = await compactJws(scene.service, header as Json, payload);
        const signed = await compactJws(scene.service, good, payload);
        const typ = "domain-owner-statement+jwt";
        const jws = await compactJws(scene.owner, { typ, alg: "ES256" }, payload);
        expect(await outcome({ ...withJws, attestation: any })).not.toBe("good");
        expect(await outcome({ ...withJws, attestation: signed })).not.toBe("good");
        const owner_proof = { ...Object(withJws.owner_proof), jws };
        expect(await outcome({ ...withJws, owner_proof })).not.toBe("good");
      }),
      { numRuns: tries({ sample: 60, full: 300 }) },
    );
  });

  it("for texts that are longer than they may be", async () => {
    const long = "A".repeat(1_000_000);
    for (const [, kind, path] of signedTexts) {
      const data = kind === "jws" ? withJws : withPasskey;
      const isKey = path.includes("key");
      const code = isKey ? "unsuitable_key" : "malformed_data";
      expect(await outcome(replaced(data, path, long))).toBe(code);
    }
    expect(await outcome({ ...withJws, domain: `${"a.".repeat(200)}test` })).toBe("malformed_data");
  });
});

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== "object" || value === null) return [path];
  const inner = Object.entries(value).flatMap(([name, one]) => pathsOf(one, [...path, name]));
  return path.length === 0 ? inner : [path, ...inner];
}
