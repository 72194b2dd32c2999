// A database belongs to the issuer that it was begun with: records and tokens name it.

import { expect, test } from "vitest";
import { OperatorError } from "../../src/lib/errors.ts";
import { createService } from "../../src/service.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { makeTestKey } from "../support/test-keys.ts";

const folder = temporaryFolder();

test("a start with another issuer host is refused, and the first one's goes on", async () => {
  const start = async (issuer: string) => {
    const service = createService(
      {
        ...{ issuer, database: folder.file("a.db"), secret: "a secret for this test alone" },
        ...{ dnsServers: ["127.0.0.1:53"], minAssurance: "single", trustAnchors: [] },
        allowedSpecialNames: [],
      },
      { makeKey: makeTestKey },
    );
    return service.ready().finally(() => service.close());
  };
  await start("https://auth.example.org");
  const refused = expect(start("https://auth.example.com")).rejects;
  await refused.toThrow("belongs to issuer host auth.example.org");
  await expect(start("https://auth.example.com")).rejects.toBeInstanceOf(OperatorError);
  await start("https://auth.example.org");
});
