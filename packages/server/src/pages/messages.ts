// The messages of the pages in one language, read from its file in `messages/`, in Fluent (projectfluent.org). Their ids
// and arguments are type-checked: scripts/check-messages.mjs declares those of English.

import { FluentBundle, FluentResource, type FluentVariable } from "@fluent/bundle";
import type { RecordProblem } from "domain-signin-verify/record";
import { describeProblem } from "domain-signin-verify/record-problems";
import { html } from "hono/html";
import type { HtmlEscapedString } from "hono/utils/html";
import type { MessageArguments, MessageValues } from "../../messages/en.d.ts";
import { memoize } from "../lib/memoize.ts";
import { readPackageFile } from "../lib/package-file.ts";

export interface Language {
  /** BCP 47. */
  readonly lang: string;
  readonly dir: "ltr" | "rtl";
}

/** A rendered page or part of one. Hono returns a promise only if an inserted value is one. */
export type PageHtml = HtmlEscapedString | Promise<HtmlEscapedString>;

/** States what happened, and what to do about it. */
export interface Explanation {
  readonly summary: string;
  readonly details: readonly string[];
}

export interface ProblemText extends Explanation {
  readonly title: string;
}

/** A problem of a record that was found, of an alias that is not followed, or of a wildcard. */
export type FoundProblem =
  | RecordProblem
  | { readonly code: "alias_leads_away" | "wildcard"; readonly about?: never };

type MessageId = keyof MessageArguments;

/** The part after the prefix of each message id with this prefix. */
export type NameIn<Prefix extends string, Id = MessageId> = Id extends `${Prefix}-${infer Name}`
  ? Name
  : never;

/** The ids of messages without arguments. */
type PlainId = keyof {
  [Id in MessageId as [MessageArguments[Id]] extends [never] ? Id : never]: never;
};
/** The ids of messages whose only argument is a domain. */
export type DomainMessage = keyof {
  [Id in Exclude<MessageId, PlainId> as [MessageArguments[Id]] extends ["domain"]
    ? Id
    : never]: never;
};

/** Formats a message with its arguments; for a union of ids, with those of all of them. */
interface Formatter<Ids extends MessageId, Result> {
  (id: Ids & PlainId): Result;
  <Id extends Ids>(id: Id, values: Readonly<Pick<MessageValues, MessageArguments[Id]>>): Result;
}

/** The text of a message in one language, and other forms of it. */
export interface Translate extends Formatter<MessageId, string> {
  readonly explanation: Formatter<MessageId, Explanation>;
  readonly problem: Formatter<`requestProblems-${NameIn<"requestProblems">}`, ProblemText>;
  paragraphs(id: Extract<MessageId, `${string}-paragraphs`>): string[];
  /** The text with markup as its arguments. */
  html<Id extends MessageId>(
    id: Id,
    values: Readonly<Record<MessageArguments[Id], PageHtml>>,
  ): PageHtml;
  /** In English, the message of the parser, which is more specific. */
  recordProblem(problem: FoundProblem): string;
}

type FluentValues = Readonly<Record<string, FluentVariable>>;

/** Private-use characters around the name of an argument that markup replaces; no message has them. */
const SLOT = "\uE000";

/** Opens the file of a language. Throws if it defines a message twice. */
export function openCatalogue({ lang, dir }: Language) {
  const path = `messages/${lang}.ftl`;
  // In right-to-left text, each argument keeps its own direction (UAX #9).
  const bundle = new FluentBundle(lang, { useIsolating: dir === "rtl" });
  const [error] = bundle.addResource(new FluentResource(readPackageFile(path)));
  if (error !== undefined) throw new Error(path, { cause: error });
  /** Formats a message or one of its attributes. Returns null if the language does not have it. */
  return (id: string, attribute: string | null, values: FluentValues = {}): string | null => {
    const message = bundle.getMessage(id);
    const pattern = attribute === null ? message?.value : message?.attributes[attribute];
    return pattern ? bundle.formatPattern(pattern, { ...values }) : null;
  };
}

/** The formatter throws for a message that the language does not have. */
export function createTranslate(language: Language): Translate {
  const lookup = openCatalogue(language);
  function required(id: string, attribute: string | null, values?: FluentValues): string {
    const message = lookup(id, attribute, values);
    if (message === null) throw new Error(`message not found: ${id} ${attribute ?? ""}`);
    return message;
  }
  const plain = memoize((id) => required(id, null));
  const text = (id: string, values?: FluentValues) =>
    values === undefined ? plain(id) : required(id, null, values);

  /** The attributes `name1`, `name2` and so on. */
  function numbered(id: string, name: string, values?: FluentValues): string[] {
    const texts: string[] = [];
    for (;;) {
      const next = lookup(id, `${name}${texts.length + 1}`, values);
      if (next === null) return texts;
      texts.push(next);
    }
  }

  const explanation = (id: string, values?: FluentValues) => ({
    summary: text(id, values),
    details: numbered(id, "detail", values),
  });

  /** Of a message around its arguments; takes its id and their names, separated by spaces. */
  const piecesOf = memoize((idAndNames) => {
    const [id = "", ...names] = idAndNames.split(" ");
    const slots = names.map((name) => [name, SLOT + name + SLOT]);
    return text(id, Object.fromEntries(slots)).split(SLOT);
  });

  function htmlOf(id: string, values: Readonly<Record<string, PageHtml>>): PageHtml {
    // The names of the arguments are at the odd places. They are inserted after the split.
    const pieces = piecesOf([id, ...Object.keys(values)].join(" "));
    return html`${pieces.map((piece, index) => (index % 2 === 1 ? values[piece] : piece))}`;
  }

  function recordProblem(problem: FoundProblem): string {
    const { code, about = "" } = problem;
    if (code === "alias_leads_away" || code === "wildcard") return text(`recordProblem-${code}`);
    const id = `recordProblem-${code}`;
    return lookup(id, null, { about }) ?? describeProblem({ ...problem, code });
  }

  return Object.assign(text, {
    explanation,
    problem: (id: string, values?: FluentValues) => ({
      title: required(id, "title", values),
      ...explanation(id, values),
    }),
    paragraphs: (id: string) => numbered(id, "paragraph"),
    html: htmlOf,
    recordProblem,
  });
}
