// The settings of a registered resource, and the checks of what an operator gives.

import { z } from "zod";
import { OperatorError } from "../lib/errors.ts";
import { type ResourceRegistration, resourceUriProblem } from "./resource.ts";

export const RESOURCE_DEFAULTS = { signing_alg: "ES256" } as const;

/** With those of the service, they fit into the scope mask of an access token. */
const MAX_SCOPES = 24;

const scope = z.strictObject({
  name: z
    .string()
    .max(64, "is longer than 64 characters")
    .regex(/^[\x21\x23-\x3c\x3e-\x5b\x5d-\x7e]+$/, "is not the name of a scope"),
  description: z
    .string()
    .trim()
    .min(1, "has no description: write NAME=WHAT IT ALLOWS")
    .max(200, "has a description of more than 200 characters")
    .regex(/^\P{C}*$/u, "has a control character in its description"),
});

const registration = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, "is empty")
    .max(100, "is longer than 100 characters")
    .regex(/^\P{C}*$/u, "contains a control character"),
  scopes: z.array(scope).max(MAX_SCOPES, `has more than ${MAX_SCOPES} entries`).default([]),
  signing_alg: z.enum(["ES256", "RS256", "EdDSA"]).default(RESOURCE_DEFAULTS.signing_alg),
});

export type ResourceInput = z.input<typeof registration>;

/**
 * Returns the validated settings. `reserved` are the scopes of the service. Throws an `OperatorError` that lists
 * all mistakes, each with the option of `resources add`.
 */
export function readResourceRegistration(
  uri: string,
  input: ResourceInput,
  reserved: readonly string[],
): ResourceRegistration {
  const { success, data, error } = registration.safeParse(input);
  const names = (input.scopes ?? []).map(({ name }) => name);
  const uriProblem = resourceUriProblem(uri);
  const mistakes = [
    ...(uriProblem === null ? [] : [`the resource ${uri} ${uriProblem}`]),
    ...(error?.issues ?? []).map(({ path: [field, index], message }) => {
      const entry = typeof index === "number" ? ` ${names[index] || "(no name)"}` : "";
      return `${String(field)} (--${String(field).replace(/s$/, "").replaceAll("_", "-")})${entry} ${message}`;
    }),
    ...names
      .filter((name) => reserved.includes(name))
      .map((name) => `scopes (--scope) ${name} is a scope of this service`),
    ...names
      .filter((name, index) => names.indexOf(name) !== index)
      .map((name) => `scopes (--scope) ${name} is given twice`),
  ];
  if (success && mistakes.length === 0) return data;
  throw new OperatorError(mistakes.join("\n"));
}
