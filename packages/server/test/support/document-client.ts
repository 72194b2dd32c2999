// A client that is described by its own metadata document, with the host that serves it.

import { randomUUID } from "node:crypto";
import { listenForWeb } from "domain-signin-demo/web-listener";
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";
import type { TestClient } from "./service.ts";

export interface DocumentHost {
  /** `http://localhost:PORT` */
  readonly origin: string;
  /** What a path is answered with from now on: JSON, or what the function makes. */
  serve(path: string, answer: unknown | (() => Response | Promise<Response>)): void;
  /** How often the path was asked for. */
  hits(path: string): number;
  close(): Promise<void>;
}

export async function startDocumentHost(): Promise<DocumentHost> {
  const answers = new Map<string, unknown>();
  const asked: string[] = [];
  const listener = await listenForWeb(
    (request) => {
      const path = new URL(request.url).pathname;
      asked.push(path);
      const answer = answers.get(path);
      if (answer === undefined) return Response.json({}, { status: 404 });
      return typeof answer === "function" ? answer() : Response.json(answer);
    },
    { host: "127.0.0.1", port: 0 },
  );
  return {
    origin: `http://localhost:${listener.port}`,
    serve: (path, answer) => void answers.set(path, answer),
    hits: (path) => asked.filter((one) => one === path).length,
    close: () => listener.close(),
  };
}

/** A document that is in order; `undefined` takes a member away. */
export function documentOf(url: string, changes: Readonly<Record<string, unknown>> = {}) {
  return { client_id: url, redirect_uris: [`${new URL(url).origin}/callback`], ...changes };
}

/** Puts a document there, and gives back its client. */
export function serveClient(
  host: DocumentHost,
  path: string,
  changes: Readonly<Record<string, unknown>> = {},
): TestClient {
  const id = `${host.origin}${path}`;
  const document = documentOf(id, changes);
  host.serve(path, document);
  return { id, secret: null, redirectUri: document.redirect_uris[0] ?? "" };
}

export interface AssertionKey {
  readonly jwk: object;
  /** The parameters of a token request that prove the client; `undefined` takes a claim away. */
  assert(
    about: { clientId: string; issuer: string; now: number },
    claims?: Readonly<Record<string, unknown>>,
    header?: Readonly<Record<string, unknown>>,
  ): Promise<{ client_assertion_type: string; client_assertion: string }>;
}

export const ASSERTION_TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

export async function makeAssertionKey(kid = "k1", alg = "ES256"): Promise<AssertionKey> {
  const { publicKey, privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = { ...(await exportJWK(publicKey)), kid, alg, use: "sig" };
  return {
    jwk,
    async assert({ clientId, issuer, now }, claims = {}, header = {}) {
      const usual = { iss: clientId, sub: clientId, aud: issuer, iat: now, exp: now + 60 };
      const payload = { ...usual, jti: randomUUID(), ...claims };
      const client_assertion = await new SignJWT(payload as JWTPayload)
        .setProtectedHeader({ alg, kid, ...header })
        .sign(privateKey);
      return { client_assertion_type: ASSERTION_TYPE, client_assertion };
    },
  };
}
