// A page that is rendered once, with places for what differs between requests.

import { raw } from "hono/html";
import { escapeToBuffer } from "hono/utils/html";
import type { PageHtml } from "./messages.ts";

/** A private-use character around the name of each place. Values may contain it: they are inserted after the split. */
const MARK = "\uE001";

export type Template<Name extends string> = (values: Readonly<Record<Name, string>>) => PageHtml;

/**
 * `render` gets a mark for each name and inserts it as text: values are escaped like those of `html`. Inserting them
 * costs a quarter of rendering the page.
 *
 * @example
 * const greeting = templateOf(["name"], ({ name }) => html`<p>Hello ${name}</p>`);
 * String(greeting({ name: "R&D" })); // "<p>Hello R&amp;D</p>"
 */
export function templateOf<Name extends string>(
  names: readonly Name[],
  render: (marks: Readonly<Record<Name, string>>) => PageHtml,
): Template<Name> {
  const marks = Object.fromEntries(names.map((name) => [name, MARK + name + MARK]));
  const rendered = render(marks as Record<Name, string>);
  if (rendered instanceof Promise) throw new TypeError("a template cannot wait for a part");
  // The names are at the odd places.
  const pieces = String(rendered).split(MARK);
  return (values) => {
    const texts = {} as Record<Name, string>;
    for (const name of names) texts[name] = escaped(values[name]);
    let text = "";
    for (let place = 0; place < pieces.length; place++) {
      const piece = pieces[place] as string;
      text += place % 2 === 1 ? texts[piece as Name] : piece;
    }
    return raw(text);
  };
}

function escaped(text: string): string {
  const buffer: [string] = [""];
  escapeToBuffer(text, buffer);
  return buffer[0];
}
