// An app of a grant: sends a code or a refresh token as its kind of client does.

import { type Answer, monotonic, type Operation, operationOf, type Request } from "../history.ts";
import { formOf } from "../seed.ts";

/** A public client proves its code with PKCE alone, a confidential client sends its secret with each request. */
export type Kind = "public" | "confidential";

export interface App {
  readonly kind: Kind;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Another than the one of the code. */
  readonly codeVerifier?: string;
}

/** A grant before the code is redeemed. */
export interface LateGrant {
  readonly name: string;
  readonly code: string;
  readonly app: App;
}

/** A request of an app about its grant, and how late it was. */
export interface LateOperation extends Operation {
  readonly kind: Kind;
  /** Seconds by which the row was aged since the code or token was first sent. */
  readonly agedS: number;
  /** Whether the service had carried out an earlier request with this code or token. */
  readonly wasCommitted: boolean;
  /** Whole answer, for what tokens do not show. */
  readonly body: string;
}

/** An honest app waits for so long: what it closes earlier counts for nobody. */
const PATIENCE_MS = 45_000;

export function formBodyOf(app: App, request: Pick<Request, "verb" | "input">): string {
  const form = new URLSearchParams(formOf(request, app.clientId).body);
  const { clientSecret, codeVerifier } = app;
  if (clientSecret !== null) form.set("client_secret", clientSecret);
  if (codeVerifier !== undefined) form.set("code_verifier", codeVerifier);
  return form.toString();
}

export async function send(
  to: { readonly name: string; readonly port: number },
  app: App,
  request: Pick<Request, "who" | "grant" | "verb" | "input">,
  late: Pick<LateOperation, "agedS" | "wasCommitted"> = { agedS: 0, wasCommitted: false },
): Promise<LateOperation> {
  const started = monotonic();
  const answer = await post(to.port, formBodyOf(app, request));
  const span = { started, ended: monotonic() };
  const operation = operationOf({ ...request, node: to.name }, answer, span);
  return { ...operation, ...late, kind: app.kind, body: answer.body };
}

async function post(port: number, body: string): Promise<Answer> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  try {
    const response = await fetch(`http://127.0.0.1:${port}/oauth/token`, {
      ...{ method: "POST", body, headers },
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    return { status: response.status, body: await response.text() };
  } catch {
    return { status: 0, body: "" };
  }
}
