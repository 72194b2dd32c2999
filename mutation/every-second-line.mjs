// A plugin of StrykerJS that ignores changes within every second line. Those that span lines are always made.

/** 0 or 1, set by run.mjs: whether lines with an even or an odd number are left out. */
const leftOut = Number(process.env.LINES_LEFT_OUT);

/** Asked for each node of the syntax tree. The text is the reason in the report. */
function shouldIgnore({ node: { loc } }) {
  const isWithin = loc && loc.start.line === loc.end.line && loc.start.line % 2 === leftOut;
  return isWithin ? "a line of another day" : undefined;
}

export const strykerPlugins = [
  { kind: "Ignore", name: "every-second-line", value: { shouldIgnore } },
];
