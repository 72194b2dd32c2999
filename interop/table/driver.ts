// How one client library is run: what it can do, and the functions of it that do so.

import type { World } from "./world.ts";

export const STEPS = [
  ...(["discovery", "code", "PKCE", "ID token", "ES256"] as const),
  ...(["userinfo", "refresh", "revocation", "logout"] as const),
];
export type Step = (typeof STEPS)[number];

export type Claims = Readonly<Record<string, unknown>>;

export interface Driver {
  /** Of the row in the table. */
  readonly name: string;
  /** Of the Debian packages whose versions the table shows. Without them, the name is that of an npm package. */
  readonly debian?: readonly string[];
  /** A sentence for the documentation, where the configuration needs one. */
  readonly about?: string;
  /** The URL of the source file, whose lines between the two comments `configuration` the documentation shows. */
  readonly source: string;
  readonly callbackPath?: string;
  readonly goodbyePath?: string;
  readonly isPublic?: true;
  /**
   * For steps that the default settings do not lead to: the setting that does, as Markdown. That of `ES256` is made
   * where the world has an `alg`.
   */
  readonly knobs?: Partial<Record<Step, string>>;
  /** For steps that the library does not have: what the table says. */
  readonly lacks?: Partial<Record<Step, string>>;
  /** What the table adds to a step that was performed. */
  readonly notes?: Partial<Record<Step, string>>;
  /** What this machine lacks for a run; undefined if nothing. */
  missing?(): Promise<string | undefined>;
  /** Signs the person in; with `turned`, the settings of `knobs` are in force. */
  signIn(at: World, turned: boolean): Promise<SignedIn>;
}

/** What the library has after a sign-in, and what can be done with it. A missing member is a step that it lacks. */
export interface SignedIn {
  readonly accessToken: string;
  /** Of the ID token, as the library returns them. */
  readonly claims?: Claims;
  userinfo?(): Promise<Claims>;
  /** Resolves to the new access token. */
  refresh?(): Promise<string>;
  /** Revokes the latest access token or its grant. */
  revoke?(): Promise<unknown>;
  /** Resolves to the URL where the browser is after it. */
  logout?(): Promise<string>;
  /** As `World.silentError`, of a browser that is the driver's own. */
  silentError?(): Promise<string | null>;
  /** Whether an API accepts the access token; userinfo is asked unless given. */
  accepts?(accessToken: string): Promise<boolean>;
  close?(): Promise<unknown>;
}

export const NOT_OFFERED = "not offered";

export function notOffered(...steps: Step[]): Partial<Record<Step, string>> {
  return Object.fromEntries(steps.map((step) => [step, NOT_OFFERED]));
}
