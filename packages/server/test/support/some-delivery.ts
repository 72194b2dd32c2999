// The delivery of an answer for tests that present tokens to a grant type, not to the endpoint.

import type { Delivery } from "../../src/oauth/delivery.ts";
import { someId } from "./store-rows.ts";

export function someDelivery(changes: Partial<Delivery> = {}): Delivery {
  return {
    attempt: someId(),
    begin: () => {},
    whenBegun: () => {},
    failed: () => {},
    hungUp: () => {},
    isFromElsewhere: () => false,
    ...changes,
  };
}
