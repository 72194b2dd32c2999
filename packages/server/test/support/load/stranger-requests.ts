// One request for each way in which a stranger can use an endpoint, with the statuses that answer it.

import { createUserAgent, type Page } from "domain-signin-demo/browser/user-agent";
import { assets } from "../../../src/pages/assets.ts";
import { authorizationUrl } from "../sign-in.ts";
import { ANYBODY, type LoadRequest } from "./load.ts";
import type { ServedWorld } from "./served-world.ts";

export interface StrangerRequest extends LoadRequest {
  readonly what: string;
  readonly statuses: readonly number[];
  /** What its limit counts. Only a flood of pages is refused before any work. */
  readonly limit: "pages" | "refusals" | "none";
}

const FORM = { "content-type": "application/x-www-form-urlencoded" };

export async function strangerRequests(world: ServedWorld): Promise<StrangerRequest[]> {
  const { at, client } = world;
  const authorize = authorizationUrl(at, client).slice(at.issuer.length);
  const query = authorize.slice(authorize.indexOf("?"));
  const own = { origin: at.issuer, ...FORM };
  const signIn = { method: "POST", path: `/sign-in${query}`, headers: own, statuses: [303] };
  const pages: StrangerRequest[] = [
    { what: "authorize", path: authorize, statuses: [200] },
    {
      what: "authorize, unknown client",
      path: authorize.replace(client.id, "dsid_nobody"),
      statuses: [400],
    },
    { what: "POST sign-in, a new domain", ...signIn, body: "domain=n{n}.alice.test" },
    { what: "POST sign-in, the same domain", ...signIn, body: "domain=same.alice.test" },
    { what: "POST sign-in, no domain", ...signIn, body: "domain=%20", statuses: [200, 400] },
    ...(await stepRequests(world, own)),
    {
      what: "callback, made up",
      path: `/federation/callback/${"a".repeat(43)}?state={random}&code={random}`,
      statuses: [400, 403, 404],
    },
    { what: "account, no session", path: "/account", statuses: [200, 303] },
    { what: "404", path: "/nowhere/{random}", statuses: [404] },
  ].map((row) => ({ ...row, limit: "pages" }));
  const [asset = ""] = assets.keys();
  const rest: StrangerRequest[] = [
    { what: "405", method: "PUT", path: "/account", statuses: [405], limit: "none" },
    { what: "static file", path: asset, statuses: [200], limit: "none" },
    { what: "metadata", path: "/.well-known/openid-configuration", statuses: [200], limit: "none" },
    { what: "JWKS", path: "/.well-known/jwks.json", statuses: [200], limit: "none" },
    { what: "userinfo, no token", path: "/oauth/userinfo", statuses: [401], limit: "none" },
    {
      what: "userinfo, bad token",
      ...{ path: "/oauth/userinfo", headers: { authorization: "Bearer dsa_{random}" } },
      ...{ statuses: [401], limit: "none" },
    },
  ];
  return [...pages, ...rest, ...tokenRequests(world)].map((row) => ({
    ...row,
    headers: { ...ANYBODY, ...row.headers },
  }));
}

function tokenRequests({ client, publicId }: ServedWorld): StrangerRequest[] {
  const post = (what: string, body: Record<string, string>, path = "/oauth/token") => ({
    ...{ what, method: "POST", path, headers: FORM, statuses: [400] },
    body: Object.entries(body)
      .map(([name, value]) => `${name}=${value}`)
      .join("&"),
    limit: "refusals" as const,
  });
  const guessed = { client_id: client.id, client_secret: "dss_{random}" };
  const code = { grant_type: "authorization_code", code: "dsc_{random}" };
  const redirect_uri = encodeURIComponent(client.redirectUri);
  const refresh = { grant_type: "refresh_token", refresh_token: "dsr_{random}" };
  const nobody = { client_id: "dsid_{random}" };
  return [
    post("token, bad client secret", { ...code, redirect_uri, ...guessed }),
    post("token, unknown client", { ...code, redirect_uri, ...nobody }),
    post("token, made-up code", { ...code, redirect_uri, client_id: publicId }),
    post("token, made-up refresh token", { ...refresh, client_id: publicId }),
    post("token, not a form", {}),
    post("revoke, bad client secret", { token: "dsr_{random}", ...guessed }, "/oauth/revoke"),
    // RFC 7009 §2.2: nothing is refused, so that nothing is counted.
    {
      ...post(
        "revoke, made-up token",
        { token: "dsr_{random}", client_id: publicId },
        "/oauth/revoke",
      ),
      ...{ statuses: [200], limit: "none" as const },
    },
  ];
}

/** The steps that a stranger reaches with the name of a domain alone. */
async function stepRequests(world: ServedWorld, own: Record<string, string>) {
  await world.signIn("known.alice.test");
  const steps = ["new.alice.test", "known.alice.test"].map(async (domain) => {
    const agent = createUserAgent();
    const asking = await agent.open(authorizationUrl(world.at, world.client));
    const page = await agent.submit(asking, "domain-form", { domain });
    const headers = { cookie: agent.cookies.header(page.url) ?? "" };
    const { pathname: path } = new URL(page.url);
    const body = checkForm(page);
    return [
      { what: `GET ${page.step}`, path, headers, statuses: [200] },
      {
        what: `POST ${page.step}`,
        ...{ method: "POST", path, headers: { ...headers, ...own }, body },
        statuses: [200, 303, 400],
      },
    ];
  });
  return (await Promise.all(steps)).flat();
}

function checkForm(page: Page): string {
  const form = page.forms.find(({ id }) => id === "check-form");
  const controls = form?.controls.filter(({ isOn }) => isOn) ?? [];
  return new URLSearchParams(
    controls.map(({ name, value }): [string, string] => [name, value]),
  ).toString();
}
