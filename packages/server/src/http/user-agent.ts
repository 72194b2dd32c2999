// The name of a browser, for a list in which its owner recognises it. Nothing else depends on it.

/** Matched in this order: most browsers also name those that they descend from. */
const BROWSERS = [
  ["edge", /\bEdg(?:e|A|iOS)?\//],
  ["opera", /\b(?:OPR|Opera)\//],
  ["samsung", /\bSamsungBrowser\//],
  ["firefox", /\b(?:Firefox|FxiOS)\//],
  ["chrome", /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//],
  ["safari", /\bVersion\/[\d.]+ .*Safari\//],
] as const;

const SYSTEMS = [
  ["ios", /\b(?:iPhone|iPad|iPod)\b/],
  ["android", /\bAndroid\b/],
  ["chromeos", /\bCrOS\b/],
  ["windows", /\bWindows\b/],
  ["macos", /\bMac OS X\b|\bMacintosh\b/],
  ["linux", /\bLinux\b/],
] as const;

type WordIn<T extends readonly (readonly [string, RegExp])[]> = T[number][0] | "unknown";

export interface BrowserName {
  readonly browser: WordIn<typeof BROWSERS>;
  readonly system: WordIn<typeof SYSTEMS>;
}

/**
 * @example
 * readUserAgent("Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0")
 * // { browser: "firefox", system: "linux" }
 */
export function readUserAgent(header: string | null): BrowserName {
  const text = header?.slice(0, 500) ?? "";
  const browser = BROWSERS.find(([, pattern]) => pattern.test(text))?.[0] ?? "unknown";
  const system = SYSTEMS.find(([, pattern]) => pattern.test(text))?.[0] ?? "unknown";
  return { browser, system };
}
