// The demo's app: a small website whose users sign in through the service.

import { randomBytes } from "node:crypto";
import { readSpRecordSet } from "domain-signin-verify/record";
import { type Context, Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { DemoClient } from "../description.ts";
import type { Zone } from "../zones/zone.ts";
import { createAppClient, explainFailure, type SignedIn } from "./client.ts";
import { isForm, isOwnPost, json, page, seeOther } from "./http.ts";
import { failurePage, type Outcome, signedInPage, signedOutPage } from "./pages.ts";
import { icon, style } from "./style.ts";
import { addZoneEditor } from "./zone-editor.ts";

interface Session {
  /** The PKCE verifier of each pending sign-in, by `state`. Each tab has its own. */
  readonly started: Map<string, string>;
  signedIn?: SignedIn;
  outcome?: Outcome;
}

export interface AppSetup {
  /** The app's own origin, as browsers see it. */
  readonly origin: string;
  readonly issuer: string;
  readonly client: DemoClient;
  readonly zone: Pick<Zone, "address" | "records" | "add" | "remove">;
  readonly domains: readonly string[];
  /** The URL of the app that uses the other service. */
  readonly otherApp: string;
}

/** Sessions are kept in memory. */
export function createApp(setup: AppSetup): (request: Request) => Promise<Response> {
  const { origin, issuer, otherApp } = setup;
  const app = new Hono();
  const client = createAppClient(issuer, setup.client);
  const sessions = new Map<string, Session>();
  // The port is part of the name, because all ports of a host share cookies.
  const cookie = `demo_app_${new URL(origin).port}`;

  function sessionOf(context: Context): Session | undefined {
    return sessions.get(getCookie(context, cookie) ?? "");
  }

  /** Uses a new session id for each sign-in, to prevent session fixation. */
  function beginSession(context: Context, session: Session): void {
    sessions.delete(getCookie(context, cookie) ?? "");
    const id = randomBytes(32).toString("base64url");
    sessions.set(id, session);
    setCookie(context, cookie, id, { path: "/", httpOnly: true, sameSite: "Lax" });
  }

  /** Handles a button of the signed-in page: stores the outcome and redirects to the page. */
  async function handleButton(
    context: Context,
    headings: { done: string; failed: string },
    act: (signedIn: SignedIn) => Promise<{ signedIn: SignedIn; answer: unknown }>,
  ): Promise<Response> {
    const session = sessionOf(context);
    if (session?.signedIn === undefined) return seeOther("/");
    try {
      const { signedIn, answer } = await act(session.signedIn);
      session.signedIn = signedIn;
      session.outcome = { heading: headings.done, answer };
    } catch (error) {
      session.outcome = { heading: headings.failed, failure: explainFailure(error) };
    }
    return seeOther("/");
  }

  app.use(async ({ req }, next) => {
    if (req.method === "GET" || req.method === "HEAD" || isOwnPost(req.raw, origin)) return next();
    const reason = "The request does not come from a page of this app.";
    if (isForm(req.raw)) return page(403, failurePage("Request refused", reason));
    return json(403, { error: "access_denied", error_description: reason });
  });

  app.get("/", (context) => {
    const session = sessionOf(context);
    if (session?.signedIn === undefined) {
      const domains = setup.domains.map((domain) => ({ domain, otherSp: otherSp(domain, setup) }));
      return page(200, signedOutPage({ issuer, domains, otherApp }));
    }
    const { signedIn, outcome } = session;
    return page(200, signedInPage({ signedIn, outcome }));
  });

  app.get("/login", async (context) => {
    try {
      const { location, state, verifier } = await client.start();
      const session = sessionOf(context);
      if (session) session.started.set(state, verifier);
      else beginSession(context, { started: new Map([[state, verifier]]) });
      return context.redirect(location, 303);
    } catch (error) {
      return page(502, failurePage("The service cannot be reached", explainFailure(error)));
    }
  });

  app.get("/callback", async (context) => {
    const callback = new URL(context.req.url);
    const session = sessionOf(context);
    const state = callback.searchParams.get("state") ?? "";
    const verifier = session?.started.get(state);
    if (session === undefined || verifier === undefined) {
      // The user went back in the browser and is signed in already.
      if (session?.signedIn) return seeOther("/");
      const explanation =
        "The response does not belong to a sign-in that was started in this browser.";
      return page(400, failurePage("You are not signed in", explanation));
    }
    session.started.delete(state);
    try {
      const signedIn = await client.finish(callback, { state, verifier });
      beginSession(context, { started: session.started, signedIn });
      return context.redirect("/", 303);
    } catch (error) {
      return page(400, failurePage("You are not signed in", explainFailure(error)));
    }
  });

  app.post("/refresh", (context) =>
    handleButton(
      context,
      { done: "Both tokens were replaced", failed: "The refresh failed" },
      async (signedIn) => {
        const { access_token, refresh_token } = signedIn.tokens;
        const tokens = await client.refresh(signedIn.tokens);
        return { signedIn: { ...signedIn, tokens }, answer: { access_token, refresh_token } };
      },
    ),
  );

  app.post("/userinfo", (context) =>
    handleButton(
      context,
      { done: "Userinfo response", failed: "The userinfo request failed" },
      async (signedIn) => ({ signedIn, answer: await client.userinfo(signedIn.tokens) }),
    ),
  );

  app.post("/sign-out", (context) => {
    sessions.delete(getCookie(context, cookie) ?? "");
    deleteCookie(context, cookie, { path: "/" });
    return context.redirect("/", 303);
  });

  addZoneEditor(app, setup);

  const stylesheet = { "content-type": "text/css; charset=utf-8", "cache-control": "no-cache" };
  app.get("/style.css", () => new Response(style, { headers: stylesheet }));
  app.get("/icon.svg", () => new Response(icon, { headers: { "content-type": "image/svg+xml" } }));
  app.notFound(() => page(404, failurePage("Page not found", "Check the address.")));
  return async (request) => app.fetch(request);
}

/** The host of the SP that the domain's record names; undefined if it is the app's own service. */
function otherSp(domain: string, { zone, issuer }: AppSetup): string | undefined {
  const values = zone
    .records()
    .filter(({ name, type }) => name === `_domain-signin.${domain}` && type === "TXT")
    .map(({ value }) => value);
  const read = readSpRecordSet(values, { allowLoopbackIssuer: true });
  if (read.outcome !== "one" || read.record.sp === "none") return undefined;
  return read.record.sp === issuer ? undefined : new URL(read.record.sp).host;
}
