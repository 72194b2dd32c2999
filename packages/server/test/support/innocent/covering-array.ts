// Chooses the cells of a table so that every two values of different factors meet in one of them.

type Values = Readonly<Record<string, string>>;

/**
 * Chooses one of the candidates for each cell, one cell after another: the one in which most values meet for the first
 * time. Adds more cells while values of `all` have not met. The result is always the same.
 */
export function coveringArray<Cell extends Values>(
  cells: readonly (readonly Cell[])[],
  all: readonly Cell[],
): Cell[] {
  const met = new Set<string>();
  const chosen: Cell[] = [];
  const newPairs = (cell: Cell) => pairsOf(cell).filter((pair) => !met.has(pair)).length;

  /** How many values met in it for the first time. */
  function choose(candidates: readonly Cell[]): number {
    // Each cell begins elsewhere, so that equals take turns.
    const first = (7 * chosen.length) % candidates.length;
    const inTurn = [...candidates.slice(first), ...candidates.slice(0, first)];
    let most = -1;
    let best: Cell | undefined;
    for (const cell of inTurn) {
      const count = newPairs(cell);
      if (count > most) [most, best] = [count, cell];
    }
    if (best === undefined || most === 0) return 0;
    chosen.push(best);
    for (const pair of pairsOf(best)) met.add(pair);
    return most;
  }

  for (const candidates of cells) choose(candidates);
  while (choose(all) > 0);
  return chosen;
}

/** Every two factors of the cell with their values. */
export function pairsOf(cell: Values): string[] {
  const all = Object.entries(cell).map(([name, value]) => `${name}=${value}`);
  return all.flatMap((one, index) => all.slice(index + 1).map((other) => `${one} ${other}`));
}
