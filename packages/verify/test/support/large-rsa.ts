// An RSA key too large for WebCrypto to generate quickly, and its signatures.

import { createHash, generatePrimeSync } from "node:crypto";
import { join, type Key, keyOf, type Octets, octets } from "./signer.ts";

const exponent = 65_537n;
/** Eight small primes are found much faster than two large ones; verifiers see no difference. */
const primeCount = 8;
/** The DigestInfo prefix of a SHA-256 digest (RFC 8017 §9.2, note 1). */
const digestInfo = Buffer.from("3031300d060960864801650304020105000420", "hex");

/** A zone key of algorithm 8 whose modulus has exactly `bits` bits, a multiple of 8. */
export function makeLargeRsaKey(bits: number): Key {
  const primes = primesFor(bits);
  const modulus = primes.reduce((product, prime) => product * prime, 1n);
  const totient = primes.reduce((product, prime) => product * (prime - 1n), 1n);
  const secret = inverse(exponent, totient);
  const size = bits / 8;
  const publicKey = join(octets(3, 1, 0, 1), octetsOf(modulus, size));
  return keyOf(8, publicKey, async (data) => {
    const digest = createHash("sha256").update(data).digest();
    const tail = Buffer.concat([digestInfo, digest]);
    const padding = Buffer.alloc(size - tail.length - 3, 0xff);
    const encoded = Buffer.concat([Uint8Array.of(0, 1), padding, Uint8Array.of(0), tail]);
    return octetsOf(power(BigInt(`0x${encoded.toString("hex")}`), secret, modulus), size);
  });
}

/** Primes whose product has exactly `bits` bits and which are compatible with the exponent. */
function primesFor(bits: number): bigint[] {
  for (;;) {
    const primes: bigint[] = [];
    let left = bits;
    for (let count = primeCount; count > 0; count--) {
      const prime = generatePrimeSync(Math.ceil(left / count), { bigint: true });
      primes.push(prime);
      left = bits - bitsOf(primes.reduce((product, one) => product * one, 1n));
    }
    if (left === 0 && primes.every((prime) => prime % exponent !== 1n)) return primes;
  }
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

function power(base: bigint, by: bigint, modulus: bigint): bigint {
  let result = 1n;
  let square = base % modulus;
  for (let left = by; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus;
    square = (square * square) % modulus;
  }
  return result;
}

/** By the extended Euclidean algorithm. */
function inverse(value: bigint, modulus: bigint): bigint {
  let [remainder, next] = [modulus, value];
  let [factor, nextFactor] = [0n, 1n];
  while (next > 0n) {
    const quotient = remainder / next;
    [remainder, next] = [next, remainder % next];
    [factor, nextFactor] = [nextFactor, factor - quotient * nextFactor];
  }
  return ((factor % modulus) + modulus) % modulus;
}

function octetsOf(value: bigint, size: number): Octets {
  return new Uint8Array(Buffer.from(value.toString(16).padStart(2 * size, "0"), "hex"));
}
