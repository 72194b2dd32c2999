// A journey: a list of actions of one person, between which a sign-in is pending.

import { setTimeout as sleep } from "node:timers/promises";
import { createUserAgent, type Page, type UserAgent } from "domain-signin-demo/browser/user-agent";
import type { SoftPasskey } from "../support/authenticator.ts";
import type { RootedZone } from "../support/rooted-zone.ts";
import { type Pkce, pkce } from "../support/sign-in.ts";

/** Where an app is sent, and where a browser stops. */
export const REDIRECT_URI = "https://app.example.org/callback";

const PAUSE_MS = 100;
const MAX_TURNS = 50;

export interface JourneyWorld {
  readonly issuer: string;
  /** The second service. */
  readonly sp: string;
  readonly zone: RootedZone;
  readonly database: string;
  readonly clientId: string;
  newDomain(): string;
}

/** One person, on the way through one journey. */
export interface Walk {
  readonly world: JourneyWorld;
  readonly domain: string;
  readonly proof: Pkce;
  /** The browser, in which the sign-in is pending. */
  agent: UserAgent;
  passkey: SoftPasskey | null;
  codes: readonly string[];
  /** The account that is expected to sign in: an earlier account, or the account that the journey creates. */
  expected: { readonly sub: string } | "the live account" | { readonly not: string };
  /** What the authorization request has more. */
  request: Readonly<Record<string, string>>;
  /** What a former page has shown. */
  noted: string;
}

export type Do = (walk: Walk, page: Page) => Promise<Page>;
export type Action = readonly [name: string, act: Do];

export interface Journey {
  readonly name: string;
  /** Before the journey: the account, and what else must be there. */
  prepare?(walk: Walk): Promise<unknown>;
  /** Whether nodes have to forget a record that they saw before. */
  readonly mustBeForgotten?: true;
  readonly actions: readonly Action[];
}

export function newWalk(world: JourneyWorld): Walk {
  const head = { world, domain: world.newDomain(), proof: pkce(), agent: createUserAgent() };
  const none = { passkey: null, codes: [], noted: "" };
  return { ...head, ...none, expected: "the live account", request: { prompt: "consent" } };
}

/** The first page that is enough, or the last one. */
export async function untilEnough(
  ask: () => Promise<Page>,
  isEnough: (page: Page) => boolean,
): Promise<Page> {
  for (let turn = 1; ; turn++) {
    const page = await ask();
    if (isEnough(page) || turn === MAX_TURNS) return page;
    await sleep(PAUSE_MS);
  }
}

/** In the place of what stood there, and so that nobody remembers it for long; null leaves nothing there. */
export function publish(zone: RootedZone, name: string, value: string | null): void {
  for (const record of zone.records()) if (record.name === name) zone.remove(record);
  if (value !== null) zone.add({ name, type: "TXT", value, ttl: 1 });
}
