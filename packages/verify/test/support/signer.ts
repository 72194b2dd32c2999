// A small signer of zones and chains that shares no code with the verifier.

const subtle = globalThis.crypto.subtle;

export type Octets = Uint8Array<ArrayBuffer>;

export const type = { NS: 2, CNAME: 5, TXT: 16, DNAME: 39, DS: 43, RRSIG: 46, DNSKEY: 48 } as const;

export interface Key {
  readonly algorithm: number;
  readonly rdata: Octets;
  readonly tag: number;
  readonly sign: (data: Octets) => Promise<Octets>;
}

/** Names keep their case; sets are signed in lower case. */
export interface Zone {
  readonly name: string;
  readonly ksk: Key;
  readonly zsk: Key;
  readonly keys: readonly Octets[];
}

export interface SetToSign {
  readonly name: string;
  readonly type: number;
  readonly rdatas: readonly Octets[];
}

/** Fields of a signature, to make false ones. */
export interface SignatureOptions {
  readonly key?: Key;
  readonly signer?: string;
  readonly labels?: number;
  readonly ttl?: number;
  readonly originalTtl?: number;
  readonly inception?: number;
  readonly expiration?: number;
  readonly algorithm?: number;
  readonly keyTag?: number;
  /** The owner that the signature covers, if different. */
  readonly signedName?: string;
}

/** The middle of the default validity period of signatures. */
export const now = 1_900_000_000;
export const inception = now - 86_400;
export const expiration = now + 7 * 86_400;

interface Generated {
  readonly algorithm:
    | ReturnType<typeof rsa>
    | { name: string; namedCurve: string }
    | { name: string };
}
/** Derived from the platform, because tests without DOM types use this too. */
type SigningKey = Parameters<typeof subtle.sign>[1];
type Pair = { readonly publicKey: SigningKey; readonly privateKey: SigningKey };

const rsa = (hash: string, modulusLength: number) => ({
  name: "RSASSA-PKCS1-v1_5",
  hash,
  modulusLength,
  publicExponent: octets(1, 0, 1),
});

function generated(algorithm: number, rsaBits: number): Generated & { hash?: string } {
  switch (algorithm) {
    case 8:
      return { algorithm: rsa("SHA-256", rsaBits) };
    case 10:
      return { algorithm: rsa("SHA-512", rsaBits) };
    case 13:
      return { algorithm: { name: "ECDSA", namedCurve: "P-256" }, hash: "SHA-256" };
    case 14:
      return { algorithm: { name: "ECDSA", namedCurve: "P-384" }, hash: "SHA-384" };
    case 15:
      return { algorithm: { name: "Ed25519" } };
    case 16:
      return { algorithm: { name: "Ed448" } };
    default:
      throw new Error(`the test signer has no algorithm ${algorithm}`);
  }
}

export async function makeKey(
  algorithm: number,
  { flags = 257, protocol = 3, rsaBits = 1024 } = {},
): Promise<Key> {
  const { algorithm: how, hash } = generated(algorithm, rsaBits);
  const pair = (await subtle.generateKey(how, true, ["sign", "verify"])) as Pair;
  const publicKey = await publicOctets(pair.publicKey);
  const rdata = join(uint16(flags), octets(protocol, algorithm), publicKey);
  const params = { name: how.name, ...(hash && { hash }) };
  const sign = async (data: Octets) =>
    new Uint8Array(await subtle.sign(params, pair.privateKey, data));
  return { algorithm, rdata, tag: tagOf(rdata), sign };
}

async function publicOctets(key: SigningKey): Promise<Octets> {
  const jwk = await subtle.exportKey("jwk", key);
  const part = (text = "") => new Uint8Array(Buffer.from(text, "base64url"));
  if (jwk.kty === "RSA") {
    const exponent = part(jwk.e);
    return join(octets(exponent.length), exponent, part(jwk.n));
  }
  return jwk.kty === "EC" ? join(part(jwk.x), part(jwk.y)) : part(jwk.x);
}

