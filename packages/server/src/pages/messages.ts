// The message catalogue: every text of the pages, read from the file of a language in `messages/`.
//
// The files are in Fluent (projectfluent.org), a format that translation tools support. This module
// gives each message a name and typed arguments.

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { RecordProblem, RecordProblemCode } from "domain-signin-verify/record";
import { readPackageFile } from "../lib/package-file.ts";

/** States what happened, and what to do about it. */
export interface Explanation {
  readonly summary: string;
  readonly details: readonly string[];
}

/** The text of a problem page. */
export interface Problem extends Explanation {
  readonly title: string;
}

/** A problem of a record that was found; `message` describes it in English. */
export type FoundProblem = Omit<RecordProblem, "code"> & {
  readonly code: RecordProblemCode | "alias_leads_away" | "wildcard";
};

/** The messages in one language. */
export type Messages = ReturnType<typeof createMessages>;

type Values = Readonly<Record<string, FluentVariable>>;

/** Formats a message or one of its attributes. Returns null if the language does not have it. */
export type Translate = (id: string, attribute: string | null, values?: Values) => string | null;

/** Opens the file of a language. Throws if it defines a message twice. */
export function openCatalogue(lang: string, dir: "ltr" | "rtl"): Translate {
  const path = `messages/${lang}.ftl`;
  // In right-to-left text, each argument keeps its own direction (UAX #9).
  const bundle = new FluentBundle(lang, { useIsolating: dir === "rtl" });
  const [error] = bundle.addResource(new FluentResource(readPackageFile(path)));
  if (error !== undefined) throw new Error(path, { cause: error });
  return (id, attribute, values = {}) => {
    const message = bundle.getMessage(id);
    const pattern = attribute === null ? message?.value : message?.attributes[attribute];
    return pattern ? bundle.formatPattern(pattern, { ...values }) : null;
  };
}

/** Creates the messages of a language. Throws if the language lacks one that has no arguments. */
export function createMessages(translate: Translate) {
  const kinds = kindsOf(translate);
  return {
    ...everyPage(kinds),
    ...setUpPages(kinds),
    ...laterPages(kinds),
    ...dnsMessages(kinds),
    ...problemMessages(kinds),
  };
}

type Kinds = ReturnType<typeof kindsOf>;

/** Formatters for the kinds of messages: a text, paragraphs, an explanation, a problem. */
function kindsOf(translate: Translate) {
  function text(id: string, values?: Values): string {
    const found = translate(id, null, values);
    if (found === null) throw new Error(`message not found: ${id}`);
    return found;
  }

  /** The attributes `name1`, `name2` and so on. */
  function numbered(id: string, name: string, values?: Values): string[] {
    const texts: string[] = [];
    for (;;) {
      const next = translate(id, `${name}${texts.length + 1}`, values);
      if (next === null) return texts;
      texts.push(next);
    }
  }

  function explanation(id: string, values?: Values): Explanation {
    return { summary: text(id, values), details: numbered(id, "detail", values) };
  }

  function problem(id: string, values?: Values): Problem {
    const title = translate(id, "title", values);
    if (title === null) throw new Error(`message ${id} has no title`);
    return { title, ...explanation(id, values) };
  }

  /** In English, the message of the parser is shown, which is more specific. */
  function recordProblem({ code, message, about = "" }: FoundProblem): string {
    const id = `recordProblem-${code}`;
    const ofNothing = about === "" ? translate(`${id}_empty`, null) : null;
    return ofNothing ?? translate(id, null, { about }) ?? message;
  }

  const paragraphs = (id: string) => numbered(id, "paragraph");
  return { text, paragraphs, explanation, problem, recordProblem };
}

/** Messages of all pages, the first pages and the consent page. */
function everyPage({ text, paragraphs }: Kinds) {
  return {
    common: {
      serviceName: text("common-serviceName"),
      copy: text("common-copy"),
      copied: text("common-copied"),
      backTo: (client: string) => text("common-backTo", { client }),
      backToApp: text("common-backToApp"),
      problemTitle: (title: string) => text("common-problemTitle", { title }),
      through: (app: string, service: string) => text("common-through", { app, service }),
    },
    domain: {
      title: (client: string) => text("domain-title", { client }),
      returnTo: (host: string) => text("domain-returnTo", { host }),
      label: text("domain-label"),
      hint: text("domain-hint"),
      submit: text("domain-submit"),
      how: {
        title: text("domain-how-title"),
        paragraphs: paragraphs("domain-how-paragraphs"),
      },
    },
    continue: {
      heading: (domain: string) => text("continue-heading", { domain }),
      client: (client: string, host: string) => text("continue-client", { client, host }),
      submit: text("continue-submit"),
      other: text("continue-other"),
    },
    consent: {
      heading: (client: string) => text("consent-heading", { client }),
      sentTo: text("consent-sentTo"),
      shared: text("consent-shared"),
      scopesTitle: text("consent-scopesTitle"),
      allow: text("consent-allow"),
      deny: text("consent-deny"),
      caution: (host: string) => text("consent-caution", { host }),
    },
    scopes: new Map([
      ["openid", text("scopes-openid")],
      ["offline_access", text("scopes-offline_access")],
    ]),
    problem: {
      errorId: text("problem-errorId"),
      client: (host: string) => text("problem-client", { host }),
    },
  };
}

