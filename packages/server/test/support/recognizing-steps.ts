// Which pages recognize somebody, and so must offer to sign out.

import type { PageStep } from "../../src/pages/layout.ts";

/** Every step, so that a new one cannot be forgotten: whether its page shows who is signed in in this browser. */
export const RECOGNIZES: Readonly<Record<PageStep, boolean>> = {
  home: false,
  check: false,
  domain: false,
  continue: true,
  "set-up-passkey": false,
  "dns-setup": false,
  "earlier-set-ups": false,
  "recovery-codes": true,
  "former-record": false,
  "hand-on": false,
  "set-up-link": false,
  passkey: false,
  "new-passkey": true,
  "dns-challenge": false,
  external: false,
  news: true,
  consent: true,
  account: true,
  logout: true,
  "account-change": true,
  problem: false,
};

/** What signs out: this domain here (an app's request to sign out is a form of its own), and everywhere. */
export const SIGNS_OUT_HERE = "#sign-out-form, #sign-out-all-form, #logout-form";
export const SIGNS_OUT_EVERYWHERE = "#sign-out-everywhere, #sign-out-everywhere-form";
