// What browsers say about themselves: names by which an owner recognises them, and whether they are part of an app.
// Only texts depend on it.

/** Stored word, name and pattern. The order matters: most browsers also name their ancestors. */
const BROWSERS = [
  ["edge", "Edge", /\bEdg(?:e|A|iOS)?\//],
  ["opera", "Opera", /\b(?:OPR|Opera)\//],
  ["samsung", "Samsung Internet", /\bSamsungBrowser\//],
  ["firefox", "Firefox", /\b(?:Firefox|FxiOS)\//],
  ["chrome", "Chrome", /\b(?:(?:Headless)?Chrome|CriOS|Chromium)\//],
  ["safari", "Safari", /\bVersion\/[\d.]+ .*Safari\//],
] as const;

const SYSTEMS = [
  ["ios", "iOS", /\b(?:iPhone|iPad|iPod)\b/],
  ["android", "Android", /\bAndroid\b/],
  ["chromeos", "ChromeOS", /\bCrOS\b/],
  ["windows", "Windows", /\bWindows\b/],
  ["macos", "macOS", /\bMac OS X\b|\bMacintosh\b/],
  ["linux", "Linux", /\bLinux\b/],
] as const;

/** The names by the stored words. `unknown` has none. */
export const BROWSER_NAMES = new Map<string, string>(BROWSERS.map(([word, name]) => [word, name]));
export const SYSTEM_NAMES = new Map<string, string>(SYSTEMS.map(([word, name]) => [word, name]));

/** The words of the browser and of its system, such as `firefox linux`. A word is `unknown` if no pattern matches. */
export function readUserAgent(header: string | null): string {
  const text = header?.slice(0, 500) ?? "";
  const [browser] = BROWSERS.find(([, , pattern]) => pattern.test(text)) ?? ["unknown"];
  const [system] = SYSTEMS.find(([, , pattern]) => pattern.test(text)) ?? ["unknown"];
  return `${browser} ${system}`;
}

/** Android's WebView, that of iOS (which does not name Safari), and apps that name themselves. */
const WEB_VIEWS =
  /; wv\)|\b(?:iPhone|iPad|iPod)\b(?!.*\bSafari\/)|\b(?:FBAN|FBAV|Instagram|Line|MicroMessenger|Snapchat|LinkedInApp|GSA)\b/;

/** Whether the browser is a window of an app, which has other cookies than the person's browser. */
export function isWebView(header: string | null): boolean {
  return WEB_VIEWS.test(header?.slice(0, 500) ?? "");
}