/** Messages of the setup page, and of both pages that show a record to publish. */
function setUpPages({ text, paragraphs }: Kinds) {
  return {
    dns: {
      name: text("dns-name"),
      type: text("dns-type"),
      value: text("dns-value"),
      ttl: text("dns-ttl"),
      seconds: text("dns-seconds"),
      checksByItself: text("dns-checksByItself"),
      stopChecking: text("dns-stopChecking"),
      checksNoMore: text("dns-checksNoMore"),
      checkAgain: text("dns-checkAgain"),
      checkedAt: (time: string) => text("dns-checkedAt", { time }),
      found: (count: number) => text("dns-found", { count }),
      panel: {
        title: text("dns-panel-title"),
        relative: text("dns-panel-relative"),
        inZone: (zone: string) => text("dns-panel-inZone", { zone }),
        paragraphs: paragraphs("dns-panel-paragraphs"),
      },
    },
    dnsSetup: {
      heading: (domain: string) => text("dnsSetup-heading", { domain }),
      lead: text("dnsSetup-lead"),
      client: (client: string, host: string) => text("dnsSetup-client", { client, host }),
      warning: (domain: string) => text("dnsSetup-warning", { domain }),
      record: text("dnsSetup-record"),
      check: text("dnsSetup-check"),
      submit: text("dnsSetup-submit"),
      startOver: {
        title: text("dnsSetup-startOver-title"),
        explanation: text("dnsSetup-startOver-explanation"),
        submit: text("dnsSetup-startOver-submit"),
      },
    },
    recoveryCodes: {
      heading: text("recoveryCodes-heading"),
      why: (domain: string) => text("recoveryCodes-why", { domain }),
      valid: text("recoveryCodes-valid"),
      all: text("recoveryCodes-all"),
    },
  };
}

/** Messages of the page for a later sign-in, and for a setup that another browser started. */
function laterPages({ text }: Kinds) {
  return {
    dnsChallenge: {
      heading: (domain: string) => text("dnsChallenge-heading", { domain }),
      lead: text("dnsChallenge-lead"),
      client: (client: string, host: string) => text("dnsChallenge-client", { client, host }),
      warning: (issuer: string) => text("dnsChallenge-warning", { issuer }),
      warningReason: (domain: string) => text("dnsChallenge-warningReason", { domain }),
      record: text("dnsChallenge-record"),
      check: text("dnsChallenge-check"),
      checkWithCode: text("dnsChallenge-checkWithCode"),
      submit: text("dnsChallenge-submit"),
      recoveryCode: {
        label: text("dnsChallenge-recoveryCode-label"),
        hint: text("dnsChallenge-recoveryCode-hint"),
      },
      lostAccess: {
        title: text("dnsChallenge-lostAccess-title"),
        explanation: (domain: string) => text("dnsChallenge-lostAccess-explanation", { domain }),
        consequence: text("dnsChallenge-lostAccess-consequence"),
        submit: text("dnsChallenge-lostAccess-submit"),
      },
    },
    ownUnknown: {
      heading: (domain: string) => text("ownUnknown-heading", { domain }),
      lead: text("ownUnknown-lead"),
      client: (client: string, host: string) => text("ownUnknown-client", { client, host }),
      finish: {
        title: text("ownUnknown-finish-title"),
        explanation: text("ownUnknown-finish-explanation"),
      },
      startOver: {
        title: text("ownUnknown-startOver-title"),
        explanation: (domain: string) => text("ownUnknown-startOver-explanation", { domain }),
        submit: text("ownUnknown-startOver-submit"),
      },
    },
  };
}

