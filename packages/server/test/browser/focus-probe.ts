// What a person who uses only the keyboard cannot reach or see on a page.

import type { CDPSession, Page } from "playwright-core";
import { PROBE_HELPERS } from "./probe-helpers.ts";

const TAB = { key: "Tab", code: "Tab", windowsVirtualKeyCode: 9 };

/** Goes through the page with the Tab key: each target is reached, is in sight, and shows its focus. */
export async function focusFindings(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  try {
    const targets = await page.evaluate<number>(`(() => { ${PROBE_HELPERS} ${START} })()`);
    let missed = await pressTab(session, page, targets + 1);
    // Twice around: the field that has the focus at first is not the first of the page.
    if (missed.length > 0) missed = await pressTab(session, page, targets + 1);
    const findings = await page.evaluate<string[]>("focusProbe.end()");
    return [...findings, ...missed.map((name) => `${name} is not reached by Tab`)];
  } finally {
    await session.detach();
  }
}

/** Presses the key that many times; the targets that never had the focus so far. */
async function pressTab(session: CDPSession, page: Page, times: number): Promise<string[]> {
  // Nobody waits for each key: the browser handles them in their order.
  const keys = Array.from({ length: times }, () => [
    session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...TAB }),
    session.send("Input.dispatchKeyEvent", { type: "keyUp", ...TAB }),
  ]);
  await Promise.all(keys.flat());
  return page.evaluate<string[]>("focusProbe.missed()");
}

/** Looks at what has the focus at each key that goes up: by then the Tab key has taken effect. */
const START = `
  const missed = new Set(targets().map(nameOf));
  const findings = new Set();
  const look = () => {
    const element = document.activeElement;
    if (!element || element === document.body) return;
    const name = nameOf(element);
    missed.delete(name);
    const style = getComputedStyle(element);
    if (style.outlineStyle === "none" || parseFloat(style.outlineWidth) < 2) {
      findings.add(name + " does not show that it has the focus");
    } else if (contrast(style.outlineColor, ground(element.parentElement)) < 3) {
      findings.add(name + " shows its focus too faintly");
    }
    const { top, bottom } = element.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight) findings.add(name + " has the focus out of sight");
  };
  const listening = new AbortController();
  addEventListener("keyup", look, { capture: true, signal: listening.signal });
  globalThis.focusProbe = {
    missed: () => [...missed],
    end: () => {
      listening.abort();
      return [...findings];
    },
  };
  return targets().length;
`;
