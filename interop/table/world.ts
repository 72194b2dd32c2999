// What the driver of a client works with: the service, a registration, an app on https, and a person at a browser.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import type { Service } from "../../packages/server/src/service.ts";
import type { TestClient } from "../../packages/server/test/support/service.ts";
import {
  answerPage,
  pkce,
  pkceParameters,
  publish,
  STATE,
} from "../../packages/server/test/support/sign-in.ts";
import type { Driver } from "./driver.ts";
import { type HttpsService, listenForTls } from "./https-service.ts";

export interface World {
  readonly issuer: string;
  /** For libraries without discovery. */
  readonly endpoints: Readonly<
    Record<"authorization" | "token" | "userinfo" | "revocation" | "logout", string>
  >;
  /** As the operator of the service gave it to the app. */
  readonly id: string;
  readonly secret: string;
  /** For the setting of the knob `ES256`: the algorithm of ID tokens. */
  readonly alg?: "ES256";
  readonly redirectUri: string;
  /** Registered as `post_logout_redirect_uri`. */
  readonly goodbye: string;
  /** The origin of the app. */
  readonly app: string;
  readonly domain: string;
  /** Answers the requests to the app from now on. */
  serve(handle: (incoming: IncomingMessage, outgoing: ServerResponse) => void): void;
  /**
   * The person opens the URL and does what the pages of the service ask for. Ends at the first page
   * that is not the service's, or before a request to `stopAt`: the redirect URI unless given.
   */
  visit(url: string, stopAt?: string): Promise<Page>;
  /** The same for a form that the app has the browser post. */
  post(url: string, form: Readonly<Record<string, string>>): Promise<Page>;
  /** The error that a request without any page gets; null if the browser is signed in. */
  silentError(): Promise<string | null>;
  /** Publishes the record that a page of the service shows. */
  publish(page: Pick<Page, "text">): void;
  readonly resources: Service["resources"];
  close(): Promise<void>;
}

/** Of the sessions that apps keep themselves. */
export const APP_SECRET = "a secret of these apps, and of nobody else";
/** A redirect target that no request reaches. */
export const NOWHERE = "nowhere:";

let count = 0;

export async function openWorld(
  at: HttpsService,
  driver: Driver,
  settings: Parameters<HttpsService["inner"]["addClient"]>[0] = {},
): Promise<World> {
  let handle = (_: IncomingMessage, outgoing: ServerResponse): void => {
    outgoing.writeHead(404).end();
  };
  const listener = await listenForTls((incoming, outgoing) => handle(incoming, outgoing));
  const app = `https://localhost:${listener.port}`;
  const redirectUri = `${app}${driver.callbackPath ?? "/callback"}`;
  const goodbye = `${app}${driver.goodbyePath ?? "/goodbye"}`;
  const client: TestClient = await at.inner.addClient({
    ...{ name: driver.name, redirect_uris: [redirectUri], post_logout_redirect_uris: [goodbye] },
    ...{ ...(driver.isPublic && { type: "public" as const }), ...settings },
  });
  const agent = createUserAgent();
  // A name that has no account yet, so that runs do not depend on each other.
  const domain = `app-${++count}.alice.test`;
  async function answerAll(first: Page, stopAt: string): Promise<Page> {
    let page = first;
    while (!page.stopped && new URL(page.url).origin === at.issuer) {
      page = await answerPage({ zone: at.inner.zone }, agent, page, { domain, stopAt });
    }
    return page;
  }

  return {
    ...{ issuer: at.issuer, endpoints: endpointsOf(at.issuer), domain },
    ...{ id: client.id, secret: client.secret ?? "", redirectUri, goodbye, app },
    resources: at.inner.service.resources,
    serve(next) {
      handle = next;
    },
    async visit(url, stopAt = redirectUri) {
      return answerAll(await agent.open(url, { stopAt }), stopAt);
    },
    async post(url, form) {
      const cookie = agent.cookies.header(url) ?? "";
      const body = new URLSearchParams({ ...form });
      const sent = { method: "POST", headers: { cookie }, body, redirect: "manual" as const };
      const { headers } = await fetch(url, sent);
      agent.cookies.store(url, headers.getSetCookie());
      return answerAll(await agent.open(headers.get("location") ?? ""), NOWHERE);
    },
    async silentError() {
      const { stopped, url } = await agent.open(silentRequest(at.issuer, client), {
        stopAt: redirectUri,
      });
      if (!stopped) throw new Error("a request with prompt=none ended at a page");
      return new URL(url).searchParams.get("error");
    },
    publish: (page) => publish({ zone: at.inner.zone }, page),
    close: () => listener.close(),
  };
}

/** An authorization request with `prompt=none`. */
export function silentRequest(
  issuer: string,
  client: Pick<TestClient, "id" | "redirectUri">,
): string {
  const parameters = {
    ...{ client_id: client.id, redirect_uri: client.redirectUri, response_type: "code" },
    ...{ scope: "openid", prompt: "none", state: STATE },
    ...pkceParameters(pkce()),
  };
  return `${issuer}/oauth/authorize?${new URLSearchParams(parameters)}`;
}

function endpointsOf(issuer: string): World["endpoints"] {
  return {
    authorization: `${issuer}/oauth/authorize`,
    token: `${issuer}/oauth/token`,
    userinfo: `${issuer}/oauth/userinfo`,
    revocation: `${issuer}/oauth/revoke`,
    logout: `${issuer}/oauth/logout`,
  };
}
