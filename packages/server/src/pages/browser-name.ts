// The name of a browser, or of a passkey, which has that of the browser in which it was made until its owner renames it.

import { BROWSER_NAMES, SYSTEM_NAMES } from "../lib/user-agent.ts";
import type { PageContext } from "./layout.ts";

/** `name` as stored: `firefox linux`, with the words of `readUserAgent`; or any text, which is returned unchanged. */
export function browserName({ t }: PageContext, name: string): string {
  const [word = "", systemWord = "", ...more] = name.split(" ");
  const isStored = BROWSER_NAMES.has(word) || word === "unknown";
  const isSystem = SYSTEM_NAMES.has(systemWord) || systemWord === "unknown";
  if (!isStored || !isSystem || more.length > 0) return name;
  const browser = BROWSER_NAMES.get(word) ?? t("account-unknownBrowser");
  const system = SYSTEM_NAMES.get(systemWord);
  return system === undefined ? browser : t("account-browserOn", { browser, system });
}
