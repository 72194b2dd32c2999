// What clients did to grants and what they were told, in the order of one clock.

/** A node's answer; `unknown` is a lost one: it may have taken effect, then or never. */
export type Outcome = "ok" | "fail" | "unknown";

/** One request about one grant, by the client that the grant belongs to. */
export interface Operation {
  readonly who: string;
  /** The process that was asked. */
  readonly node: string;
  /** The tester's own name for the grant. */
  readonly grant: string;
  /** `redeem` presents a code, `rotate` a refresh token, `revoke` any token of the grant. */
  readonly verb: "redeem" | "rotate" | "revoke";
  /** The token presented. */
  readonly input: string;
  /** Milliseconds of a clock that all who record share. */
  readonly started: number;
  readonly ended: number;
  readonly outcome: Outcome;
  /** The refresh token that came back. */
  readonly successor?: string;
  /** Of the HTTP answer; 0 when there was none. */
  readonly status: number;
}

export type Request = Pick<Operation, "who" | "node" | "grant" | "verb" | "input">;

/** As much of an HTTP answer as a history is about. */
export interface Answer {
  readonly status: number;
  readonly body: string;
}

/** Milliseconds since some moment that is the same for every process of the machine. */
export function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The operation that a request became. Whatever is neither a success nor a refusal is unknown. */
export function operationOf(
  request: Request,
  answer: Answer,
  time: { started: number; ended: number },
): Operation {
  const { status } = answer;
  const said = status === 200 || status === 400 ? parsed(answer.body) : {};
  const operation = { ...request, ...time, status };
  if (status === 400 && said.error === "invalid_grant") return { ...operation, outcome: "fail" };
  if (status !== 200) return { ...operation, outcome: "unknown" };
  if (request.verb === "revoke") return { ...operation, outcome: "ok" };
  if (typeof said.refresh_token !== "string") throw new Error("a success without refresh token");
  return { ...operation, outcome: "ok", successor: said.refresh_token };
}

/**
 * What was known at a moment: later operations are left out, and what was under way is unknown.
 * Its successor stays, since it may be presented and may have been stored.
 */
export function knownAt(
  operations: readonly Operation[],
  at: { acknowledged: number; begun: number },
): Operation[] {
  return operations
    .filter(({ started }) => started < at.begun)
    .map((operation) =>
      operation.ended < at.acknowledged ? operation : { ...operation, outcome: "unknown" },
    );
}

function parsed(body: string): { error?: unknown; refresh_token?: unknown } {
  if (body === "") return {};
  const value: unknown = JSON.parse(body);
  return typeof value === "object" && value !== null ? value : {};
}