/** Messages about a domain, its record and the answers of the DNS servers. */
function dnsMessages({ text, explanation, recordProblem }: Kinds) {
  return {
    domainMistakes: {
      empty: () => explanation("domainMistakes-empty"),
      email_address: (domain: string) => explanation("domainMistakes-email_address", { domain }),
      url_with_path: (domain: string) => explanation("domainMistakes-url_with_path", { domain }),
      single_label: (domain: string) => explanation("domainMistakes-single_label", { domain }),
      ip_address: (domain: string) => explanation("domainMistakes-ip_address", { domain }),
      numeric_tld: (domain: string) => explanation("domainMistakes-numeric_tld", { domain }),
      too_long: () => explanation("domainMistakes-too_long"),
      public_suffix: (domain: string) =>
        explanation("domainMistakes-public_suffix", { domain, example: `alice.${domain}` }),
      special_use: (domain: string) => explanation("domainMistakes-special_use", { domain }),
      bad_characters: (domain: string) => explanation("domainMistakes-bad_characters", { domain }),
    },
    lookOutcomes: {
      absent: (domain: string) => explanation("lookOutcomes-absent", { domain }),
      disabled: (domain: string) => explanation("lookOutcomes-disabled", { domain }),
      invalid: (domain: string) => explanation("lookOutcomes-invalid", { domain }),
      ambiguous: (domain: string) => explanation("lookOutcomes-ambiguous", { domain }),
      unsupported: (domain: string) => explanation("lookOutcomes-unsupported", { domain }),
      alias_invalid: (domain: string) => explanation("lookOutcomes-alias_invalid", { domain }),
      unavailable: (domain: string) => explanation("lookOutcomes-unavailable", { domain }),
      unconfirmed: (domain: string) => explanation("lookOutcomes-unconfirmed", { domain }),
      contradictory: (domain: string) => explanation("lookOutcomes-contradictory", { domain }),
      bogus: (domain: string) => explanation("lookOutcomes-bogus", { domain }),
      external: (domain: string) => explanation("lookOutcomes-external", { domain }),
      names_another: (domain: string, sp: string, client: string) =>
        explanation("lookOutcomes-names_another", { domain, sp, client }),
      own_unknown: (domain: string) => explanation("lookOutcomes-own_unknown", { domain }),
      not_permitted: (domain: string) => explanation("lookOutcomes-not_permitted", { domain }),
    },
    looks: {
      seen: () => explanation("looks-seen"),
      absent: (name: string) => explanation("looks-absent", { name }),
      otherValue: (name: string) => explanation("looks-otherValue", { name }),
      atDomain: (domain: string, name: string) => explanation("looks-atDomain", { domain, name }),
      doubledName: (name: string, entry: string) =>
        explanation("looks-doubledName", { name, entry }),
      cutAtSemicolon: () => explanation("looks-cutAtSemicolon"),
      inQuotes: () => explanation("looks-inQuotes"),
      oldValue: (seconds: number) => explanation("looks-oldValue", { seconds }),
      notCertain: () => explanation("looks-notCertain"),
    },
    servers: {
      title: text("servers-title"),
      question: (name: string) => text("servers-question", { name }),
      resolver: (address: string) => text("servers-resolver", { address }),
      nameServer: (name: string) => text("servers-nameServer", { name }),
      found: {
        wanted: text("servers-found-wanted"),
        other: text("servers-found-other"),
        absent: text("servers-found-absent"),
        silent: text("servers-found-silent"),
        failed: text("servers-found-failed"),
        not_asked: text("servers-found-not_asked"),
      },
      repeats: (seconds: number) => text("servers-repeats", { seconds }),
    },
    recordProblem,
    recoveryProblems: {
      missing: text("recoveryProblems-missing"),
      wrong: text("recoveryProblems-wrong"),
      tooMany: text("recoveryProblems-tooMany"),
    },
  };
}

/** Messages of the problem pages, including failed sign-ins at an external service provider. */
function problemMessages({ text, explanation, problem }: Kinds) {
  return {
    external: {
      heading: (domain: string) => text("external-heading", { domain }),
      lead: (domain: string, sp: string) => text("external-lead", { domain, sp }),
      again: text("external-again"),
      detail: text("external-detail"),
      problems: {
        unreachable: (sp: string) => explanation("external-problems-unreachable", { sp }),
        not_public: (sp: string) => explanation("external-problems-not_public", { sp }),
        bad_metadata: (sp: string) => explanation("external-problems-bad_metadata", { sp }),
        unmet_requirements: (sp: string) =>
          explanation("external-problems-unmet_requirements", { sp }),
        no_client: (sp: string) => explanation("external-problems-no_client", { sp }),
        bad_answer: (sp: string) => explanation("external-problems-bad_answer", { sp }),
        refused_by_sp: (sp: string) => explanation("external-problems-refused_by_sp", { sp }),
        other_account: (sp: string, domain: string) =>
          explanation("external-problems-other_account", { sp, domain }),
        other_domain: (sp: string, domain: string) =>
          explanation("external-problems-other_domain", { sp, domain }),
        record_changed: (sp: string, domain: string) =>
          explanation("external-problems-record_changed", { sp, domain }),
      },
    },
    requestProblems: {
      unknownClient: problem("requestProblems-unknownClient"),
      missingClientId: problem("requestProblems-missingClientId"),
      missingRedirectUri: problem("requestProblems-missingRedirectUri"),
      redirectUriNotRegistered: problem("requestProblems-redirectUriNotRegistered"),
      repeatedParameter: (name: string) => problem("requestProblems-repeatedParameter", { name }),
      malformedRequest: problem("requestProblems-malformedRequest"),
      badClientDocument: (host: string, reason: string) =>
        problem("requestProblems-badClientDocument", { host, reason }),
      unreachableClient: (host: string, reason: string) =>
        problem("requestProblems-unreachableClient", { host, reason }),
      expired: problem("requestProblems-expired"),
      wrongBrowser: problem("requestProblems-wrongBrowser"),
      crossSitePost: problem("requestProblems-crossSitePost"),
      alreadyUsed: problem("requestProblems-alreadyUsed"),
      tooManyRequests: problem("requestProblems-tooManyRequests"),
      notFound: problem("requestProblems-notFound"),
      serverError: problem("requestProblems-serverError"),
      temporarilyUnavailable: problem("requestProblems-temporarilyUnavailable"),
    },
  };
}
