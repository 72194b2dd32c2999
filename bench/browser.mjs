// A person's browser and their app, for benchmarks of sign-ins: follows redirects, fills in forms, and notes each request.

import { Agent, request as httpRequest } from "node:http";

const HOST = "localhost:8080";
const MAX_REQUESTS = 30;
const ENTITIES = { quot: '"', amp: "&", lt: "<", gt: ">", "#39": "'", "#x27": "'" };

/** `port` is that of the service, which has the address `HOST` for everybody. `address` is the person's own. */
export function createBrowser({ port, address }) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const cookies = new Map();
  return { open, submit, cookies, close: () => agent.destroy() };

  /** Resolves to the page, or to the URL at `stopAt` that a redirect led to. Each exchange goes to `note`. */
  function open(url, { stopAt, note }) {
    return visit({ method: "GET", url: new URL(url, `http://${HOST}`), stopAt, note });
  }

  /** Fills in the form with the id, or the only one. `fields` add to those that are hidden, and press a button. */
  function submit(page, id, fields, { stopAt, note }) {
    const form = formIn(page, id);
    const body = new URLSearchParams({ ...form.hidden, ...fields }).toString();
    const url = new URL(form.action || page.url, page.url);
    return visit({ method: "POST", url, body, stopAt, note });
  }

  async function visit(first) {
    let { method, url, body } = first;
    const { stopAt, note } = first;
    for (let count = 0; count < MAX_REQUESTS; count++) {
      const exchange = await send({ method, url, body });
      note(exchange);
      const { status, headers, body: html } = exchange.answer;
      if (status < 300 || status > 399) return { url, status, html, stopped: false };
      url = new URL(headers.location, url);
      if (url.href.startsWith(stopAt)) return { url, status, stopped: true };
      [method, body] = ["GET", undefined];
    }
    throw new Error(`too many redirects: ${url.pathname}`);
  }

  async function send({ method, url, body }) {
    const headers = { host: HOST, accept: "text/html", "x-forwarded-for": address };
    const cookie = cookieHeader(cookies, url.pathname);
    if (cookie !== "") headers.cookie = cookie;
    if (body !== undefined) {
      headers.origin = `http://${HOST}`;
      headers["content-type"] = "application/x-www-form-urlencoded";
    }
    const asked = { method, path: `${url.pathname}${url.search}`, headers, body };
    const answer = await exchange({ agent, port }, asked);
    for (const line of answer.headers["set-cookie"] ?? []) storeCookie(cookies, line);
    return { asked, answer };
  }
}

/** Sends a request, and resolves to the answer with the octets that came, its head among them. */
export function exchange({ agent, port }, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
    const options = { agent, port, host: "127.0.0.1", method, path };
    const request = httpRequest({ ...options, headers: { ...headers, ...length } }, (response) => {
      const { socket } = response;
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => {
        const octets = socket.bytesRead - (socket.readBefore ?? 0);
        socket.readBefore = socket.bytesRead;
        const text = Buffer.concat(chunks).toString();
        resolve({ status: response.statusCode, headers: response.headers, body: text, octets });
      });
      response.on("error", reject);
    });
    request.on("error", reject);
    request.end(body);
  });
}

function cookieHeader(cookies, path) {
  const sent = [...cookies].filter(([, cookie]) => path.startsWith(cookie.path));
  return sent.map(([name, { value }]) => `${name}=${value}`).join("; ");
}

function storeCookie(cookies, line) {
  const [pair, ...attributes] = line.split(/; */);
  const [, name, value] = /^([^=]+)=(.*)$/.exec(pair) ?? [];
  const of = (key) => attributes.find((one) => one.toLowerCase().startsWith(`${key}=`));
  const expires = of("expires")?.slice("expires=".length);
  const isGone = of("max-age") === "Max-Age=0" || (expires && Date.parse(expires) < Date.now());
  if (isGone) cookies.delete(name);
  else cookies.set(name, { value, path: of("path")?.slice("path=".length) ?? "/" });
}

/** `<body data-step>`. */
export function stepOf({ html }) {
  return /<body\b[^>]* data-step="([^"]*)"/.exec(html)?.[1];
}

export function textOf({ html }, id) {
  const [, text] = new RegExp(` id="${id}"[^>]*>([^<]*)<`).exec(html) ?? [];
  if (text === undefined) throw new Error(`no element "${id}"`);
  return decode(text);
}

/** What the authenticator is asked, from the form of the page. */
export function passkeyOptionsIn(page) {
  const [, text] = / data-options="([^"]*)"/.exec(page.html) ?? [];
  if (text === undefined) throw new Error("the page does not ask for a passkey");
  return JSON.parse(decode(text));
}

function formIn({ html, url, status }, id) {
  for (const [, head, content] of html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)) {
    const { id: own, action = "" } = attributesIn(head);
    if (id !== undefined && own !== id) continue;
    const inputs = [...content.matchAll(/<input\b([^>]*)>/g)].map(([, text]) => attributesIn(text));
    const hidden = inputs.filter(({ type, name }) => type === "hidden" && name !== undefined);
    return { action, hidden: Object.fromEntries(hidden.map(({ name, value }) => [name, value])) };
  }
  throw new Error(`no form "${id}" at ${url.pathname} (${status}): ${html.slice(0, 300)}`);
}

function attributesIn(text) {
  const pairs = [...text.matchAll(/([\w-]+)="([^"]*)"/g)];
  return Object.fromEntries(pairs.map(([, name, value]) => [name, decode(value)]));
}

function decode(text) {
  return text.replace(/&(\w+|#\w+);/g, (whole, name) => ENTITIES[name] ?? whole);
}
