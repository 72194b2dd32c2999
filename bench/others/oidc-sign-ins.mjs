// oidc-provider with pages for sign-ins: `node oidc-sign-ins.mjs memory|sqlite FILE JWK`. The file is what an earlier
// process left. Its pages are as small as pages can be; who signs in is whatever name is entered.

import { createServer } from "node:http";
import { Provider } from "oidc-provider";
import { adapterInMemory, adapterOn } from "./oidc-adapters.mjs";
import { CLIENT, printReady } from "./ready.mjs";

const [kept, file, key] = process.argv.slice(2);

const provider = new Provider("http://localhost:8080", {
  adapter: kept === "memory" ? adapterInMemory(file) : adapterOn(file),
  clients: [
    {
      client_id: CLIENT.id,
      client_secret: CLIENT.secret,
      redirect_uris: ["https://app.example.org/callback"],
      grant_types: ["authorization_code", "refresh_token"],
      id_token_signed_response_alg: "ES256",
    },
  ],
  jwks: { keys: [{ ...JSON.parse(key), use: "sig", kid: "key" }] },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  // As the service does.
  issueRefreshToken: () => true,
  cookies: { keys: ["a key for benchmarks"] },
  interactions: { url: (_, { uid }) => `/interaction/${uid}` },
  features: { devInteractions: { enabled: false } },
});
const answer = provider.callback();

const server = createServer((request, response) => {
  if (!request.url.startsWith("/interaction/")) return answer(request, response);
  const handled = request.method === "POST" ? finish(request, response) : show(request, response);
  handled.catch(() => response.writeHead(500).end());
}).listen(0, "127.0.0.1", () => printReady(server, "/token", []));

async function show(request, response) {
  const { prompt } = await provider.interactionDetails(request, response);
  const field = prompt.name === "login" ? `<input name="login">` : "";
  response.writeHead(200, { "content-type": "text/html; charset=utf-8" });
  response.end(`<!doctype html><html lang="en"><title>Sign in</title><body data-step="${prompt.name}">
<form id="${prompt.name}-form" method="post">${field}<button>Continue</button></form></body></html>`);
}

async function finish(request, response) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const form = new URLSearchParams(Buffer.concat(chunks).toString());
  const details = await provider.interactionDetails(request, response);
  const result =
    details.prompt.name === "login"
      ? { login: { accountId: form.get("login") } }
      : { consent: { grantId: await grantOf(details) } };
  await provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: "consent" in result,
  });
}

async function grantOf({ grantId, session, params, prompt }) {
  const { accountId } = session;
  const grant =
    grantId === undefined
      ? new provider.Grant({ accountId, clientId: params.client_id })
      : await provider.Grant.find(grantId);
  grant.addOIDCScope((prompt.details.missingOIDCScope ?? []).join(" "));
  return grant.save();
}
