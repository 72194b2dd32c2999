// The name of a browser, or of a passkey, which has that of the browser in which it was made until its owner renames it.

import type { PageContext } from "./layout.ts";

const BROWSERS: Readonly<Record<string, string>> = {
  ...{ edge: "Edge", opera: "Opera", samsung: "Samsung Internet", firefox: "Firefox" },
  ...{ chrome: "Chrome", safari: "Safari" },
};
const SYSTEMS: Readonly<Record<string, string>> = {
  ...{ ios: "iOS", android: "Android", chromeos: "ChromeOS", windows: "Windows" },
  ...{ macos: "macOS", linux: "Linux" },
};

/** `name` as stored: `firefox linux`, with the words of `readUserAgent`; or any text, which is returned unchanged. */
export function browserName({ t }: PageContext, name: string): string {
  const [word = "", system = "", ...more] = name.split(" ");
  const isStored = Object.hasOwn(BROWSERS, word) || word === "unknown";
  const isSystem = Object.hasOwn(SYSTEMS, system) || system === "unknown";
  if (!isStored || !isSystem || more.length > 0) return name;
  const browser = BROWSERS[word] ?? t("account-unknownBrowser");
  const shownSystem = SYSTEMS[system];
  return shownSystem === undefined
    ? browser
    : t("account-browserOn", { browser, system: shownSystem });
}
