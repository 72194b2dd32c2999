// Reproducible random inputs from a seed: octets, texts and JSON, and mutations of valid ones.

import type { Octets } from "./signer.ts";

export interface Random {
  /** From 0 up to but excluding `below`. */
  nat(below: number): number;
  chance(oneIn: number): boolean;
  pick<T>(list: ArrayLike<T>): T;
}

/** Mulberry32: small, fast, and the same everywhere. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  const nat = (below: number) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below);
  };
  return {
    nat,
    chance: (oneIn) => nat(oneIn) === 0,
    pick: (list) => {
      const item = list[nat(list.length)];
      if (item === undefined) throw new Error("nothing to pick from");
      return item;
    },
  };
}

/** One in this many inputs is expanded to the maximum size of a message or chain. */
const bigOneIn = 400;
const bigLength = 0xffff;
/** Lengths, counts and pointers that often break parsers. */
const tellingOctets = [
  0, 1, 2, 3, 4, 15, 16, 31, 32, 33, 63, 64, 127, 128, 191, 192, 193, 254, 255,
];

export function randomOctets(random: Random, maxLength: number): Octets {
  const isTelling = random.chance(2);
  return Uint8Array.from({ length: random.nat(maxLength + 1) }, () =>
    isTelling && random.chance(2) ? random.pick(tellingOctets) : random.nat(256),
  );
}

/** A valid input with a few changes, or meaningless octets, sometimes very many. */
export function someOctets(random: Random, good: readonly Octets[]): Octets {
  if (random.chance(bigOneIn)) return bigOctets(random, good);
  if (random.chance(8)) return randomOctets(random, 300);
  let octets = random.pick(good);
  for (let count = 1 + random.nat(4); count > 0; count--) octets = changed(random, octets, good);
  return octets;
}

function changed(random: Random, octets: Octets, good: readonly Octets[]): Octets {
  const at = random.nat(octets.length + 1);
  const end = Math.min(octets.length, at + random.nat(12));
  switch (random.nat(8)) {
    case 0:
    case 1: {
      const copy = octets.slice();
      if (at < copy.length) copy[at] = (copy[at] ?? 0) ^ (1 << random.nat(8));
      return copy;
    }
    case 2:
    case 3: {
      const copy = octets.slice();
      if (at < copy.length) copy[at] = random.pick(tellingOctets);
      return copy;
    }
    case 4:
      return joined(octets.slice(0, at), octets.slice(end));
    case 5:
      return joined(octets.slice(0, at), randomOctets(random, 12), octets.slice(at));
    case 6:
      return joined(octets.slice(0, end), octets.slice(at));
    default: {
      const other = random.pick(good);
      return joined(octets.slice(0, at), other.slice(random.nat(other.length + 1)));
    }
  }
}

/** Repeats a piece, which reveals work that grows faster than the input. */
function bigOctets(random: Random, good: readonly Octets[]): Octets {
  const whole = random.pick(good);
  const start = random.nat(whole.length + 1);
  const piece = random.chance(2)
    ? randomOctets(random, 8)
    : whole.slice(start, start + 1 + random.nat(64));
  const head = whole.slice(0, random.nat(whole.length + 1));
  const big = new Uint8Array(bigLength);
  big.set(head.subarray(0, bigLength));
  if (piece.length === 0) return big;
  for (let at = head.length; at + piece.length <= bigLength; at += piece.length) big.set(piece, at);
  return big;
}

function joined(...parts: Octets[]): Octets {
  return new Uint8Array(Buffer.concat(parts));
}

const tellingLetters = [
  ...["\0", "\t", "\n", " ", '"', "%", ",", "-", ".", "/", ":", ";", "=", "\\", "_", "{", "}"],
  ...[
    "[",
    "]",
    "@",
    "#",
    "?",
    "A",
    "a",
    "Z",
    "0",
    "9",
    "\u007f",
    "\u00e9",
    "\u212a",
    "\ud800",
    "🦊",
  ],
];

/**
 * The same for texts. `tokens` are pieces of the grammar. Big inputs have at most `bigLength`
 * characters, or fewer if the parser can never receive that many.
 */
export function someText(
  random: Random,
  good: readonly string[],
  tokens: readonly string[],
  maxLength = bigLength,
): string {
  const piece = () => random.pick(random.chance(2) ? tokens : tellingLetters);
  if (random.chance(bigOneIn)) {
    const start = random.pick(good).slice(0, random.nat(40));
    const big = start + piece().repeat(1 + random.nat(bigLength));
    return big.slice(0, maxLength - 2) + piece().slice(0, 2);
  }
  if (random.chance(8)) return Array.from({ length: random.nat(20) }, piece).join("");
  let text = random.pick(good);
  for (let count = 1 + random.nat(4); count > 0; count--) {
    const at = random.nat(text.length + 1);
    const end = at + random.nat(6);
    const between = [piece(), "", text.slice(at, end).repeat(2), random.pick(good)][random.nat(4)];
    text = text.slice(0, at) + (between ?? "") + text.slice(random.chance(2) ? at : end);
  }
  return text;
}

const members = ["v", "kty", "crv", "x", "alg", "typ", "", "__proto__", "constructor", "length"];

export function someJson(random: Random, depth = 4): unknown {
  const kind = random.nat(depth === 0 ? 6 : 9);
  const count = random.nat(4);
  switch (kind) {
    case 0:
      return null;
    case 1:
      return random.chance(2);
    case 2:
      return random.pick([0, -0, 1, -1, 1.5, 2 ** 31, 2 ** 53, 1e308, -1e-308]);
    case 3:
    case 4:
      return someText(random, ["", "text", "AQAB"], ["A", "_", "="]).slice(0, 200);
    case 5:
      return random.nat(2 ** 32);
    case 6:
      return Array.from({ length: count }, () => someJson(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from({ length: count }, () => [random.pick(members), someJson(random, depth - 1)]),
      );
  }
}

/** Valid JSON with one to three parts replaced, removed, or mutated as text. */
export function changedJson(random: Random, good: unknown, tokens: readonly string[]): unknown {
  let value = good;
  for (let count = 1 + random.nat(3); count > 0; count--) value = withChange(random, value, tokens);
  return value;
}

function withChange(random: Random, value: unknown, tokens: readonly string[]): unknown {
  if (random.chance(12)) return someJson(random);
  if (typeof value === "string") return someText(random, [value], tokens);
  if (typeof value !== "object" || value === null) return someJson(random, 1);
  const entries = Object.entries(value);
  if (entries.length === 0) return someJson(random);
  const chosen = random.nat(entries.length);
  const isLeftOut = random.chance(8);
  const next = entries.flatMap(([name, one], index) => {
    if (index !== chosen) return [[name, one]];
    return isLeftOut ? [] : [[name, withChange(random, one, tokens)]];
  });
  return Array.isArray(value) ? next.map(([, one]) => one) : Object.fromEntries(next);
}
