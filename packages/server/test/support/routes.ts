// The rows of the route table without a service: their handlers are never called.

import type { Handlers } from "../../src/assemble.ts";
import { type Row, routeTable } from "../../src/routes.ts";

export const ROUTES: readonly Row[] = routeTable({} as Handlers);