/** A key signing key with its own sign function. */
export function keyOf(algorithm: number, publicKey: Octets, sign: Key["sign"]): Key {
  const rdata = join(uint16(257), octets(3, algorithm), publicKey);
  return { algorithm, rdata, tag: tagOf(rdata), sign };
}

/** The same key with other flags or protocol. */
export function withHead(key: Key, flags: number, protocol = 3): Key {
  const rdata = join(uint16(flags), octets(protocol), key.rdata.slice(3));
  return { ...key, rdata, tag: tagOf(rdata) };
}

/**
 * A false key with the same tag, before the real one in canonical order. The tag is a sum of
 * 16-bit words, so one word can compensate for the changed flags.
 */
export function collidingKey(key: Key, turn: number): Octets {
  const publicKey = key.rdata.slice(4);
  const turned = join(publicKey.slice(2 * turn), publicKey.slice(0, 2 * turn));
  const word = turned.findIndex((octet, index) => index % 2 === 1 && octet < 0xff);
  turned[word] = at(turned, word) + 1;
  return join(uint16(at(key.rdata, 1) + 255), key.rdata.slice(2, 4), turned);
}

export async function makeZone(name: string, algorithm: number, extra: readonly Octets[] = []) {
  const [ksk, zsk] = await Promise.all([makeKey(algorithm), makeKey(algorithm, { flags: 256 })]);
  return { name, ksk, zsk, keys: [ksk.rdata, zsk.rdata, ...extra] } satisfies Zone;
}

/** A record set with its signature by a zone: one part of a chain. */
export async function signedSet(
  zone: Zone,
  set: SetToSign,
  options: SignatureOptions = {},
): Promise<Octets> {
  const { ttl = 3600 } = options;
  const records = set.rdatas.map((rdata) => record(set.name, set.type, rdata, ttl));
  return join(...records, await signatureRecord(zone, set, options));
}

export async function signatureRecord(
  zone: Zone,
  set: SetToSign,
  options: SignatureOptions = {},
): Promise<Octets> {
  const key = options.key ?? (set.type === type.DNSKEY ? zone.ksk : zone.zsk);
  const ttl = options.originalTtl ?? 3600;
  const signer = options.signer ?? zone.name;
  const head = join(
    uint16(set.type),
    octets(options.algorithm ?? key.algorithm, options.labels ?? labelCount(set.name)),
    uint32(ttl),
    uint32(options.expiration ?? expiration),
    uint32(options.inception ?? inception),
    uint16(options.keyTag ?? key.tag),
  );
  const owner = (options.signedName ?? set.name).toLowerCase();
  const canonical = set.rdatas
    .map((rdata) => (set.type === type.CNAME ? new Uint8Array(lowered(rdata)) : rdata))
    .toSorted((one, other) => Buffer.compare(one, other))
    .filter((rdata, index, all) => index === 0 || Buffer.compare(rdata, at(all, index - 1)) !== 0)
    .map((rdata) => record(owner, set.type, rdata, ttl));
  const signature = await key.sign(join(head, wireName(signer.toLowerCase()), ...canonical));
  const rdata = join(head, wireName(signer), signature);
  return record(set.name, type.RRSIG, rdata, options.ttl ?? 3600);
}

export function keySet(zone: Zone): SetToSign {
  return { name: zone.name, type: type.DNSKEY, rdatas: zone.keys };
}

export async function dsSet(child: Zone, { hash = "SHA-256", key = child.ksk } = {}) {
  return { name: child.name, type: type.DS, rdatas: [await dsRdata(child.name, key, hash)] };
}

export async function dsRdata(zoneName: string, key: Key, hash = "SHA-256"): Promise<Octets> {
  const digestType = { "SHA-1": 1, "SHA-256": 2, "SHA-384": 4 }[hash] ?? 0;
  const input = join(wireName(zoneName.toLowerCase()), key.rdata);
  const digest = new Uint8Array(await subtle.digest(hash, input));
  return join(uint16(key.tag), octets(key.algorithm, digestType), digest);
}

