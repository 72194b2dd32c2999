// The types of `part.mjs`.

export function partOf(
  values: { readonly parts: string; readonly part?: string | undefined },
  now?: number,
): { part: number; parts: number };
