// Every endpoint, and how a request to it that is in order is answered.

export interface Endpoint {
  readonly name: string;
  readonly channel: "json" | "page";
  /** How the request that is in order is answered, as `inWords` says it. */
  readonly usual: string;
  /** It reads a form. */
  readonly form?: true;
  /** It reads the authorization request in its query. */
  readonly query?: true;
  /** Its path ends in a variable, and this is how one that names nothing is answered. */
  readonly openEnd?: string;
}

/** One for each row of the table in `routes.ts`, in its order. */
export const ENDPOINTS: readonly Endpoint[] = [
  page("GET /", "200 home page"),
  page("GET /check", "200 check page"),
  page("GET /oauth/authorize", "200 domain page", { query: true }),
  page("POST /oauth/authorize", "303 /oauth/authorize", { form: true }),
  page("POST /sign-in", "303 /interaction/:id/set-up-passkey", { form: true, query: true }),
  page("GET /sign-in", "303 /oauth/authorize"),
  page("POST /sign-in/passkey", "400 domain page", { form: true, query: true }),
  page("GET /sign-in/passkey", "303 /oauth/authorize"),
  page("POST /sign-in/continue", "303 /interaction/:id/consent", { form: true, query: true }),
  page("GET /sign-in/continue", "303 /oauth/authorize"),
  page("POST /sign-in/other", "303 /sign-in/other", { query: true }),
  page("GET /sign-in/other", "200 domain page", { query: true }),
  page("POST /sign-in/sign-out", "303 /oauth/authorize", { form: true, query: true }),
  page("GET /sign-in/sign-out", "303 /oauth/authorize"),
  page("GET /interaction/:id/dns-setup", "200 dns-setup page"),
  page("POST /interaction/:id/dns-setup", "303 /interaction/:id/dns-setup"),
  page("GET /interaction/:id/set-up-passkey", "303 /interaction/:id/dns-setup"),
  page("POST /interaction/:id/set-up-passkey", "303 /interaction/:id/set-up-passkey", {
    form: true,
  }),
  page("GET /interaction/:id/hand-on", "200 hand-on page"),
  page("GET /interaction/:id/former-record", "200 former-record page"),
  page("POST /interaction/:id/former-record", "400 former-record page", { form: true }),
  page("POST /interaction/:id/start-over", "303 /interaction/:id/dns-setup", { form: true }),
  page("POST /interaction/:id/resume", "303 /interaction/:id/dns-setup", { form: true }),
  page("GET /interaction/:id/recovery-codes", "200 recovery-codes page"),
  page("POST /interaction/:id/recovery-codes", "303 /interaction/:id/consent"),
  page("GET /interaction/:id/passkey", "200 passkey page"),
  page("POST /interaction/:id/passkey", "400 passkey page", { form: true }),
  page("POST /interaction/:id/without-passkey", "303 /interaction/:id/dns-challenge"),
  page("GET /interaction/:id/dns-challenge", "200 dns-challenge page"),
  page("POST /interaction/:id/dns-challenge", "400 dns-challenge page", { form: true }),
  page("GET /interaction/:id/external", "503 external page"),
  page("GET /federation/callback/:h", "400 problem page", { openEnd: "400 problem page" }),
  page("GET /interaction/:id/new-passkey", "400 problem page"),
  page("POST /interaction/:id/new-passkey", "400 problem page"),
  page("GET /interaction/:id/remove-passkey", "400 problem page"),
  page("POST /interaction/:id/remove-passkey", "400 problem page"),
  page("GET /interaction/:id/new-codes", "400 problem page"),
  page("POST /interaction/:id/new-codes", "400 problem page"),
  page("GET /interaction/:id/delete-account", "400 problem page"),
  page("POST /interaction/:id/delete-account", "400 problem page"),
  page("GET /interaction/:id/news", "200 news page"),
  page("POST /interaction/:id/news", "303 /interaction/:id/consent", { form: true }),
  page("GET /interaction/:id/consent", "200 consent page"),
  page("POST /interaction/:id/consent", "303 to the app", { form: true }),
  page("GET /interaction/:id/complete", "303 to the app"),
  page("GET /set-up/:link", "400 problem page", { openEnd: "400 problem page" }),
  page("GET /account", "303 /oauth/authorize"),
  page("GET /account/new-passkey", "303 /account"),
  page("GET /account/remove-passkey", "303 /account"),
  page("GET /account/new-codes", "303 /account"),
  page("GET /account/delete-account", "303 /account"),
  page("POST /account/rename-passkey", "303 /account", { form: true }),
  page("GET /account/rename-passkey", "303 /account"),
  page("POST /account/revoke", "303 /account", { form: true }),
  page("GET /account/revoke", "303 /account"),
  page("POST /account/sign-out", "303 /account", { form: true }),
  page("GET /account/sign-out", "303 /account"),
  page("POST /account/sign-out-everywhere", "303 /oauth/authorize", { form: true }),
  page("GET /account/sign-out-everywhere", "303 /account"),
  page("GET /oauth/logout", "200 logout page"),
  page("POST /oauth/logout", "303 /oauth/logout", { form: true }),
  page("POST /oauth/logout/decision", "303 /account", { form: true }),
  page("GET /oauth/logout/decision", "303 /oauth/logout"),
  json("POST /oauth/token", "400 invalid_grant", { form: true }),
  json("GET /oauth/userinfo", "200 JSON"),
  json("POST /oauth/userinfo", "200 JSON", { form: true }),
  json("GET /oauth/validation_data", "200 JSON"),
  json("POST /oauth/revoke", "200 bare", { form: true }),
  json("POST /oauth/introspect", "200 JSON", { form: true }),
  json("POST /oauth/register", "404 not_found"),
  json("GET /oauth/register/:id", "401 invalid_token", { openEnd: "401 invalid_token" }),
  json("PUT /oauth/register/:id", "401 invalid_token", { openEnd: "401 invalid_token" }),
  json("DELETE /oauth/register/:id", "401 invalid_token", { openEnd: "401 invalid_token" }),
  json("GET /.well-known/oauth-authorization-server", "200 JSON"),
  json("GET /.well-known/openid-configuration", "200 JSON"),
  json("GET /.well-known/jwks.json", "200 JSON"),
  json("GET /.well-known/security.txt", "404 not_found"),
  json("GET /federation/client/:h", "200 JSON", { openEnd: "404 not_found" }),
  json("GET /federation/public-client/:h", "200 JSON", { openEnd: "404 not_found" }),
  json("GET /federation/jwks.json", "200 JSON"),
  json("GET /livez", "200 JSON"),
  json("GET /readyz", "200 JSON"),
];

/** Apps post to these from their own sites. */
export const POSTED_FROM_ELSEWHERE: ReadonlySet<string> = new Set([
  "POST /oauth/authorize",
  "POST /oauth/logout",
]);

type Reads = Pick<Endpoint, "form" | "query" | "openEnd">;

function page(name: string, usual: string, reads: Reads = {}): Endpoint {
  return { name, channel: "page", usual, ...reads };
}

function json(name: string, usual: string, reads: Reads = {}): Endpoint {
  return { name, channel: "json", usual, ...reads };
}

/** What `Allow` says on the path of the endpoint. */
export function allowedAt({ name }: Endpoint): string {
  const path = name.split(" ")[1];
  return ENDPOINTS.map((endpoint) => endpoint.name.split(" "))
    .filter(([, other]) => other === path)
    .map(([method]) => (method === "GET" ? "GET, HEAD" : method))
    .join(", ");
}