/** The key sets and delegations of zones that are listed from the leaf up to the root. */
export async function upwards(...zones: Zone[]): Promise<Octets[]> {
  const parts: Octets[] = [];
  for (const [index, zone] of zones.entries()) {
    parts.push(await signedSet(zone, keySet(zone)));
    const parent = zones[index + 1];
    if (parent) parts.push(await signedSet(parent, await dsSet(zone)));
  }
  return parts;
}

/** The trust anchor of a root zone, in its text form. */
export async function anchorText(root: Zone): Promise<string> {
  const ds = Buffer.from(await dsRdata("", root.ksk));
  const digest = ds.subarray(4).toString("hex").toUpperCase();
  return `. 3600 IN DS ${root.ksk.tag} ${root.ksk.algorithm} 2 ${digest}`;
}

export function txt(text: string): Octets {
  return join(octets(text.length), new Uint8Array(Buffer.from(text)));
}

export function record(name: string, recordType: number, rdata: Octets, ttl = 3600): Octets {
  const head = join(uint16(recordType), uint16(1), uint32(ttl), uint16(rdata.length));
  return join(wireName(name), head, rdata);
}

export function wireName(name: string): Octets {
  const labels = name === "" ? [] : name.split(".");
  return join(
    ...labels.map((label) => join(octets(label.length), new Uint8Array(Buffer.from(label)))),
    octets(0),
  );
}

export function join(...parts: Octets[]): Octets {
  return new Uint8Array(Buffer.concat(parts));
}

export function octets(...values: number[]): Octets {
  return Uint8Array.from(values);
}

/**
 * For each octet of a chain, the bits that may change and the chain stay good: TTLs, and the case
 * of letters in owners, in signers and in targets of aliases.
 */
export function freeBits(chain: Octets): Octets {
  const free = new Uint8Array(chain.length);
  let position = 0;
  const readUint16 = () => at(chain, position++) * 256 + at(chain, position++);
  const passName = () => {
    for (let length = at(chain, position++); length > 0; length = at(chain, position++)) {
      for (const end = position + length; position < end; position++) {
        if (/[A-Za-z]/.test(String.fromCharCode(at(chain, position)))) free[position] = 0x20;
      }
    }
  };
  while (position < chain.length) {
    passName();
    const recordType = readUint16();
    position += 2;
    free.fill(0xff, position, position + 4);
    position += 4;
    const length = readUint16();
    const end = position + length;
    if (recordType === type.RRSIG) position += 18;
    if (recordType === type.RRSIG || recordType === type.CNAME) passName();
    position = end;
  }
  return free;
}

function lowered(rdata: Octets): Octets {
  return new Uint8Array(Buffer.from(Buffer.from(rdata).toString("latin1").toLowerCase(), "latin1"));
}

function labelCount(name: string): number {
  return name === "" ? 0 : name.split(".").filter((label) => label !== "*").length;
}

function tagOf(rdata: Octets): number {
  let sum = 0;
  for (let index = 0; index < rdata.length; index += 2) {
    sum += at(rdata, index) * 256 + (rdata[index + 1] ?? 0);
  }
  return (sum + Math.floor(sum / 65_536)) % 65_536;
}

function uint16(value: number): Octets {
  const buffer = Buffer.alloc(2);
  buffer.writeUInt16BE(value);
  return new Uint8Array(buffer);
}

function uint32(value: number): Octets {
  const buffer = Buffer.alloc(4);
  buffer.writeUInt32BE(value % 2 ** 32);
  return new Uint8Array(buffer);
}

function at<T>(list: ArrayLike<T>, index: number): T {
  const item = list[index];
  if (item === undefined) throw new Error("the test reads past the end");
  return item;
}

/** Splits a chain into its records. */
export function recordsOf(chain: Octets): Octets[] {
  const records: Octets[] = [];
  for (let start = 0; start < chain.length; ) {
    let end = start;
    while (chain[end]) end += 1 + (chain[end] ?? 0);
    end += 11 + (chain[end + 9] ?? 0) * 256 + (chain[end + 10] ?? 0);
    records.push(chain.slice(start, end));
    start = end;
  }
  return records;
}
