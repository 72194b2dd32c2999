// Authenticator data (WebAuthn Level 3 §6.1): for which RP ID, with which user, counter and new passkey.

import { createHash } from "node:crypto";
import { readCbor } from "./cbor.ts";
import { type Refused, refused } from "./credential.ts";

// 32 octets of RP ID hash, one of flags, four of a counter.
const FLAGS_OFFSET = 32;
const COUNTER_OFFSET = 33;
const HEAD_OCTETS = 37;
// Of the credential: 16 octets of AAGUID, two of the length of its id.
const ID_LENGTH_OFFSET = 16;
const ID_OFFSET = 18;

const FLAGS = {
  userPresent: 0x01,
  userVerified: 0x04,
  backupEligible: 0x08,
  backedUp: 0x10,
  attestedCredential: 0x40,
  extensions: 0x80,
} as const;

interface AttestedCredential {
  readonly credentialId: Buffer;
  /** A COSE_Key, not yet read. */
  readonly publicKey: Buffer;
  readonly rest: Buffer;
}

interface AuthenticatorData {
  readonly outcome: "read";
  readonly counter: number;
  readonly backedUp: 0 | 1;
  /** Null in an assertion. */
  readonly attested: AttestedCredential | null;
}

/** Checks RP ID and flags (§7.1 steps 14 to 18, §7.2 steps 17 to 20) and reads the data to its last octet. */
export function readAuthenticatorData(octets: Buffer, rpId: string): AuthenticatorData | Refused {
  if (octets.length < HEAD_OCTETS) return refused("malformed");
  const rpIdHash = createHash("sha256").update(rpId).digest();
  if (!rpIdHash.equals(octets.subarray(0, FLAGS_OFFSET))) return refused("wrong_rp_id");
  const flags = octets.readUInt8(FLAGS_OFFSET);
  const has = (flag: keyof typeof FLAGS) => (flags & FLAGS[flag]) !== 0;
  if (!has("userPresent")) return refused("user_not_present");
  if (!has("userVerified")) return refused("user_not_verified");
  if (has("backedUp") && !has("backupEligible")) return refused("malformed");
  const attested = has("attestedCredential") ? readAttested(octets.subarray(HEAD_OCTETS)) : null;
  if (has("attestedCredential") && attested === null) return refused("malformed");
  const rest = attested?.rest ?? octets.subarray(HEAD_OCTETS);
  if (!(has("extensions") ? isMap(rest) : rest.length === 0)) return refused("malformed");
  const counter = octets.readUInt32BE(COUNTER_OFFSET);
  return { outcome: "read", counter, backedUp: has("backedUp") ? 1 : 0, attested };
}

function readAttested(octets: Buffer): AttestedCredential | null {
  if (octets.length < ID_OFFSET) return null;
  const keyOffset = ID_OFFSET + octets.readUInt16BE(ID_LENGTH_OFFSET);
  const key = readCbor(octets.subarray(keyOffset));
  if (key === null) return null;
  const { rest } = key;
  const publicKey = octets.subarray(keyOffset, octets.length - rest.length);
  return { credentialId: octets.subarray(ID_OFFSET, keyOffset), publicKey, rest };
}

/** Whether the octets are one map, whatever extensions it has. */
function isMap(octets: Buffer): boolean {
  const item = readCbor(octets);
  return item?.value instanceof Map && item.rest.length === 0;
}
