// Which issuers a record may name, for an operator who types one.

import { formatSpRecord, type IssuerOptions, parseSpRecord } from "domain-signin-verify/record";

/** Which SPs a record may name besides those of https on the usual port, beside an issuer of our own. */
export function issuerOptions(ownIssuer: string): Required<IssuerOptions> {
  return {
    allowLoopbackIssuer: ownIssuer.startsWith("http:"),
    // An operator whose own issuer has a port gives leave for ports by that.
    allowIssuerPort: new URL(ownIssuer).port !== "",
  };
}

/** By the rules of the record, which has to name it; null if there is none. */
export function issuerMistake(issuer: string, options: IssuerOptions): string | null {
  const record = { sp: issuer, acct: "a".repeat(22) };
  const parsed = parseSpRecord(formatSpRecord(record), options);
  if (parsed.outcome === "ok" && parsed.record.sp === issuer && issuer !== "none") return null;
  const problems = parsed.outcome === "invalid" ? parsed.problems : [];
  const [why = "It is not the URL of an issuer."] = problems.map(({ message }) => message);
  return `no record can name ${JSON.stringify(issuer)} as its sp: ${why}`;
}
