// A plugin of StrykerJS that makes changes within every fourth line. Those that span lines are always made.

/** 0 to 3, set by run.mjs: the remainder of the numbers of the lines. */
const quarter = Number(process.env.QUARTER_OF_LINES);

/** Asked for each node of the syntax tree. The text is the reason in the report. */
function shouldIgnore({ node: { loc } }) {
  const isLeftOut = loc && loc.start.line === loc.end.line && loc.start.line % 4 !== quarter;
  return isLeftOut ? "a line of another day" : undefined;
}

export const strykerPlugins = [
  { kind: "Ignore", name: "every-fourth-line", value: { shouldIgnore } },
];
