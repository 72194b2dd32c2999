// Tests of the names of browsers: what the usual ones send.

import { describe, expect, test } from "vitest";
import { isWebView, readUserAgent } from "./user-agent.ts";

const BLINK = "AppleWebKit/537.36 (KHTML, like Gecko)";
const WEBKIT = "AppleWebKit/605.1.15 (KHTML, like Gecko)";
const LINUX = "X11; Linux x86_64; rv:140.0";
const WINDOWS = "Windows NT 10.0; Win64; x64";
const MAC = "Macintosh; Intel Mac OS X 10_15_7";
const ANDROID = "Linux; Android 10; K";
const CHROME_OS = "X11; CrOS x86_64 14541.0.0";
const IPHONE = "iPhone; CPU iPhone OS 18_0 like Mac OS X";
const IPAD = "iPad; CPU OS 18_0 like Mac OS X";
const CHROME = `${BLINK} Chrome/140.0.0.0`;
const SAMSUNG = `${BLINK} SamsungBrowser/29.0 Chrome/136.0.0.0`;

describe("a browser is recognised", () => {
  test.each([
    ["firefox linux", LINUX, "Gecko/20100101 Firefox/140.0"],
    ["firefox ios", IPHONE, `${WEBKIT} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`],
    ["chrome windows", WINDOWS, `${CHROME} Safari/537.36`],
    ["chrome android", ANDROID, `${CHROME} Mobile Safari/537.36`],
    ["chrome ios", IPAD, `${WEBKIT} CriOS/140.0.0.0 Mobile/15E148 Safari/604.1`],
    ["chrome chromeos", CHROME_OS, `${CHROME} Safari/537.36`],
    ["edge windows", WINDOWS, `${CHROME} Safari/537.36 Edg/140.0.0.0`],
    ["opera macos", MAC, `${CHROME} Safari/537.36 OPR/124.0.0.0`],
    ["samsung android", ANDROID, `${SAMSUNG} Mobile Safari/537.36`],
    ["safari macos", MAC, `${WEBKIT} Version/18.0 Safari/605.1.15`],
    ["safari ios", IPHONE, `${WEBKIT} Version/18.0 Mobile/15E148 Safari/604.1`],
  ])("%s", (expected, machine, engine) => {
    expect(readUserAgent(`Mozilla/5.0 (${machine}) ${engine}`)).toBe(expected);
  });
});

test.each([[null], [""], ["curl/8.0"], [`${"x".repeat(10_000)}Firefox/1`], ["<script>"]])(
  "anything else is unknown: %s",
  (header) => {
    expect(readUserAgent(header)).toBe("unknown unknown");
  },
);

describe("a window of an app", () => {
  const APPLE = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15";
  const ANDROID = "Mozilla/5.0 (Linux; Android 15; Pixel 9";
  test.each([
    [
      "Android's WebView",
      `${ANDROID}; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile`,
      true,
    ],
    ["that of iOS", `${APPLE} (KHTML, like Gecko) Mobile/15E148`, true],
    [
      "that of an app that names itself",
      `${APPLE} Mobile/15E148 Instagram 390.0 Safari/604.1`,
      true,
    ],
    [
      "Chrome on Android",
      `${ANDROID}) AppleWebKit/537.36 Chrome/140.0 Mobile Safari/537.36`,
      false,
    ],
    [
      "Safari on iOS",
      `${APPLE} (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1`,
      false,
    ],
    ["a desktop", "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", false],
    ["nothing", null, false],
  ])("is recognised in the words of %s", (_, header, isOne) => {
    expect(isWebView(header)).toBe(isOne);
  });
});
