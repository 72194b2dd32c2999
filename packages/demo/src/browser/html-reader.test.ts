// Tests of the HTML reader.

import fc from "fast-check";
import { html } from "hono/html";
import { expect, test } from "vitest";
import "../../../verify/test/support/random-seed.ts";
import { type Form, readHtml } from "./html-reader.ts";

test("text and attributes are decoded", () => {
  const page = readHtml(`<body data-step="dns-setup">
    <code id="dns-value">v=dsi1 a=&quot;b&quot; &amp;amp; &lt;&#39;&#x27;&#128512;&gt;&nbsp;&unknown; & &#99999999;</code>
    <a id='back' href='/a?b=c&amp;d=e'>Back <b>to <i>us</i></b></a>`);
  expect(page.step).toBe("dns-setup");
  expect(page.byId("dns-value")?.text).toBe(
    "v=dsi1 a=\"b\" &amp; <''\u{1f600}>\u00a0&unknown; & \u{fffd}",
  );
  expect(page.byId("back")?.attributes.get("href")).toBe("/a?b=c&d=e");
  expect(page.byId("back")?.text).toBe("Back to us");
  expect(page.byId("nothing")).toBeUndefined();
});

test("what is written with hono/html is read as it was, but for what no page can hold", () => {
  // NUL is dropped or replaced, and CR is read as LF (HTML §13.2.3.5, §13.2.5).
  const text = fc.string({ unit: "binary" }).map((value) => value.replace(/[\0\r]/g, ""));
  fc.assert(
    fc.property(text, (value) => {
      const written = String(
        html`<form><input name="x" value="${value}"></form><p id="p">${value}</p>`,
      );
      expect(onlyForm(written).controls).toEqual([{ name: "x", value, isOn: true }]);
      expect(readHtml(written).byId("p")?.text).toBe(value);
    }),
  );
});

test("scripts, styles and comments are not markup", () => {
  const page = readHtml(`<title>a &lt; <b></title><!-- <form id="no"> -->
    <script>if (a<b && "</form>" > '') { "<form id='no'>" }</script><style>a::before { content: "<form>" }</style>
    <textarea name="outside"><form></textarea><form id="yes"></form>`);
  expect(page.forms.map(({ id }) => id)).toEqual(["yes"]);
});

test("a form is its method, its action and every control that belongs to it", () => {
  const form = onlyForm(`<input name="before" value="1" form="f">
    <form id="f" method="POST" action="/do?a=b">
    <input type="hidden" name="hidden" value="h"><INPUT NAME=bare VALUE=v disabled><input name=empty>
    <input value="no name"><input type="checkbox" name="off"><input type="radio" name="on" value="r" checked>
    <select name="type"><option>TXT</option><option value="C" selected>CNAME</option></select>
    <select name="first"><option> A </option><option>B</option></select><textarea name="area">a&amp;b</textarea>
    <input name="elsewhere" form="g"><button name="decision" value="allow">Allow</button>
    <button type="button">Copy</button><input type="submit" value="Go"><p>unclosed</form><input name="after">`);
  expect(form).toEqual({
    id: "f",
    method: "POST",
    action: "/do?a=b",
    enctype: "application/x-www-form-urlencoded",
    controls: [
      { name: "before", value: "1", isOn: true },
      { name: "hidden", value: "h", isOn: true },
      { name: "empty", value: "", isOn: true },
      { name: "off", value: "on", isOn: false },
      { name: "on", value: "r", isOn: true },
      { name: "type", value: "C", isOn: true },
      { name: "first", value: "A", isOn: true },
      { name: "area", value: "a&b", isOn: true },
    ],
    buttons: [
      { name: "decision", value: "allow" },
      { name: "", value: "Go" },
    ],
  });
});

test("no text makes the reader fail", () => {
  fc.assert(fc.property(fc.string(), (text) => void readHtml(`<p ${text}<p>${text}`)));
});

function onlyForm(text: string): Form {
  const { forms } = readHtml(text);
  expect(forms).toHaveLength(1);
  const [form] = forms;
  if (form === undefined) throw new Error("no form");
  return form;
}
