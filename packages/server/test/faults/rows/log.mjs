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
  ...inFile(src("cli/compiled-code"), testOf("cli/compiled-code"), {
    "compiled code is not kept in the home of another": {
      find: "found.uid === uid && ",
      replace: "",
      title: "nothing is kept in the home of another user",
    },
    "compiled code is not kept in a home that others can write": {
      find: "    if (!isOwn(homedir, { uid, mode: OTHERS_WRITE })) return null;\n",
      title: "nothing is kept if others may use",
    },
    "compiled code is not kept where others can write below the home": {
      find: "    if (!isOwn(cache, { uid, mode: OTHERS_WRITE })) return null;\n",
      title: "nothing is kept if others may use",
    },
    "compiled code is not kept in a folder that others can enter": {
      find: "isOwn(folder, { uid, mode: OTHERS_ENTER })",
      replace: "isOwn(folder, { uid, mode: OTHERS_WRITE })",
      title: "nothing is kept if others may use",
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
