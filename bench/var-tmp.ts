import { createServer } from "node:http";
import { readForm } from "../packages/server/src/http/form.ts";
import { listen } from "../packages/server/src/http/listen.ts";
import { answerNode } from "../packages/server/src/http/node-adaptor.ts";
import { answerNode as answerX } from "./adaptor-tmp.ts";
import { listen as listenX } from "./listen-tmp.ts";

const [headers, octets] = JSON.parse(process.argv[2]);
const V = process.env.VAR ?? "floor";
const body = "x".repeat(octets);
const TH = headers;
const done = (port: number) => console.log(JSON.stringify({ port }));
if (V === "floor" || V === "opts") {
  const s = createServer(
    V === "opts"
      ? {
          headersTimeout: 10000,
          requestTimeout: 15000,
          connectionsCheckingInterval: 1000,
          keepAliveTimeout: 65000,
        }
      : {},
    (request, response) => {
      request.on("data", () => {});
      request.on("end", () => {
        response.writeHead(200, headers);
        response.end(body);
      });
    },
  );
  if (V === "opts") s.timeout = 60000;
  s.listen(0, "127.0.0.1", () => done((s.address() as any).port));
} else if (V.startsWith("f-")) {
  const { parseParameters } = await import("../packages/server/src/http/form.ts");
  const R = { status: 200, headers: TH, body };
  const handler =
    V === "f-form"
      ? async (http: any) => {
          await readForm(http);
          return R;
        }
      : V === "f-parse"
        ? async (http: any) => {
            parseParameters((await http.body(16000)).toString());
            return R;
          }
        : V === "f-two"
          ? async (http: any) => {
              await (async () => await http.body(16000))();
              return R;
            }
          : V === "f-string"
            ? async (http: any) => {
                (await http.body(16000)).toString();
                return R;
              }
            : async (http: any) => {
                await http.body(16000);
                return R;
              };
  const l = await listen(handler as any, { host: "127.0.0.1", port: 0 });
  done(l.port);
} else if (V.startsWith("l-")) {
  const handler = async (http: any) => {
    await http.body(16000);
    return { status: 200, headers: TH, body };
  };
  const l = await listenX(handler as any, { host: "127.0.0.1", port: 0 });
  done(l.port);
} else if (V.startsWith("x")) {
  const handler = async (http: any) => {
    await http.body(16000);
    return { status: 200, headers: TH, body };
  };
  const s = createServer((i, o) => {
    void answerX(i, o, handler as any);
  });
  s.listen(0, "127.0.0.1", () => done((s.address() as any).port));
} else if (V === "plain") {
  const s = createServer(async (request, response) => {
    const b = await new Promise<Buffer>((resolve) => {
      const c: Buffer[] = [];
      request.on("data", (x) => c.push(x));
      request.on("end", () => resolve(c[0]));
    });
    response.writeHead(200, headers);
    response.end(body);
  });
  s.listen(0, "127.0.0.1", () => done((s.address() as any).port));
} else if (V.startsWith("adaptor")) {
  const handler =
    V === "adaptor-form"
      ? async (http: any) => {
          await readForm(http);
          return { status: 200, headers: TH, body };
        }
      : V === "adaptor-sync"
        ? (http: any) => {
            http.body(16000);
            return { status: 200, headers: TH, body };
          }
        : async (http: any) => {
            await http.body(16000);
            return { status: 200, headers: TH, body };
          };
  const s = createServer((i, o) => {
    void answerNode(i, o, handler as any);
  });
  s.listen(0, "127.0.0.1", () => done((s.address() as any).port));
} else if (V.startsWith("p")) {
  const { pipeline } = await import("../packages/server/src/http/pipeline.ts");
  const { createRouter } = await import("../packages/server/src/http/router.ts");
  const { limitRefusals, unlimited } = await import("../packages/server/src/http/rate-limit.ts");
  const { systemClock } = await import("../packages/server/src/lib/clock.ts");
  const { clientAddresses } = await import("../packages/server/src/http/client-address.ts");
  const form = async (http: any) => {
    await readForm(http);
    return { status: 200, headers: TH, body };
  };
  const has = (x: string) => V.includes(x);
  const answer = !has("P")
    ? form
    : pipeline({
        settle: () => null,
        limit: has("L") ? limitRefusals(300, () => true, systemClock) : unlimited,
        sameOrigin: null,
        prepare: (http) => ({ context: http }),
        handler: form,
        errorResponse: () => {
          throw 1;
        },
        onResponse: () => {},
      });
  const router = createRouter(answer);
  router.add("POST", "/oauth/token", answer, answer as any);
  const addressOf = clientAddresses([], () => {});
  const r = has("R") ? (h: any) => router.answer(h) : answer;
  const handle = has("A")
    ? async (http: any) => {
        const clientAddress = addressOf(http, http.clientAddress);
        return r(clientAddress === http.clientAddress ? http : { ...http, clientAddress });
      }
    : r;
  const l = await listen(handle as any, { host: "127.0.0.1", port: 0 });
  done(l.port);
} else {
  const handler = async (http: any) => {
    await http.body(16000);
    return { status: 200, headers: TH, body };
  };
  const l = await listen(handler as any, { host: "127.0.0.1", port: 0 });
  done(l.port);
}
