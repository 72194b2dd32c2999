// A plugin of StrykerJS that makes changes within every sixth line. Those that span lines are always made.

/** 0 to 5, set by run.mjs: the remainder of the numbers of the lines. */
const sixth = Number(process.env.SIXTH_OF_LINES);

/** Asked for each node of the syntax tree. The text is the reason in the report. */
function shouldIgnore({ node: { loc } }) {
  const isLeftOut = loc && loc.start.line === loc.end.line && loc.start.line % 6 !== sixth;
  return isLeftOut ? "a line of another day" : undefined;
}

export const strykerPlugins = [
  { kind: "Ignore", name: "every-sixth-line", value: { shouldIgnore } },
];
