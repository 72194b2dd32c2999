// The types of the table of planted faults.

export interface Fault {
  readonly file: string;
  readonly guard: string;
  readonly find: string;
  readonly replace: string;
  readonly test: string;
  readonly title?: string;
  readonly only?: string;
}

export const FAULTS: readonly Fault[];
