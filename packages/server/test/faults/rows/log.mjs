// Faults in the log: what it drops, what it keeps, and what it shows at a terminal.

import { inFile, src, testOf } from "../row-helpers.mjs";

export const LOG_FAULTS = [
  ...inFile(src("telemetry/log-sink"), testOf("telemetry/log-sink"), {
    "what waits for a slow reader is bounded": {
      find: "if (queue.octets() + line.length > MAX_QUEUED_OCTETS)",
      replace: "if (line.length > MAX_QUEUED_OCTETS)",
      title: "what waits for a slow reader is bounded",
    },
    "a reader that is only slow loses nothing": {
      find: 'codeOf(error) === "EAGAIN"',
      replace: 'codeOf(error) === "EINTR"',
      title: "the end writes what a slow reader has not taken yet",
    },
    "a line begins on a line of its own after one that was cut": {
      find: "isTorn ||= isPartial;",
      title: "the next one does not continue its rest",
    },
    "an output that hangs does not keep the process from ending": {
      find: "if (!hasGivenUp) writeAll",
      replace: "writeAll",
      title: "the end waits for the output for a limited time",
    },
  }),
  ...inFile(src("telemetry/events"), testOf("telemetry/json-events"), {
    "the level leaves out what is less important": {
      find: "LOG_LEVELS.slice(0, LOG_LEVELS.indexOf(lowest) + 1)",
      replace: "LOG_LEVELS",
      title: "a level leaves out what is less important",
    },
  }),
  ...inFile(src("telemetry/text-events"), testOf("telemetry/text-events"), {
    "text of strangers does not control the terminal": {
      find: "[\\p{Cc}\\p{Cf}\\u2028\\u2029]/gu",
      replace: "[\\p{Cc}]/gu",
      title: "text of strangers neither controls the terminal",
    },
  }),
];
