// A plugin of StrykerJS that makes changes within every nth line. Those that span lines are always made.

/** Set by run.mjs: how many parts there are, and which of them is made. */
const [parts, part] = (process.env.PART_OF_LINES ?? "1/0").split("/").map(Number);

/** Asked for each node of the syntax tree. The text is the reason in the report. */
function shouldIgnore({ node: { loc } }) {
  const isLeftOut = loc && loc.start.line === loc.end.line && loc.start.line % parts !== part;
  return isLeftOut ? "a line of another day" : undefined;
}

export const strykerPlugins = [{ kind: "Ignore", name: "every-nth-line", value: { shouldIgnore } }];
