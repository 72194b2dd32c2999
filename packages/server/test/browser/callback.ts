// The client of the browser tests: a server at another origin that notes each answer it is given.

import { listenForWeb } from "domain-signin-demo/web-listener";

export interface Callback {
  /** To register, and to ask for. The address, where the service has the name: another site. */
  readonly redirectUri: string;
  /** The parameters of every answer that arrived, in their order. */
  readonly answers: URLSearchParams[];
  /** The answers that arrived with this state. */
  of(state: string): URLSearchParams[];
  close(): Promise<void>;
}

const page = `<!doctype html><html lang="en"><title>The app</title>
<link rel="icon" href="data:,"><h1>Back in the app</h1>`;

export async function startCallback(): Promise<Callback> {
  const answers: URLSearchParams[] = [];
  const { port, close } = await listenForWeb(
    (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== "/callback") return new Response(null, { status: 404 });
      answers.push(searchParams);
      // Without `no-store` the back button would show the answer again without asking anybody.
      const headers = { "content-type": "text/html", "cache-control": "no-store" };
      return new Response(page, { headers });
    },
    { host: "127.0.0.1", port: 0 },
  );
  return {
    redirectUri: `http://127.0.0.1:${port}/callback`,
    answers,
    of: (state) => answers.filter((answer) => answer.get("state") === state),
    close,
  };
}
