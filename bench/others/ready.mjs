// What all of them share: their client, and how they report that they are ready.

export const CLIENT = { id: "app", secret: "a secret for benchmarks, and for nothing else" };

/** Prints one line of JSON: where tokens are refreshed, and with what. */
export function printReady(server, path, tokens) {
  const { port } = server.address();
  const pair = `${CLIENT.id}:${encodeURIComponent(CLIENT.secret)}`;
  const authorization = `Basic ${Buffer.from(pair).toString("base64")}`;
  console.log(JSON.stringify({ port, path, authorization, values: tokens }));
}
