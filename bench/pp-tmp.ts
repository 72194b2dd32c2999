import { parseParameters } from "../packages/server/src/http/form.ts";

const b = Buffer.from("grant_type=refresh_token&refresh_token=dsr_" + "a".repeat(71));
function t(n: string, f: () => any) {
  for (let i = 0; i < 50000; i++) f();
  const s = process.hrtime.bigint();
  for (let i = 0; i < 300000; i++) f();
  console.log(n, (Number(process.hrtime.bigint() - s) / 300000 / 1000).toFixed(2));
}
t("parse", () => parseParameters(b.toString()));
t("toString", () => b.toString());
t("latin1", () => b.latin1Slice());
const s0 = b.toString();
t("parse only", () => parseParameters(s0));
t("map+set", () => [new Map().set("a", 1).set("b", 2), new Set()]);
t("split", () => s0.split("&"));
t("regex", () => /[%+]/.test(s0));
t("map fresh str", () => {
  const s = b.toString();
  const m = new Map();
  m.set(s.slice(0, 10), 1);
  m.set(s.slice(25, 38), 2);
  return m.get("refresh_token");
});
