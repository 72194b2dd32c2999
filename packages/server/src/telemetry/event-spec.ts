// How an event is logged and counted: a row of the table of events.

/** From the most important one to the least. */
export const LOG_LEVELS = ["error", "warn", "info"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** The message of the log line is the name of the event in words. */
export interface EventSpec<Fields> {
  /** `none` for events that are too frequent for a log. */
  readonly level: LogLevel | "none";
  /** Converts the fields for the log. */
  readonly shown?: (fields: Fields) => object;
  /** Converts the fields for the labels. */
  readonly counted?: (fields: Fields) => Fields;
  readonly counter?: MetricSpec<Fields> & {
    /** Values of the only label. Their series start at zero, because Prometheus sees no increase in a new series. */
    readonly zeros?: readonly string[];
    /** The field by which it grows, in place of 1. */
    readonly by?: keyof Fields & string;
  };
  /** Observes the field `milliseconds`, in seconds. */
  readonly histogram?: MetricSpec<Fields>;
  /** Shows the last value of a field. */
  readonly gauge?: Omit<MetricSpec<Fields>, "labels"> & { readonly of: keyof Fields & string };
}

interface MetricSpec<Fields> {
  readonly name: string;
  readonly help: string;
  readonly labels?: readonly (keyof Fields & string)[];
}

/** One function for each row of a table, which reports the event. */
export type EventsOf<Table> = {
  [Name in keyof Table]: Table[Name] extends EventSpec<infer Fields>
    ? (fields: Fields) => void
    : never;
};

export function event<Fields = void>(
  level: EventSpec<Fields>["level"],
  spec: Omit<EventSpec<Fields>, "level"> = {},
): EventSpec<Fields> {
  return { level, ...spec };
}
