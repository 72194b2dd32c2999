// Problem pages for refused floods: rendered once for each language and wait, so that a refusal costs little.

import { memoize } from "../lib/memoize.ts";
import { chooseLanguage, contextIn } from "./languages.ts";
import type { PageContext } from "./layout.ts";
import type { PageHtml } from "./messages.ts";
import { problemPage } from "./problem.ts";
import type { Render } from "./template.ts";

type FixedProblem =
  | { readonly name: "overloaded" }
  /** Windows of limits last ten minutes at most, so there are few pages. */
  | { readonly name: "tooManyRequests"; readonly minutes: number };

/** The page in a language of the `Accept-Language` header, with the error ID. */
export function fixedProblemPage(
  problem: FixedProblem,
  acceptLanguage: string,
  errorId: string,
): PageHtml {
  const context = contextIn(chooseLanguage(null, acceptLanguage));
  const render =
    problem.name === "overloaded" ? renderOverloaded : renderTooMany(String(problem.minutes));
  return context.fill(render, { errorId });
}

type RenderFixed = Render<PageContext, { readonly errorId: string }>;

const renderOverloaded: RenderFixed = (context, { errorId }) =>
  problemPage(context, { ...context.t.problem("requestProblems-overloaded"), errorId });

const renderTooMany = memoize(
  (minutes): RenderFixed =>
    (context, { errorId }) => {
      const text = context.t.problem("requestProblems-tooManyRequests", {
        minutes: Number(minutes),
      });
      return problemPage(context, { ...text, errorId });
    },
);
