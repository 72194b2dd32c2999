// One field of a page's form.

import { FormError, readForm } from "../http/form.ts";
import type { HttpRequest } from "../http/message.ts";
import { PageError } from "./page-error.ts";
import type { PendingRequest } from "./pending-request.ts";

/** The field as it was sent, or empty. A form that cannot be read is a page that leads back to the app. */
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
