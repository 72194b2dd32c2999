// The screens and colour schemes in which pages are checked, and the screenshots of them.

import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";

export interface Appearance {
  readonly width: number;
  readonly height: number;
  readonly colorScheme: "light" | "dark";
}

export const NARROW_LIGHT: Appearance = { width: 320, height: 640, colorScheme: "light" };
export const NARROW_DARK: Appearance = { ...NARROW_LIGHT, colorScheme: "dark" };
export const WIDE_LIGHT: Appearance = { width: 1280, height: 800, colorScheme: "light" };
export const WIDE_DARK: Appearance = { ...WIDE_LIGHT, colorScheme: "dark" };
/** Each next to those that differ from it in one thing only. */
export const ALL_APPEARANCES = [NARROW_LIGHT, NARROW_DARK, WIDE_LIGHT, WIDE_DARK];

/** For people to look at: nothing compares them, and to take them needs more time than all the rest. */
const screenshots = process.env.SCREENSHOTS
  ? fileURLToPath(new URL("../../../../test-results/screenshots/", import.meta.url))
  : null;

/** As file names and findings have it. */
export function nameOf({ width, colorScheme }: Appearance): string {
  return `${width}-${colorScheme}`;
}

export async function show(page: Page, appearance: Appearance): Promise<void> {
  const { width, height, colorScheme } = appearance;
  const before = page.viewportSize();
  if (before?.width !== width || before.height !== height) {
    await page.setViewportSize({ width, height });
  }
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
}

/** `name` says which page it is, and in which language. */
export async function screenshot(page: Page, name: string, appearance: Appearance): Promise<void> {
  if (screenshots === null) return;
  const path = `${screenshots}${name}-${nameOf(appearance)}.png`;
  await page.screenshot({ path, fullPage: true });
}
