// As much of Auth.js as the tests use.

export function Auth(
  request: Request,
  config: Readonly<Record<string, unknown>>,
): Promise<Response>;
