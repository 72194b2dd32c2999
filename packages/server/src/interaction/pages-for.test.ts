// Tests of where a request says which language the person in front of it reads.

import { expect, test } from "vitest";
import { pagesFor } from "./pages-for.ts";

async function langOf(query: string, acceptLanguage?: string, pending?: string) {
  const header = (name: string) =>
    (name === "accept-language" ? acceptLanguage : undefined) ?? null;
  const context = await pagesFor(
    { header, query },
    pending === undefined ? pending : { query: pending },
  );
  return context.lang;
}

test("the query of the request itself goes before the browser's wish", async () => {
  expect(await langOf("client_id=x&ui_locales=de", "fr")).toBe("de");
  expect(await langOf("client_id=x", "fr")).toBe("fr");
  expect(await langOf("client_id=x")).toBe("en");
});

test("the query of the authorization request that it belongs to goes before both", async () => {
  expect(await langOf("ui_locales=de", "fr", "client_id=x&ui_locales=es")).toBe("es");
  expect(await langOf("ui_locales=de", "fr", "client_id=x")).toBe("fr");
});

test("it is read as a form is: encoded, with + for a space", async () => {
  expect(await langOf("ui_locales=ja+de")).toBe("de");
  expect(await langOf("ui_locales=ja%20%70%74-BR")).toBe("pt-BR");
  expect(await langOf("%75i_locales=de")).toBe("de");
});

test("what cannot be decoded is no mistake", async () => {
  expect(await langOf("ui_locales=%ff%zz&x=%", "de")).toBe("de");
  expect(await langOf("?&&==", "de")).toBe("de");
});
