// The English catalogue: every sentence that the pages show.

import {
  domainMistakes,
  lookOutcomes,
  looks,
  recordProblem,
  recoveryProblems,
  servers,
} from "./en-domain.ts";
import { external } from "./en-external.ts";
import { requestProblems } from "./en-problems.ts";

export const en = {
  common: {
    serviceName: "domain-signin",
    copy: "Copy",
    copied: "Copied",
    backTo: (client: string) => `Back to ${client}`,
    backToApp: "Back to the app",
    problemTitle: (title: string) => `Problem: ${title}`,
    through: (app: string, service: string) => `${service} says that this sign-in is for ${app}.`,
  },

  domain: {
    title: (client: string) => `Sign in to ${client}`,
    returnTo: (host: string) => `Use a domain name you own. You return to ${host} afterwards.`,
    label: "Your domain",
    hint: "For example alice.com. No password, and nothing to sign up for.",
    submit: "Continue",
    how: {
      title: "How does this work?",
      paragraphs: [
        "Whoever owns a domain name decides what its DNS says. A small record there names the service that may sign you in as your domain.",
        "If your domain has no such record yet, you are shown one to publish. That takes a few minutes, once.",
      ],
    },
  },

  continue: {
    heading: (domain: string) => `Continue as ${domain}`,
    client: (client: string, host: string) => `to ${client} at ${host}`,
    submit: "Continue",
    other: "Use another domain",
  },

  dns: {
    name: "Name",
    type: "Type",
    value: "Value",
    ttl: "TTL",
    seconds: "seconds",
    checksByItself: "This page also checks by itself every few seconds. You may leave it open.",
    stopChecking: "Stop checking by itself",
    checksNoMore: "This page does not check by itself now.",
    checkAgain: "Check by itself again",
    checkedAt: (time: string) => `Last looked: ${time}`,
    found: (count: number) => (count === 1 ? "Found in DNS" : `Found in DNS: ${count} records`),
    panel: {
      title: "Where do I enter this?",
      relative:
        "In the DNS settings at the company where you registered the domain, or that runs its DNS. Add a new TXT record. Many of these panels put the domain at the end of the name by themselves. In such a panel enter only the first part:",
      inZone: (zone: string) => `In the settings of ${zone}:`,
      paragraphs: [
        "If the panel shows you the full name before saving, it must be the one above, with the domain in it once.",
        "Leave your other records as they are. Enter the value without quotation marks. If the panel does not let you choose a TTL, keep the one it offers.",
      ],
    },
  },

  dnsSetup: {
    heading: (domain: string) => `Show that you own ${domain}`,
    lead: "Add one record to the DNS of your domain. You do this once, and then leave it there.",
    client: (client: string, host: string) => `You are signing in to ${client} at ${host}.`,
    warning: (domain: string) =>
      `Publishing this lets the browser showing it sign in as ${domain}. If someone sent it to you, stop.`,
    record: "Publish this record",
    check: "Let us look for it",
    submit: "I have published it, check now",
    startOver: {
      title: "Start over with a new record",
      explanation:
        "You get a new value to publish, and new recovery codes. The ones on this page stop working.",
      submit: "Make a new record",
    },
  },

  recoveryCodes: {
    heading: "While you wait: keep these ten codes",
    why: (domain: string) =>
      `A code lets you back in as ${domain} from another browser, or after this one has forgotten you. The record alone is not enough for that, since anyone can read it. Save the codes in a password manager, or print this page.`,
    valid: "They become valid when your record is seen. Each works once.",
    all: "all ten codes",
  },

  dnsChallenge: {
    heading: (domain: string) => `Sign in as ${domain}`,
    lead: "Add a short-lived record to the DNS of your domain, to show that it is still yours. You can remove it once you are signed in.",
    client: (client: string, host: string) => `You are signing in to ${client} at ${host}.`,
    warning: (issuer: string) => `Publish this only if you started it at ${issuer}.`,
    warningReason: (domain: string) =>
      `It lets this browser sign in as ${domain}. If someone sent it to you, stop.`,
    record: "Publish this record for now",
    check: "Let us look for it",
    checkWithCode: "Enter a recovery code, and let us look",
    submit: "I have published it, check now",
    recoveryCode: {
      label: "Recovery code",
      hint: "One of the ten codes you kept when you set up the domain. It is asked for because this browser is new to us.",
    },
    lostAccess: {
      title: "I lost my codes, or the browser I used",
      explanation: (domain: string) =>
        `You can start over with a new record, which replaces the one that ${domain} has now.`,
      consequence:
        "Apps will then see a new account. What you kept in them under the old one does not come along.",
      submit: "Start over with a new record",
    },
  },

  ownUnknown: {
    heading: (domain: string) => `Another browser began with ${domain}`,
    lead: "The domain’s record already names this service, but the set-up it belongs to was not begun in this browser.",
    client: (client: string, host: string) => `You are signing in to ${client} at ${host}.`,
    finish: {
      title: "Did you begin it?",
      explanation:
        "Then finish in the browser where you began. A private window or another device counts as another browser.",
    },
    startOver: {
      title: "Or start over here",
      explanation: (domain: string) =>
        `You get a new record to publish in place of the one that ${domain} has now. If you do not know where that one came from, replacing it is the right thing to do.`,
      submit: "Start over with a new record",
    },
  },

  consent: {
    heading: (client: string) => `Sign in to ${client}?`,
    sentTo: "You are sent to",
    shared: "It learns that you are",
    scopesTitle: "It may",
    allow: "Allow",
    deny: "Don’t allow",
    caution: (host: string) =>
      `Apps choose their own names. Allow this only if ${host} is where you want to sign in.`,
  },

  /** What a client may do with a scope, after "It may". */
  scopes: new Map([
    ["openid", "know that you control this domain"],
    ["offline_access", "stay signed in while you are away"],
  ]),

  problem: {
    errorId: "If you ask for help, name this error:",
    client: (host: string) => `You were signing in at ${host}.`,
  },

  external,
  domainMistakes,
  lookOutcomes,
  looks,
  servers,
  recordProblem,
  recoveryProblems,
  requestProblems,
};

/** What a catalogue of another language has to have. */
export type Messages = typeof en;
