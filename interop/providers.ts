// Two third-party OpenID Providers, as external SPs that do not know about domains.

import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { OAuth2Server } from "oauth2-mock-server";
import type { ClientAuthMethod } from "oidc-provider";
import { vi } from "vitest";
import { makeKeyPair } from "../packages/server/test/support/key-pair.ts";

export const PROVIDER_SUB = "alice-at-a-provider";

export interface RealProvider {
  readonly issuer: string;
  /** Paths of all requests, oldest first. */
  readonly paths: readonly string[];
  /** Client ids that it has issued. */
  readonly clients: readonly string[];
  /** Client ids whose registration was removed (RFC 7592). */
  readonly removed: readonly string[];
  /** The authorization requests. */
  readonly asked: readonly URLSearchParams[];
  /** Sets the user for the next sign-ins. */
  signInAs(sub: string): void;
  /** Deletes all clients, sessions and grants. */
  forget(): void;
  close(): Promise<void>;
}

/**
 * `oidc-provider` with open registration; login and consent are automatic. `methods` are the allowed
 * client authentication methods.
 */
export async function startOidcProvider(
  methods: readonly ClientAuthMethod[],
  { initialAccessToken }: { initialAccessToken?: string } = {},
): Promise<RealProvider> {
  const { default: Provider } = await importQuietly();
  const paths: string[] = [];
  const clients: string[] = [];
  const removed: string[] = [];
  const asked: URLSearchParams[] = [];
  let sub = PROVIDER_SUB;
  const server = createServer((request, response) => handle(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const bound = server.address();
  if (bound === null || typeof bound === "string") throw new Error("no port was opened");
  const issuer = `http://localhost:${bound.port}`;
  const { privateKey } = makeKeyPair("rsa");
  const jwk = { ...privateKey.export({ format: "jwk" }), kid: "its-key", use: "sig", alg: "RS256" };
  let provider = newProvider();

  function newProvider() {
    const made = quietly(() => new Provider(issuer, configuration()));
    made.on("registration_create.success", (_, { clientId }) => void clients.push(clientId));
    made.on("registration_delete.success", (_, { clientId }) => void removed.push(clientId));
    return made;
  }

  function configuration() {
    return {
      jwks: { keys: [jwk] },
      cookies: { keys: ["a key for cookies in tests"] },
      clientAuthMethods: methods,
      features: {
        devInteractions: { enabled: false },
        registration: { enabled: true, ...(initialAccessToken && { initialAccessToken }) },
        registrationManagement: { enabled: true },
      },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      findAccount: (_: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id }) }),
      // The broker's keys are on loopback, which this provider does not fetch from.
      fetch(input: string | URL | Request, init: RequestInit & { dispatcher?: unknown } = {}) {
        const { dispatcher: _, ...options } = init;
        return fetch(input, options);
      },
      renderError: (context: { body: unknown }, out: object) => {
        context.body = out;
      },
      pkce: { required: () => true },
      // Tests move the service's clock ahead, but not the provider's.
      ttl: { Session: 9000, Interaction: 600, Grant: 9000, AccessToken: 600, IdToken: 9000 },
    };
  }

  function handle(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(request.url ?? "", issuer);
    paths.push(url.pathname);
    if (url.pathname === "/auth") asked.push(url.searchParams);
    const answering = url.pathname.startsWith("/interaction/")
      ? interact(request, response)
      : Promise.resolve(provider.callback()(request, response));
    answering.catch(() => response.destroy());
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { prompt, params } = await provider.interactionDetails(request, response);
    if (prompt.name === "login") {
      return provider.interactionFinished(request, response, { login: { accountId: sub } });
    }
    const grant = new provider.Grant({ accountId: sub, clientId: String(params.client_id) });
    grant.addOIDCScope("openid");
    const grantId = await grant.save();
    return provider.interactionFinished(request, response, { consent: { grantId } });
  }

  return {
    ...{ issuer, paths, clients, removed, asked },
    signInAs(other) {
      sub = other;
    },
    forget() {
      provider = newProvider();
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** `oauth2-mock-server`, which signs everyone in as "johndoe". */
export async function startMockServer(): Promise<OAuth2Server> {
  const server = new OAuth2Server();
  await server.issuer.keys.generate("RS256");
  await server.start(0, "localhost");
  return server;
}

/** Modules load after `import` returns, so warnings must be silenced until then. */
async function importQuietly() {
  const spoken = vi.spyOn(console, "warn").mockImplementation(() => {});
  try {
    return await import("oidc-provider");
  } finally {
    spoken.mockRestore();
  }
}

/** Silences the provider's warnings about its development defaults. */
function quietly<T>(work: () => T): T {
  const { warn, info } = console;
  console.warn = console.info = () => {};
  try {
    return work();
  } finally {
    Object.assign(console, { warn, info });
  }
}
