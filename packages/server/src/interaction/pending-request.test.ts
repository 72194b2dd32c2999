// Tests of how the language of the pages is chosen.

import { expect, test } from "vitest";
import { requestWithHeaders } from "../../test/support/http-request.ts";
import { pagesWithout } from "./pending-request.ts";

function langOf(query: string, acceptLanguage?: string, pending?: string) {
  const http = requestWithHeaders({ "accept-language": acceptLanguage ?? null });
  return pagesWithout({ ...http, query }, pending).lang;
}

test("the query of the request itself goes before the browser's wish", () => {
  expect(langOf("client_id=x&ui_locales=de", "fr")).toBe("de");
  expect(langOf("client_id=x", "fr")).toBe("fr");
  expect(langOf("client_id=x")).toBe("en");
});

test("the query of the authorization request that it belongs to goes before both", () => {
  expect(langOf("ui_locales=de", "fr", "client_id=x&ui_locales=es")).toBe("es");
  expect(langOf("ui_locales=de", "fr", "client_id=x")).toBe("fr");
});

test("it is read as a form is: encoded, with + for a space", () => {
  expect(langOf("ui_locales=ja+de")).toBe("de");
  expect(langOf("ui_locales=ja%20%70%74-BR")).toBe("pt-BR");
  expect(langOf("%75i_locales=de")).toBe("de");
});

test("what cannot be decoded is no mistake", () => {
  expect(langOf("ui_locales=%ff%zz&x=%", "de")).toBe("de");
  expect(langOf("?&&==", "de")).toBe("de");
});
