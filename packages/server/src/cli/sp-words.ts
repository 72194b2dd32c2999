// What was found at an SP, in words and as an exit status.

import type { checkSp } from "../operator.ts";
import { STATUS, type Status } from "./exit-status.ts";

type SpReport = Awaited<ReturnType<typeof checkSp>>;

/** 0 for an SP that people can sign in at, 3 for one that does not answer, 1 for any other. */
export function spStatus({ problem }: SpReport): Status {
  if (problem === null) return STATUS.done;
  return problem.kind === "unreachable" ? STATUS.unavailable : STATUS.no;
}

/** Lines of text, not yet safe for a terminal. */
export function spLines({ issuer, requirements, ways, binding, problem }: SpReport): string[] {
  return [
    `service provider ${issuer}`,
    ...(requirements.length === 0 ? [] : ["  metadata: found"]),
    ...requirements.map(({ name, met, needed, reason }) => {
      const mark = met ? "met    " : needed ? "NOT MET" : "waived ";
      return `  ${mark}  ${name}: ${reason}`;
    }),
    ...ways.map((way, index) => `  ${index === 0 ? "client" : "or    "}   ${WAYS[way]}`),
    ...(binding === null ? [] : [`  account  ${BINDINGS[binding]}`]),
    problem === null ? "  people can sign in there" : `  cannot be used: ${problem.detail}`,
  ];
}

const WAYS: Record<SpReport["ways"][number], string> = {
  operator: "by the operator's entry (domain-signin sp)",
  document: "by a client-id metadata document, with private_key_jwt",
  public_document: "by a client-id metadata document, as a public client",
  registration: "by registering there (RFC 7591)",
};

const BINDINGS: Record<NonNullable<SpReport["binding"]>, string> = {
  claims: "its ID token says domain and acct, which both must be those of the record",
  hash: "acct is the hash of issuer, sub and domain (domain-signin check --issuer --sub)",
};
