// The types of `changes.mjs`.

export function planCheck(
  changed: readonly string[],
  options: { readonly isWhole: boolean },
): { readonly lint: readonly string[]; readonly tested: readonly string[] | null };
