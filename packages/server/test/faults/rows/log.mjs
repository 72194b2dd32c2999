// Faults in the log: what it drops, what it keeps, and what it shows at a terminal.

const server = (name) => `packages/server/src/${name}.ts`;
const SINK = "packages/server/src/telemetry/log-sink.test.ts";

export const LOG_FAULTS = [
  {
    file: server("telemetry/log-sink"),
    guard: "what waits for a slow reader is bounded",
    find: "if (queue.octets() + line.length > MAX_QUEUED_OCTETS)",
    replace: "if (line.length > MAX_QUEUED_OCTETS)",
    test: SINK,
    title: "what waits for a slow reader is bounded",
  },
  {
    file: server("telemetry/log-sink"),
    guard: "a reader that is only slow loses nothing",
    find: 'codeOf(error) === "EAGAIN"',
    replace: 'codeOf(error) === "EINTR"',
    test: SINK,
    title: "the end writes what a slow reader has not taken yet",
  },
  {
    file: server("telemetry/log-sink"),
    guard: "a line begins on a line of its own after one that was cut",
    find: "isTorn ||= isPartial;",
    replace: "",
    test: SINK,
    title: "the next one does not continue its rest",
  },
  {
    file: server("telemetry/log-sink"),
    guard: "an output that hangs does not keep the process from ending",
    find: "if (!hasGivenUp) writeAll",
    replace: "writeAll",
    test: SINK,
    title: "the end waits for the output for a limited time",
  },
  {
    file: server("telemetry/text-events"),
    guard: "text of strangers does not control the terminal",
    find: "[\\p{Cc}\\p{Cf}\\u2028\\u2029]/gu",
    replace: "[\\p{Cc}]/gu",
    test: "packages/server/src/telemetry/text-events.test.ts",
    title: "text of strangers neither controls the terminal",
  },
];
