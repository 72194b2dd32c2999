// The lists of the account page, in parts that keep each page small.

import type { MoreOf } from "../pages/account-entries.ts";
import { accountQuery, type OwnerSession } from "./account-session.ts";

/** How many entries a list has: the most with which the page is small enough. */
const SIZES = [10, 5, 2, 1] as const;
/** Octets of a page without its headers, style sheet, scripts and icon, which have 10,500 and are cached. */
const MAX_OCTETS = 19_500;

/** Which part of each list a page shows. */
export interface ListPart {
  readonly own: OwnerSession;
  /**
   * Of the request: `before` is the id of an entry of the history, of which only older ones are shown; `apps`,
   * `sessions`, `browsers` and `passkeys` are how many of these are left out.
   */
  readonly query: URLSearchParams;
  /** How many entries each list has at most. */
  readonly size: number;
}

/** A page with as many entries in its lists as fit: a name can have 100 characters, a domain 228. */
export async function pageThatFits<T extends { toString(): string }>(
  render: (size: number) => Promise<T>,
): Promise<T> {
  const [most, ...fewer] = SIZES;
  let page = await render(most);
  for (const size of fewer) {
    if (Buffer.byteLength(page.toString()) <= MAX_OCTETS) return page;
    page = await render(size);
  }
  return page;
}

/**
 * The entries that the page shows, and the path of the page with those after them; null if there are none. A page
 * after the last entry is the first one: an empty list would say that there are no entries.
 */
export function partOf<T>(
  name: MoreOf,
  all: readonly T[],
  { own, query, size }: ListPart,
): { readonly items: readonly T[]; readonly more: string | null } {
  const field = query.get(name) ?? "";
  const leftOut = /^\d{1,4}$/.test(field) ? Number(field) : 0;
  const from = leftOut < all.length ? leftOut : 0;
  const to = from + size;
  const next = accountQuery(own);
  next.set(name, String(to));
  const more = to < all.length ? `/account?${next}#${name}-title` : null;
  return { items: all.slice(from, to), more };
}
