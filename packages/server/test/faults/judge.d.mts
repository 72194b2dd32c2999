// The types of what judges a run of a test file.

export interface Run {
  /** Of vitest; null if it was ended by force. */
  readonly status: number | null;
  readonly isLate: boolean;
  readonly seconds: number;
}

export interface ReadRun extends Run {
  readonly passed: number;
  readonly failed: readonly { readonly name: string; readonly message: string }[];
  readonly skipped: readonly string[];
  readonly outside: string | null;
}

export interface Verdict {
  readonly kind: "found" | "green" | "broken" | "skipped";
  readonly detail: string;
  readonly seconds?: number;
}

export function readReport(report: object | null, ended: Run): ReadRun;
export function judgeClean(run: ReadRun): Verdict | null;
export function findsFault(
  failed: { readonly name: string; readonly message: string },
  title?: string,
): boolean;
export function judgePlanted(run: ReadRun, title?: string): Verdict;
