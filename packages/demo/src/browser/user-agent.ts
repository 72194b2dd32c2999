// A browser without JavaScript: keeps cookies, follows redirects and submits forms. It is sent on at once by a page
// whose `<noscript>` says so.

import { type CookieJar, createCookieJar } from "./cookie-jar.ts";
import { type Form, readHtml } from "./html-reader.ts";

export interface UserAgent {
  /** GETs the URL, without a time limit but that of `fetch`, and follows redirects to a page. A page with an error status does not throw. */
  open(url: string, options?: { stopAt?: string }): Promise<Page>;
  /**
   * Submits the form with all its fields. `fields` overrides values, or presses a button by its name
   * and value. The only button of a form is always pressed; if there are several, `button` chooses
   * one by value or name. Rejects if the form does not have a given field.
   */
  submit(
    page: Page,
    formId: string,
    fields?: Readonly<Record<string, string>>,
    options?: { button?: string; stopAt?: string },
  ): Promise<Page>;
  readonly cookies: CookieJar;
}

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  /** True if a redirect led to `stopAt`: `url` was not requested, and there is no page. */
  readonly stopped: boolean;
  /** `<body data-step>`. */
  readonly step: string | undefined;
  readonly html: string;
  readonly forms: readonly Form[];
  has(id: string): boolean;
  /** The decoded text of the element. Throws if there is no such element. */
  text(id: string): string;
  /** The absolute URL of the link. Throws if there is no such link. */
  link(id: string): string;
}

/** One request and its response, as passed to `trace`. */
export interface TracedExchange {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  /** The absolute target of a redirect. */
  readonly location: string | undefined;
}

const MAX_REDIRECTS = 20;

export function createUserAgent(
  options: {
    trace?: (exchange: TracedExchange) => void;
    /** Of every request, such as those that a proxy adds. */
    headers?: Readonly<Record<string, string>>;
    /** Stays on a page that sends browsers without script on, for tests that do what a script would do. */
    hasScript?: boolean;
  } = {},
): UserAgent {
  const cookies = createCookieJar();

  async function request(url: string, post: { origin: string; body: string } | undefined) {
    const headers = new Headers({ accept: "text/html,*/*;q=0.8", ...options.headers });
    const cookie = cookies.header(url);
    if (cookie !== undefined) headers.set("cookie", cookie);
    if (post) {
      headers.set("origin", post.origin);
      headers.set("content-type", "application/x-www-form-urlencoded");
    }
    const response = await fetch(url, {
      method: post ? "POST" : "GET",
      headers,
      body: post?.body ?? null,
      redirect: "manual",
    });
    cookies.store(url, response.headers.getSetCookie());
    return response;
  }

  async function visit(
    from: string,
    firstPost: { origin: string; body: string } | undefined,
    stopAt: string | undefined,
  ): Promise<Page> {
    let url = from;
    let post = firstPost;
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await request(url, post);
      const { status, headers } = response;
      const location = redirectOf(response, url);
      options.trace?.({ method: post ? "POST" : "GET", url, status, location });
      const html = await response.text();
      if (location === undefined) {
        const page = pageOf({ url, status, headers, html, stopped: false });
        const onward = options.hasScript ? undefined : onwardOf(html);
        if (onward === undefined) return page;
        url = new URL(onward, url).href;
        post = undefined;
        continue;
      }
      if (stopAt !== undefined && location.startsWith(stopAt)) {
        return pageOf({ url: location, status, headers, html: "", stopped: true });
      }
      url = location;
      post = undefined;
    }
    throw new Error(`${from} redirects more than ${MAX_REDIRECTS} times`);
  }

  return {
    cookies,
    open: (url, { stopAt } = {}) => visit(url, undefined, stopAt),
    async submit(page, formId, fields = {}, { button, stopAt } = {}) {
      const form = page.forms.find(({ id }) => id === formId);
      if (form === undefined) {
        const ids = page.forms.map(({ id }) => id ?? "(without id)").join(", ") || "none";
        throw new Error(`${describe(page)} has no form "${formId}"; its forms: ${ids}`);
      }
      if (form.enctype !== "application/x-www-form-urlencoded") {
        throw new Error(`the form "${formId}" is sent as ${form.enctype}, which is not supported`);
      }
      const data = new URLSearchParams(dataOf(form, fields, button));
      const target = new URL(form.action, page.url);
      if (form.method === "POST") {
        return visit(target.href, { origin: new URL(page.url).origin, body: `${data}` }, stopAt);
      }
      // A GET form replaces the query of its action.
      target.search = data.toString();
      return visit(target.href, undefined, stopAt);
    },
  };
}

