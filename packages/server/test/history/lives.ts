// Clients that live grants from the code to the end, and lose no thread when a node goes away.

import { type Answer, monotonic, type Operation, operationOf, type Request } from "./history.ts";
import { formOf, type Seeded } from "./seed.ts";

/** The node that is to be asked now; resolves when one is up. */
export type NodeNow = () => Promise<{ readonly name: string; readonly port: number }>;

export interface Lives {
  readonly operations: readonly Operation[];
  /** Ends the load; resolves when nothing is under way. */
  stop(): Promise<void>;
}

const TIMEOUT = 20_000;
const ROTATIONS = 12;
const WITNESSES = 8;
/** Milliseconds before a lost request is sent again. */
const PAUSE = 10;

/** `random` picks between 0 and 1 what a client does next. Before each rotation it waits for `thinkMs`. */
export function startLives(
  seeded: Seeded,
  options: { clients: number; node: NodeNow; random: () => number; thinkMs?: number },
): Lives {
  const { node, random, thinkMs = 0 } = options;
  const operations: Operation[] = [];
  const queue = seeded.grants.values();
  const signal = { stopped: false };

  async function send(request: Omit<Request, "node">): Promise<Operation> {
    const to = await node();
    const done = await ask(to, request, seeded.clientId);
    operations.push(done);
    return done;
  }

  /** Sends it again until there is an answer, as a client does that is cut off. */
  async function insist(request: Omit<Request, "node">): Promise<Operation> {
    for (;;) {
      const done = await send(request);
      if (done.outcome !== "unknown" || signal.stopped) return done;
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
  }

  async function live(who: string, grant: string, code: string): Promise<void> {
    const about = { who, grant };
    let { successor } = await insist({ ...about, verb: "redeem", input: code });
    for (let left = Math.ceil(random() * ROTATIONS); left > 0 && !signal.stopped; left--) {
      if (successor === undefined) return;
      if (thinkMs > 0) await new Promise((resolve) => setTimeout(resolve, thinkMs));
      const request = { ...about, verb: "rotate", input: successor } as const;
      // Two tabs refresh at once, or one alone.
      const both = random() < 0.2 ? [insist(request), insist(request)] : [insist(request)];
      successor = (await Promise.all(both)).find((one) => one.outcome === "ok")?.successor;
    }
    if (successor === undefined || signal.stopped || random() < 0.5) return;
    const { outcome } = await insist({ ...about, verb: "revoke", input: successor });
    if (outcome === "ok") await insist({ ...about, verb: "rotate", input: successor });
  }

  async function work(who: string): Promise<void> {
    for (const { name, code } of queue) {
      await live(who, name, code);
      if (signal.stopped) return;
    }
  }

  const clients = Array.from({ length: options.clients }, (_, index) => work(`client ${index}`));
  return {
    operations,
    async stop() {
      signal.stopped = true;
      await Promise.all(clients);
    },
  };
}

/** Presents what each grant is at, and its code once more. Gives back these operations. */
export async function askAgain(
  seeded: Seeded,
  operations: readonly Operation[],
  node: NodeNow,
): Promise<Operation[]> {
  const codes = new Map(seeded.grants.map(({ name, code }) => [name, code]));
  const last = new Map<string, string>();
  for (const { grant, outcome, successor } of operations) {
    if (outcome === "ok" && successor !== undefined) last.set(grant, successor);
  }
  const to = await node();
  const done: Operation[] = [];
  const queue = last.entries();
  const work = async () => {
    for (const [grant, input] of queue) {
      const about = { who: "witness", grant };
      done.push(await ask(to, { ...about, verb: "rotate", input }, seeded.clientId));
      const code = codes.get(grant) ?? "";
      done.push(await ask(to, { ...about, verb: "redeem", input: code }, seeded.clientId));
    }
  };
  await Promise.all(Array.from({ length: WITNESSES }, work));
  return done;
}

export async function ask(
  to: { readonly name: string; readonly port: number },
  request: Omit<Request, "node">,
  clientId: string,
): Promise<Operation> {
  const { path, body } = formOf(request, clientId);
  const started = monotonic();
  const answer = await post(`http://127.0.0.1:${to.port}${path}`, body);
  return operationOf({ ...request, node: to.name }, answer, { started, ended: monotonic() });
}

async function post(url: string, body: string): Promise<Answer> {
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  try {
    const signal = AbortSignal.timeout(TIMEOUT);
    const response = await fetch(url, { method: "POST", body, headers, signal });
    return { status: response.status, body: await response.text() };
  } catch {
    // Refused, reset or too late: nobody knows what became of it.
    return { status: 0, body: "" };
  }
}
