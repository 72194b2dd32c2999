// Fuzz tests: each parser returns a value or throws its own error quickly, for a million random inputs.

import { describe, expect, it } from "vitest";
import { dnsTargets } from "../support/fuzz-dns.ts";
import { goodChainsOf, goodDataOf, proofTargets } from "../support/fuzz-proofs.ts";
import type { FuzzTarget } from "../support/fuzz-run.ts";
import { textTargets } from "../support/fuzz-text.ts";
import { makeSigningKey } from "../support/jose.ts";
import { SEED } from "../support/random-seed.ts";
import { makeScene } from "../support/sign-in.ts";

const leastInputs = 1_000_000;
const scene = await makeScene();
const data = await goodDataOf(scene);
const chains = await goodChainsOf(scene);
const jwks = await Promise.all((["EC", "OKP", "RSA"] as const).map(makeSigningKey));
const targets: FuzzTarget[] = [
  ...dnsTargets(chains),
  ...textTargets({ data, jwks: jwks.map(({ jwk }) => jwk), service: scene.service.jwk }),
  ...(await proofTargets(scene, data, chains)),
];

// Keys and signatures are new each time.
describe(`fuzzed with SEED=${SEED}`, () => {
  let sum = 0;

  it.each(targets.map((target) => [target.title, target] as const))(
    "%s gives a value or its own error, within 50 ms",
    async (_, target) => {
      const { accepted, refused } = await target.run(SEED);
      sum += accepted + refused;
      // If all inputs were rejected, or all accepted, much of the parser would be untested.
      expect(accepted).toBeGreaterThan(0);
      expect(refused).toBeGreaterThan(0);
    },
  );

  it(`in all, inputs were ${leastInputs.toLocaleString("en")} or more`, () => {
    expect(sum).toBeGreaterThanOrEqual(leastInputs);
  });
});