/** Where `<meta http-equiv="refresh" content="0; url=…">` leads at once. */
function onwardOf(html: string): string | undefined {
  const [, url] = /<noscript><meta http-equiv="refresh" content="0; url=([^"]*)">/.exec(html) ?? [];
  return url?.replaceAll("&amp;", "&").replaceAll("&quot;", '"').replaceAll("&#39;", "'");
}

/** The target of a redirect; undefined for a page. Only redirects that become a GET are followed. */
function redirectOf({ status, headers }: Response, url: string): string | undefined {
  if (status < 300 || status > 399) return undefined;
  const location = headers.get("location");
  if (![301, 302, 303].includes(status) || location === null) {
    throw new Error(`${url} answered ${status} with location ${location}, which is not followed`);
  }
  return new URL(location, url).href;
}

function dataOf(
  form: Form,
  fields: Readonly<Record<string, string>>,
  button: string | undefined,
): [string, string][] {
  const data: [string, string][] = [];
  const remaining = new Map(Object.entries(fields));
  const filled = new Set<string>();
  for (const { name, value, isOn } of form.controls) {
    const given = remaining.get(name);
    if (given !== undefined) {
      data.push([name, given]);
      filled.add(name);
      remaining.delete(name);
    } else if (isOn && !filled.has(name)) data.push([name, value]);
  }
  const named = form.buttons.filter(({ name, value }) =>
    button === undefined ? remaining.get(name) === value : value === button || name === button,
  );
  const pressed = named[0] ?? (button === undefined ? onlyOneOf(form) : undefined);
  if (pressed) remaining.delete(pressed.name);
  const [unknown] = remaining.keys();
  if (unknown !== undefined) {
    const known = [...form.controls, ...form.buttons].map(({ name }) => name).join(", ");
    throw new Error(`the form "${form.id}" has no field "${unknown}"; its fields: ${known}`);
  }
  if (button !== undefined && pressed === undefined) {
    throw new Error(`the form "${form.id}" has no button "${button}"`);
  }
  if (pressed === undefined && form.buttons.length > 1) {
    const values = form.buttons.map(({ value }) => value).join(", ");
    throw new Error(`the form "${form.id}" has several buttons, so name one of: ${values}`);
  }
  if (pressed && pressed.name !== "") data.push([pressed.name, pressed.value]);
  return data;
}

function onlyOneOf({ buttons }: Form) {
  return buttons.length === 1 ? buttons[0] : undefined;
}

function pageOf(answer: Pick<Page, "url" | "status" | "headers" | "html" | "stopped">): Page {
  const { step, forms, byId } = readHtml(answer.html);
  const element = (id: string) => {
    const found = byId(id);
    if (found === undefined) throw new Error(`${describe(page)} has no element "${id}"`);
    return found;
  };
  const page: Page = {
    ...answer,
    step,
    forms,
    has: (id) => byId(id) !== undefined,
    text: (id) => element(id).text,
    link(id) {
      const href = element(id).attributes.get("href");
      if (href === undefined) throw new Error(`"${id}" of ${describe(page)} is not a link`);
      return new URL(href, page.url).href;
    },
  };
  return page;
}

function describe({ url, status, step, stopped }: Page): string {
  // Query parameters may be secret, so they are left out of messages.
  const where = url.split("?", 1)[0];
  if (stopped) return `the redirect to ${where}`;
  return `the page ${where} (status ${status}, step ${step ?? "none"})`;
}
