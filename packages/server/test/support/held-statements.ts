// Holds a statement of the service, so that two requests meet at it.

/** Something that happens once, for which others wait. */
export interface Gate {
  readonly opened: Promise<void>;
  open(): void;
}

export function gate(): Gate {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

interface Hold {
  /** Resolves when the statement is held. */
  readonly reached: Promise<void>;
  release(): void;
}

/**
 * @example
 * const statements = heldStatements();
 * const at = flow({ start: () => startTestService(statements) });
 * // in a test:
 * const { reached, release } = statements.hold("INSERT INTO recovery_codes");
 */
export function heldStatements() {
  const holds = new Set<{ words: string; reached: Gate; released: Gate }>();
  return {
    /** For `startTestService`. */
    async beforeStatement(sql: string): Promise<void> {
      for (const hold of holds) {
        if (!sql.includes(hold.words)) continue;
        holds.delete(hold);
        hold.reached.open();
        await hold.released.opened;
        return;
      }
    },
    /** Holds the next statement that contains these words. The order of several holds is that of their calls. */
    hold(words: string): Hold {
      const held = { words, reached: gate(), released: gate() };
      holds.add(held);
      return { reached: held.reached.opened, release: held.released.open };
    },
  };
}
