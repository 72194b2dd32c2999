// The exit status of every command.

/** `no` is a negative answer, `usage` a wrong use or configuration, `unavailable` a dependency that does not answer. */
export const STATUS = { done: 0, no: 1, usage: 2, unavailable: 3 } as const;

export type Status = (typeof STATUS)[keyof typeof STATUS];
