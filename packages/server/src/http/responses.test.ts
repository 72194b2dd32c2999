// Tests of static files: which browsers get them compressed.

import { gunzipSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { staticFile } from "./responses.ts";

const body = "body { color: black }".repeat(9);
const gzipped = new Uint8Array(gzipSync(body));

describe("a static file", () => {
  test.each(["gzip", "gzip, deflate, br, zstd", "deflate, GZIP;q=0.5", "br;q=1, gzip;q=0.001"])(
    "is compressed for `Accept-Encoding: %s`",
    (accepted) => {
      const { headers, octets, ...rest } = staticFile(
        { contentType: "text/css", body, gzipped },
        accepted,
      );
      expect(rest).toEqual({ status: 200, body: "" });
      expect(headers).toMatchObject({ "content-encoding": "gzip", vary: "accept-encoding" });
      expect(gunzipSync(octets ?? "").toString()).toBe(body);
    },
  );

  test.each([null, "", "identity", "gzip;q=0", "br, gzip; q=0.000", "gzip;q=0, br", "xgzipx"])(
    "is not compressed for %s",
    (accepted) => {
      const { headers, ...rest } = staticFile({ contentType: "text/css", body, gzipped }, accepted);
      expect(rest).toEqual({ status: 200, body });
      expect(headers).not.toHaveProperty("content-encoding");
      expect(headers).toMatchObject({ vary: "accept-encoding" });
    },
  );
});
