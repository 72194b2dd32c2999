// The exit status of every command.

/** `no`: a negative answer. `usage`: wrong arguments or settings. `unavailable`: a dependency does not answer. */
export const STATUS = { done: 0, no: 1, usage: 2, unavailable: 3 } as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];
