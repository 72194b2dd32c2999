// Every parser of the verifier under a million random inputs: its own error or a value, and at once.

import { randomInt } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { dnsTargets } from "../support/fuzz-dns.ts";
import { goodChainsOf, goodDataOf, proofTargets } from "../support/fuzz-proofs.ts";
import type { FuzzTarget } from "../support/fuzz-run.ts";
import { textTargets } from "../support/fuzz-text.ts";
import { makeSigningKey } from "../support/jose.ts";
import { makeScene } from "../support/sign-in.ts";

const leastInputs = 1_000_000;
/** `FUZZ_SEED=… npm run test:slow` does it again; keys and signatures are new each time. */
const seed = Number(process.env.FUZZ_SEED ?? randomInt(2 ** 32));

const scene = await makeScene();
const data = await goodDataOf(scene);
const chains = await goodChainsOf(scene);
const jwks = await Promise.all((["EC", "OKP", "RSA"] as const).map(makeSigningKey));
const targets: FuzzTarget[] = [
  ...dnsTargets(chains),
  ...textTargets({ data, jwks: jwks.map(({ jwk }) => jwk) }),
  ...(await proofTargets(scene, data, chains)),
];

describe(`fuzzed with seed ${seed}`, () => {
  let sum = 0;

  beforeAll(() => {
    process.stdout.write(`Fuzzing with FUZZ_SEED=${seed}\n`);
  });

  it.each(targets.map((target) => [target.title, target] as const))(
    "%s gives a value or its own error, within 50 ms",
    async (_, target) => {
      const { accepted, refused } = await target.run(seed);
      sum += accepted + refused;
      // Inputs that are all refused, or all accepted, would try little of the parser.
      expect(accepted).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
  );

  it(`in all, inputs were ${leastInputs.toLocaleString("en")} or more`, () => {
    expect(sum).toBeGreaterThanOrEqual(leastInputs);
  });
});
