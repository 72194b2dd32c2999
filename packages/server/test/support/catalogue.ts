// All texts of a language, by the ids of the messages.

import { FluentResource } from "@fluent/bundle";
import type { MessageValues } from "../../messages/en.d.ts";
import { readPackageFile } from "../../src/lib/package-file.ts";
import { type Language, openCatalogue } from "../../src/pages/messages.ts";

/** One for each argument, none of which is part of another. */
export const VALUES: Readonly<MessageValues> = {
  address: "value1.example",
  app: "value2.example",
  browser: "value16.example",
  client: "value3.example",
  count: 47,
  date: "value20.example",
  domain: "value4.example",
  entry: "value5.example",
  example: "value6.example",
  host: "value7.example",
  issuer: "value8.example",
  minutes: 59,
  last: "value17.example",
  name: "value9.example",
  reason: "value10.example",
  resource: "value21.example",
  seconds: 53,
  service: "value11.example",
  since: "value18.example",
  sp: "value12.example",
  system: "value19.example",
  time: "value13.example",
  title: "value14.example",
  wildcard: "*.value22.example",
  zone: "value15.example",
};

/**
 * The texts of each message, by its id, and those of its attributes, by `id.name`. Attributes whose
 * names differ only in a number are one list, since a language may have fewer of them. Without the
 * problems of records, which English does not have.
 */
export function textsIn(
  language: Language,
  values: Readonly<MessageValues>,
): Map<string, string[]> {
  const lookup = openCatalogue(language);
  const texts = new Map<string, string[]>();
  for (const { id, value, attributes } of messagesOf(language)) {
    for (const name of [...(value === null ? [] : [null]), ...Object.keys(attributes)]) {
      const path = name === null ? id : `${id}.${name.replace(/\d+$/, "")}`;
      const text = lookup(id, name, { ...values });
      if (text === null) throw new Error(`${path} is not found`);
      texts.set(path, [...(texts.get(path) ?? []), text]);
    }
  }
  return texts;
}

function messagesOf({ lang }: Language) {
  const { body } = new FluentResource(readPackageFile(`messages/${lang}.ftl`));
  return body.filter(({ id }) => !id.startsWith("recordProblem-"));
}
