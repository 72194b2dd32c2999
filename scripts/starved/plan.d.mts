// The types of what a day runs, and of the last line.

export interface Part {
  readonly passed: number;
  readonly failed: number;
  /** Whether the machine has no way to run it. */
  readonly isSkipped?: boolean;
}

export const THIRDS: number;
export function thirdOfDay(now: number): number;
export function filesOf(files: readonly string[], thirds: readonly number[]): string[];
export function summarize(parts: readonly Part[]): { line: string; status: number };
