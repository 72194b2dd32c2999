// The style of the pages: one column, two colour schemes, the fonts of the reader's system.

/** Colours are pairs of at least 4.5:1 for text and 3:1 for edges of controls, in both schemes. */
export const style = `:root {
  color-scheme: light dark;
  --paper: #f8f6f1;
  --raised: #fffefb;
  --ink: #1e1d1a;
  --quiet: #5d594f;
  --line: #dfdacd;
  --edge: #857e70;
  --accent: #125b4b;
  --accent-strong: #0c4236;
  --on-accent: #ffffff;
  --warn: #fbf0d2;
  --warn-edge: #a8750c;
  --bad: #fbe9e3;
  --bad-edge: #b2371b;
  --serif: ui-serif, "Iowan Old Style", "Palatino Linotype", Palatino, Charter, Georgia, Cambria, serif;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Segoe UI Mono", Menlo, Consolas, "Liberation Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161714;
    --raised: #20211d;
    --ink: #efede6;
    --quiet: #b3afa3;
    --line: #383932;
    --edge: #8d897b;
    --accent: #8ddcc3;
    --accent-strong: #b4ecda;
    --on-accent: #0a2b23;
    --warn: #2d2612;
    --warn-edge: #d8a73a;
    --bad: #371c14;
    --bad-edge: #f18a6c;
  }
}

*, ::before, ::after { box-sizing: border-box; }
[hidden] { display: none !important; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0;
  padding: 0 clamp(1.125rem, 5vw, 2.5rem) 5rem;
  background: var(--paper);
  color: var(--ink);
  font: 1.0625rem/1.6 var(--sans);
  overflow-wrap: anywhere;
}
header, main { max-width: 38rem; margin-inline: auto; }

/* The dot before the name is the one that stands in every domain name. */
.wordmark {
  display: flex;
  align-items: baseline;
  gap: .45em;
  margin: 0;
  padding-block: 1.5rem clamp(2rem, 9vh, 5.5rem);
  color: var(--quiet);
  font: 600 .875rem/1.4 var(--mono);
  letter-spacing: -.01em;
}
.wordmark::before {
  content: "";
  width: .5em;
  height: .5em;
  border-radius: 50%;
  background: var(--accent);
  forced-color-adjust: none;
}

h1 {
  margin: 0 0 .75rem;
  font: 500 clamp(1.75rem, 1.35rem + 2vw, 2.375rem)/1.2 var(--serif);
  letter-spacing: -.012em;
  text-wrap: balance;
}
/* Letters that are joined must not be pushed together or apart. */
[dir="rtl"] h1 { letter-spacing: 0; }
h2 { margin: 0 0 .75rem; font: 600 1.0625rem/1.4 var(--sans); }
p { margin: 0 0 .75rem; text-wrap: pretty; }
section { margin-top: 2.75rem; }
.lead { color: var(--quiet); font-size: 1.125rem; line-height: 1.55; }
.hint { margin-top: .75rem; }
.aside, .hint { color: var(--quiet); font-size: .9375rem; line-height: 1.5; }
.host { color: var(--ink); font-weight: 600; }
code, .inline-domain { font-family: var(--mono); font-size: .9375em; }
/* Records, codes and names of scopes read from left to right, whatever is around them. */
code { direction: ltr; unicode-bidi: isolate; }
.inline-domain.short { white-space: nowrap; }
a { color: var(--accent); text-underline-offset: .2em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }

/* A domain name reads like a nameplate: its own line, its own face, underlined as if written on a form. */
.domain-name {
  display: block;
  width: fit-content;
  max-width: 100%;
  margin-top: .3em;
  padding-bottom: .12em;
  border-bottom: 3px solid var(--accent);
  color: var(--accent-strong);
  font: 600 .86em/1.3 var(--mono);
  letter-spacing: -.02em;
}
/* Some languages go on behind the name. */
h1 .domain-name { margin-bottom: .2em; }
.domain-name.long { margin-top: .6em; padding-bottom: .3em; word-break: break-all; text-wrap: wrap; font-size: clamp(.9375rem, .85rem + .4vw, 1.0625rem); line-height: 1.5; letter-spacing: 0; }

.in-dns { display: block; margin-top: .5em; color: var(--quiet); font: 400 .8125rem/1.5 var(--mono); letter-spacing: 0; word-break: break-all; }

p.label { margin-top: .75rem; }
label, .label { display: block; margin-bottom: .375rem; font-weight: 600; }
input[type="text"] {
  width: 100%;
  min-height: 3.5rem;
  margin: 0 0 .5rem;
  padding: .625rem 1rem;
  border: 1.5px solid var(--edge);
  border-radius: .625rem;
  background: var(--raised);
  color: var(--ink);
  font: 500 1.1875rem/1.4 var(--mono);
}
.code-input { font-size: 1rem; }
input[aria-invalid="true"] { border-color: var(--bad-edge); border-width: 2px; }
form { margin: 0; }
p + form { margin-top: 1.25rem; }
details + form { margin-top: .75rem; }
#domain-form { margin-top: 2.25rem; }

.button {
  display: inline-flex;
  align-items: center;
  justify-content: center;
  min-height: 3.25rem;
  max-width: 100%;
  padding: .625rem 1.75rem;
  border: 1.5px solid var(--edge);
  border-radius: .625rem;
  background: var(--raised);
  color: var(--ink);
  font: 600 1.0625rem/1.3 var(--sans);
  text-align: center;
  text-decoration: none;
  cursor: pointer;
  transition: background-color .12s, border-color .12s;
}
.button:hover { border-color: var(--ink); }
.button.primary { border-color: var(--accent); background: var(--accent); color: var(--on-accent); }
.button.primary:hover { border-color: var(--accent-strong); background: var(--accent-strong); }
#domain-form > .button, #check-form > .button { margin-top: .75rem; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
input + .hint { margin-top: 0; }
input:focus-visible { outline-offset: 1px; border-color: var(--accent); }

.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 2rem; }
.choices { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 12rem), 1fr)); gap: .75rem; margin: 2rem 0 1rem; }
.choices > .button { border-color: var(--ink); }
.choices > .button:hover { background: var(--ink); color: var(--paper); }

.notice {
  margin: 1.5rem 0;
  padding: 1rem 1.125rem;
  border-inline-start: 4px solid var(--bad-edge);
  border-start-start-radius: .25rem;
  border-start-end-radius: .625rem;
  border-end-end-radius: .625rem;
  border-end-start-radius: .25rem;
  background: var(--bad);
}
.notice.warning { border-color: var(--warn-edge); background: var(--warn); }
.notice > :last-child, .look > :last-child, details > :last-child { margin-bottom: 0; }
.summary { font-weight: 600; }
.notice p, .look p { margin-bottom: .375rem; }
.look { margin-bottom: 1.25rem; padding-inline-start: 1.125rem; border-inline-start: 2px solid var(--line); }
.found { margin: 0 0 .5rem; padding: 0; list-style: none; }
.found > li + li { margin-top: .75rem; }
.found > li > code { display: block; padding: .5rem .75rem; border-radius: .375rem; background: var(--raised); font-size: .875rem; }
.problems { margin: .375rem 0 0; padding-inline-start: 1.25rem; font-size: .9375rem; }

.record { margin: 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--raised); display: grid; grid-template-columns: 1fr 1fr; }
.record > div { grid-column: 1 / -1; padding: .875rem 1.125rem; }
.record > .short { grid-column: auto; }
.record > div + div { border-top: 1px solid var(--line); }
.record > .short + .short { border-inline-start: 1px solid var(--line); }
dt { margin-bottom: .125rem; color: var(--quiet); font-size: .875rem; line-height: 1.5; }
dd { margin: 0; }
.record dd { display: flex; align-items: center; justify-content: space-between; gap: .625rem 1rem; }
.record .short dd { justify-content: flex-start; gap: .5rem; }
#dns-name, #dns-value, .codes code { user-select: all; -webkit-user-select: all; }
.record dd > span { min-width: 0; }
/* Shorter lines end at a space sooner than at a hyphen of the value. */
#dns-value { text-wrap: balance; }

.copy {
  flex: none;
  min-width: 5.75rem;
  min-height: 2.75rem;
  padding: .375rem .875rem;
  border: 1.5px solid var(--edge);
  border-radius: .5rem;
  background: transparent;
  color: var(--ink);
  font: 600 .9375rem/1.3 var(--sans);
  cursor: pointer;
}
.copy:hover { border-color: var(--ink); }

details { margin-top: 1.25rem; }
summary { display: flex; align-items: baseline; gap: .625rem; width: fit-content; min-height: 2.75rem; padding-block: .5rem; color: var(--accent); font-weight: 500; cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: ""; flex: none; width: .45em; height: .45em; border: solid currentColor; border-width: 0 2px 2px 0; translate: 0 -.12em; transform: rotate(-45deg); transition: transform .12s; }
[dir="rtl"] summary::before { transform: rotate(135deg); }
details[open] > summary::before, [dir="rtl"] details[open] > summary::before { transform: rotate(45deg); }
details[open] > summary { margin-bottom: .25rem; }
details > :not(summary) { margin-inline-start: 1.125rem; }
.relative { margin-top: 0; padding: 0; list-style: none; }
.relative li { display: flex; flex-wrap: wrap; align-items: baseline; gap: .25rem .75rem; padding: .375rem 0; }
.relative li > code { padding: .125rem .5rem; border: 1px solid var(--line); border-radius: .375rem; background: var(--raised); }

.servers { margin-block: 0; padding: 0; list-style: none; }
.servers li { padding: .5rem 0; border-top: 1px solid var(--line); }
.servers p { margin-bottom: .25rem; }
.servers li > code { display: block; margin-top: .25rem; padding: .375rem .625rem; border-radius: .375rem; background: var(--raised); font-size: .875rem; }
.by-itself { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; }
.by-itself a { display: inline-block; min-height: 2.75rem; padding-block: .625rem; }

.keep { padding-top: 2.25rem; border-top: 1px solid var(--line); }
.codes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 15rem), 1fr)); gap: .25rem 1.5rem; margin: 1.25rem 0 1rem; padding: 0; list-style: none; counter-reset: code; }
.codes li { display: flex; align-items: baseline; gap: .75rem; padding: .3125rem 0; border-bottom: 1px solid var(--line); line-height: 1.5; counter-increment: code; }
.codes li::before { content: counter(code); flex: none; width: 1.25rem; color: var(--quiet); font: .75rem/1.5 var(--sans); text-align: end; }
.codes code { font-size: .8125rem; }
.codes-foot { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem 1rem; }
.codes-foot p { margin: 0; flex: 1 1 14rem; }

.parties { margin: 1.75rem 0 0; border: 1px solid var(--line); border-radius: .75rem; background: var(--raised); }
.parties + .through { margin-top: 1.25rem; }
.parties > div { padding: 1rem 1.25rem 1.25rem; }
.parties > div + div { border-top: 1px solid var(--line); }
.party-host .host, .parties .domain-name { font-size: clamp(1.125rem, 1rem + .7vw, 1.375rem); line-height: 1.4; }
.parties .domain-name { margin-top: 0; }
.parties .domain-name.long { padding-bottom: .3em; font-size: 1rem; }
.scopes { margin: 0; padding-inline-start: 1.25rem; }
.scopes li::marker { color: var(--accent); }

.error-id { margin-top: 2rem; color: var(--quiet); font-size: .9375rem; }
.error-id code { color: var(--ink); user-select: all; -webkit-user-select: all; }
.way-back { margin-top: 2.75rem; }
.way-back a { display: inline-block; min-width: 2.75rem; padding-block: .625rem; }

.visually-hidden { position: absolute; width: 1px; height: 1px; margin: -1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }

@media (max-width: 27rem) {
  .record dd { flex-wrap: wrap; }
  #dns-name, #dns-value { font-size: .8125rem; }
  .button { width: 100%; }
  .actions form { width: 100%; }
}
@media (prefers-reduced-motion: reduce) {
  *, ::before, ::after { transition: none !important; scroll-behavior: auto !important; }
}
@media (forced-colors: active) {
  .notice, .look { border: 1px solid CanvasText; border-inline-start-width: 4px; }
  .button.primary { border-width: 3px; }
}
@media print {
  .button, .copy, .way-back, details:not([open]) { display: none; }
  body { padding: 0; background: none; color: #000; }
}
`;
