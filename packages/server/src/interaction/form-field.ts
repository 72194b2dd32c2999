// Reads one field of a posted page form.

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import { PageError } from "./page-error.ts";
import type { PendingRequest } from "./pending-request.ts";

/** The value of the field, or an empty string. Throws `PageError` for a malformed form. */
export async function formField(
  http: HttpRequest,
  name: string,
  pending: PendingRequest,
): Promise<string> {
  try {
    return (await readForm(http)).values.get(name) ?? "";
  } catch (error) {
    if (error instanceof FormError) throw new PageError(400, "malformedRequest", pending);
    throw error;
  }
}
