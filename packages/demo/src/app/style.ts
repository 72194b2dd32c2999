// Styles of the demo's app. They differ from the service's, so that users see which site they are on.

/** Contrast is at least 4.5:1 for text and 3:1 for edges of controls, in both colour schemes. */
export const style = `:root {
  color-scheme: light dark;
  --paper: #f5f6fa;
  --raised: #ffffff;
  --ink: #1b1d26;
  --quiet: #565b6e;
  --line: #dcdfea;
  --edge: #7d8296;
  --accent: #3547a8;
  --accent-strong: #263583;
  --on-accent: #ffffff;
  --bad: #fbeae6;
  --bad-edge: #b2371b;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14151b;
    --raised: #1e2029;
    --ink: #eceef6;
    --quiet: #adb2c4;
    --line: #343744;
    --edge: #888da0;
    --accent: #b0bdff;
    --accent-strong: #ced6ff;
    --on-accent: #141b45;
      --bad: #371d16;
    --bad-edge: #f18a6c;
  }
}
*, ::before, ::after { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; padding: 0 clamp(1.125rem, 5vw, 2.5rem) 5rem; background: var(--paper); color: var(--ink); font: 1.0625rem/1.6 var(--sans); overflow-wrap: anywhere; }
header, main { max-width: 40rem; margin-inline: auto; }
header { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1.5rem; padding-block: 1rem; margin-bottom: clamp(1.5rem, 6vh, 3.5rem); border-bottom: 1px solid var(--line); }
.name { margin: 0; font-weight: 700; }
nav { display: flex; gap: 1.25rem; }
nav a { display: inline-flex; align-items: center; min-height: 2.75rem; color: var(--quiet); text-decoration: none; }
nav a:hover { color: var(--ink); text-decoration: underline; }
nav a[aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px var(--accent); }
h1 { margin: 0 0 .75rem; font-size: clamp(1.625rem, 1.3rem + 1.6vw, 2.125rem); font-weight: 650; line-height: 1.2; letter-spacing: -.015em; text-wrap: balance; }
h2 { margin: 0 0 .75rem; font-size: 1.125rem; line-height: 1.4; }
h3 { margin: 0 0 .5rem; font: 600 1rem/1.4 var(--mono); }
p { margin: 0 0 .75rem; text-wrap: pretty; }
section { margin-top: 2.5rem; }
section.zone { margin-top: 1.5rem; }
form { margin: 0; }
.lead { margin-bottom: 1.5rem; color: var(--quiet); font-size: 1.125rem; line-height: 1.55; }
.lead strong { color: var(--ink); }
.hint, .none, .quiet { color: var(--quiet); font-size: .9375rem; }
.hint { margin-top: .75rem; }
.zone + .hint { margin-top: 1.5rem; }
.none { margin: 0; }
code, pre { font-family: var(--mono); font-size: .9375rem; }
a { color: var(--accent); text-underline-offset: .2em; }
.back a { display: inline-block; padding-block: .625rem; }
.domain { display: block; width: fit-content; max-width: 100%; margin-top: .25em; color: var(--accent-strong); font: 600 .875em/1.3 var(--mono); }
.plain { margin: 0; padding: 0; list-style: none; display: flex; flex-wrap: wrap; gap: .5rem; }
.plain code { display: block; padding: .25rem .75rem; border: 1px solid var(--line); border-radius: .5rem; background: var(--raised); }
.facts, pre, .records { margin: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--raised); }
.facts { margin-top: 1.5rem; padding: .875rem 1.125rem; }
dt { color: var(--quiet); font-size: .875rem; }
dd { margin: 0; }
pre { padding: 1rem 1.125rem; line-height: 1.55; white-space: pre-wrap; }
.outcome { padding-left: 1.125rem; border-left: 4px solid var(--accent); }
.outcome > :last-child { margin-bottom: 0; }
.outcome.failed, .mistake { padding: 1rem 1.125rem; border-left: 4px solid var(--bad-edge); border-radius: .25rem .625rem .625rem .25rem; background: var(--bad); }
.button { display: inline-flex; align-items: center; justify-content: center; min-height: 3rem; padding: .5rem 1.375rem; border: 1.5px solid var(--edge); border-radius: .625rem; background: var(--raised); color: var(--ink); font: 600 1rem/1.3 var(--sans); cursor: pointer; }
.button:hover { border-color: var(--ink); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
.button.small { min-height: 2.75rem; padding: .25rem 1rem; font-size: .9375rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.75rem; }
.fields { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; align-items: end; }
.wide { grid-column: 1 / -1; }
label { display: block; margin-bottom: .25rem; font-weight: 600; font-size: .9375rem; }
input, select { width: 100%; min-height: 3rem; padding: .5rem .875rem; border: 1.5px solid var(--edge); border-radius: .5rem; background: var(--raised); color: var(--ink); font: 1rem/1.4 var(--mono); }
::placeholder { color: var(--quiet); opacity: 1; }
.records { padding: 0; list-style: none; }
.records li { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: .25rem 1rem; padding: .875rem 1.125rem; }
.records li + li { border-top: 1px solid var(--line); }
.records p { margin: 0; grid-column: 1; }
.records form { grid-column: 2; grid-row: 1 / span 2; }
.record-name code { font-weight: 600; }
.record-value code { font-size: .875rem; }
.hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 27rem) {
  main > form .button, .actions form, .actions .button, .fields .button { width: 100%; }
  .records li { grid-template-columns: 1fr; gap: .5rem; }
  .records form { grid-column: 1; grid-row: auto; }
}
@media (forced-colors: active) {
  .button.primary { border-width: 3px; }
  nav a[aria-current] { text-decoration: underline; }
}
`;

export const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#3547a8"/><path d="M9 10h14M9 16h14M9 22h8" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>
`;
