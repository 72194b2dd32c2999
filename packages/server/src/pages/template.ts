// Pages that are rendered once for each language, with places for what differs between requests.

import { raw } from "hono/html";
import { escapeToBuffer } from "hono/utils/html";
import type { PageHtml } from "./messages.ts";

/** A private-use character around the name of each place. Values may contain it: they are inserted after the split. */
const MARK = "\uE001";

/** Texts are escaped like those of `html`. Markup is for what not every request has, and for lists. */
export type PlaceValues<Name extends string> = Readonly<Record<Name, string | PageHtml>>;

/** Inserts each value as it is, because it is called with marks: a page must not depend on a value otherwise. */
export type Render<Context, Shown> = (context: Context, values: Shown) => PageHtml;

/** Renders once, with marks, and inserts the values of each request, which costs a fraction of rendering. */
export type Fill<Context> = <Shown extends PlaceValues<Extract<keyof Shown, string>>>(
  render: Render<Context, Shown>,
  values: Shown,
) => PageHtml;

type Template = (values: PlaceValues<string>) => PageHtml;

/**
 * For the pages of one language, whose context has nothing of a request. Keeps one template for each function.
 *
 * @example
 * const greeting = (_: PageContext, { name }: { name: string }) => html`<p>Hello ${name}</p>`;
 * String(context.fill(greeting, { name: "R&D" })); // "<p>Hello R&amp;D</p>"
 */
export function createFill<Context>(contextOf: () => Context): Fill<Context> {
  const templates = new WeakMap<object, Template>();
  return (render, values) => {
    const known = templates.get(render);
    if (known !== undefined) return known(values);
    const markedWith = (marks: PlaceValues<string>) => render(contextOf(), marks as typeof values);
    const template = templateOf(Object.keys(values), markedWith);
    templates.set(render, template);
    return template(values);
  };
}

function templateOf(
  names: readonly string[],
  render: (marks: PlaceValues<string>) => PageHtml,
): Template {
  const marks = Object.fromEntries(names.map((name) => [name, MARK + name + MARK]));
  const [first = "", ...rest] = textOf(render(marks)).split(MARK);
  /** Each value with the piece that follows it: by the number of the value's name. */
  const places = rest.flatMap((name, index) =>
    index % 2 === 0 ? [{ value: names.indexOf(name), next: rest[index + 1] ?? "" }] : [],
  );
  return (values) => {
    const inserted = names.map((name) => textOf(values[name] ?? ""));
    let text = first;
    for (const { value, next } of places) text += inserted[value] + next;
    return raw(text);
  };
}

/** As it is in a page. */
function textOf(value: string | PageHtml): string {
  if (value instanceof Promise) throw new TypeError("a template cannot wait for a part");
  // Markup is a `String` with a property.
  if (typeof value !== "string") return String(value);
  const buffer: [string] = [""];
  escapeToBuffer(value, buffer);
  return buffer[0];
}
