// Generates all test vectors with new keys, grouped by file.

import type { VerificationErrorCode } from "../../src/errors.ts";
import { badAttestationVectors } from "./bad-attestations.ts";
import { badChainVectors } from "./bad-chains.ts";
import { badDataVectors } from "./bad-data.ts";
import { badOctetVectors } from "./bad-octets.ts";
import { badOwnerProofVectors } from "./bad-owner-proofs.ts";
import { badPartVectors } from "./bad-parts.ts";
import { badProviderProofVectors } from "./bad-provider-proofs.ts";
import { badRecordVectors } from "./bad-records.ts";
import { goodChainVectors } from "./good-chains.ts";
import { goodDataVectors } from "./good-data.ts";
import { type Kit, makeKit } from "./kit.ts";
import { recordSetVectors } from "./record-sets.ts";
import { recordVectors } from "./records.ts";
import { withSharing } from "./sharing.ts";
import type { Vector, VectorFile, VectorIndex, VectorKind } from "./vector.ts";

type Maker = readonly [
  file: string,
  kind: VectorKind,
  about: string,
  make: (kit: Kit) => Promise<Vector[]>,
];

const makers: readonly Maker[] = [
  [
    "good-data.json",
    "validation_data",
    "Validation data that proves what its result says.",
    goodDataVectors,
  ],
  [
    "bad-data.json",
    "validation_data",
    "Data of the wrong shape, and options that are none or another request's.",
    badDataVectors,
  ],
  [
    "bad-parts.json",
    "validation_data",
    "Parts that are missing, or good by themselves and do not belong together.",
    badPartVectors,
  ],
  [
    "bad-attestations.json",
    "validation_data",
    "Attestations that must be refused.",
    badAttestationVectors,
  ],
  [
    "bad-owner-proofs.json",
    "validation_data",
    "Owner proofs that must be refused, below good chains.",
    badOwnerProofVectors,
  ],
  [
    "bad-provider-proofs.json",
    "validation_data",
    "Provider proofs that must be refused, and what one key signed used for another purpose.",
    badProviderProofVectors,
  ],
  [
    "bad-records.json",
    "validation_data",
    "Chains about records which nobody may sign in by, or about another name.",
    badRecordVectors,
  ],
  [
    "records.json",
    "record",
    "Single records, with what they say or what is wrong with them.",
    recordVectors,
  ],
  [
    "record-sets.json",
    "record_set",
    "All TXT values at the name of a record: which of them counts.",
    recordSetVectors,
  ],
  ["good-chains.json", "chain", "Chains that prove a record set.", goodChainVectors],
  [
    "bad-chains.json",
    "chain",
    "Chains in which the wrong zone or key signed, or signed at another time.",
    badChainVectors,
  ],
  [
    "bad-octets.json",
    "chain",
    "Chains that are misshapen, cut, too long or too costly.",
    badOctetVectors,
  ],
];

const notCovered: Partial<Record<VerificationErrorCode, string>> = {
  platform_unsupported:
    "A platform without an algorithm says so: `if_unsupported` names it where that may happen.",
};

export const format = "domain-signin-test-vectors/1";

/** By the name of the file. */
export async function makeVectorFiles(): Promise<Map<string, VectorFile>> {
  const kit = await makeKit();
  const files = new Map<string, VectorFile>();
  for (const [file, kind, about, make] of makers) {
    // Converts to JSON and back, which removes undefined members.
    const vectors = JSON.parse(JSON.stringify(await make(kit))) as Vector[];
    files.set(file, withSharing({ kind, about }, vectors));
  }
  return files;
}

export function indexOf(files: ReadonlyMap<string, VectorFile>): VectorIndex {
  const listed = [...files].map(([file, { kind, about, vectors }]) => ({
    ...{ file, kind, about, vectors: vectors.length },
  }));
  return { format, files: listed, not_covered: { ...notCovered } };
}
