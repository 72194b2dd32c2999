// The `claims` parameter of an authorization request (OIDC Core §5.5).

/** What is honoured of it. Claims that this service does not know are ignored. */
export interface ClaimsRequest {
  /** An essential `acr` must be one of these values; null if any will do. */
  readonly requiredAcr: readonly string[] | null;
  /** The user must be this subject; null if anybody may sign in. */
  readonly requiredSub: string | null;
  /** Claims of the scope `profile` that the ID token is to contain. */
  readonly inIdToken: readonly ProfileClaim[];
  /** Whether the userinfo response is to contain claims of the scope `profile`. */
  readonly needsProfile: boolean;
}

export type ProfileClaim = "name" | "preferred_username" | "website";

const PROFILE_CLAIMS: readonly ProfileClaim[] = ["name", "preferred_username", "website"];
const MAX_BYTES = 2048;

/** The `claims` parameter cannot be read. The message names the culprit. */
export class ClaimsRequestError extends Error {
  override name = "ClaimsRequestError";
}

const NOTHING: ClaimsRequest = {
  requiredAcr: null,
  requiredSub: null,
  inIdToken: [],
  needsProfile: false,
};

/**
 * Throws `ClaimsRequestError` if the parameter is not a JSON object of the described form.
 *
 * @example
 * readClaimsRequest('{"id_token":{"acr":{"essential":true,"values":["phr"]}}}').requiredAcr; // ["phr"]
 */
export function readClaimsRequest(parameter: string | undefined): ClaimsRequest {
  if (parameter === undefined) return NOTHING;
  if (Buffer.byteLength(parameter) > MAX_BYTES) {
    throw new ClaimsRequestError("claims is longer than 2,048 bytes");
  }
  const request = objectIn(parsed(parameter), "claims");
  const idToken = memberOf(request, "id_token");
  const userinfo = memberOf(request, "userinfo");
  // Also read where only one of the two is used, so that a mistake does not go unnoticed.
  const acr = wishOf(idToken, "id_token", "acr");
  const subs = [wishOf(idToken, "id_token", "sub"), wishOf(userinfo, "userinfo", "sub")].flatMap(
    (wish) => wish.values ?? [],
  );
  const [requiredSub = null, another] = new Set(subs);
  if (another !== undefined) throw new ClaimsRequestError("claims requests several values of sub");
  return {
    requiredAcr: acr.isEssential ? acr.values : null,
    requiredSub,
    inIdToken: PROFILE_CLAIMS.filter((name) => Object.hasOwn(idToken, name)),
    needsProfile: PROFILE_CLAIMS.some((name) => Object.hasOwn(userinfo, name)),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ClaimsRequestError("claims is not JSON");
  }
}

function objectIn(value: unknown, name: string): Readonly<Record<string, unknown>> {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new ClaimsRequestError(`${name} must be a JSON object`);
}

function memberOf(request: Readonly<Record<string, unknown>>, name: string) {
  const member = request[name];
  return member === undefined || member === null ? {} : objectIn(member, `claims: ${name}`);
}

/** A claim is requested with null, or with an object that may have `essential`, `value` and `values`. */
function wishOf(
  claims: Readonly<Record<string, unknown>>,
  place: string,
  name: string,
): { readonly isEssential: boolean; readonly values: readonly string[] | null } {
  const wish = claims[name];
  if (wish === undefined || wish === null) return { isEssential: false, values: null };
  const where = `claims: ${name} in ${place}`;
  const { essential = false, value, values } = objectIn(wish, where);
  if (typeof essential !== "boolean")
    throw new ClaimsRequestError(`${where}: essential must be true or false`);
  const given = value === undefined ? values : [value];
  if (given === undefined) return { isEssential: essential, values: null };
  if (!Array.isArray(given) || !given.every((one) => typeof one === "string")) {
    throw new ClaimsRequestError(`${where}: value must be a string, and values a list of strings`);
  }
  return { isEssential: essential, values: given };
}
