// The `claims` parameter of an authorization request (OIDC Core §5.5).

import type { Check } from "./protocol-errors.ts";

/** The supported part of the parameter. Unknown claims are ignored. */
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

const NOTHING: ClaimsRequest = {
  requiredAcr: null,
  requiredSub: null,
  inIdToken: [],
  needsProfile: false,
};

/**
 * Fails the check of an authorization request if the parameter is not a JSON object of the described form.
 *
 * @example
 * readClaimsRequest('{"id_token":{"acr":{"essential":true,"values":["phr"]}}}', check).requiredAcr; // ["phr"]
 */
export function readClaimsRequest(parameter: string | undefined, check: Check): ClaimsRequest {
  if (parameter === undefined) return NOTHING;
  check(Buffer.byteLength(parameter) <= MAX_BYTES, "claims is longer than 2,048 bytes");
  const request = objectIn(parsed(parameter, check), "claims", check);
  const idToken = objectIn(request.id_token ?? {}, "claims: id_token", check);
  const userinfo = objectIn(request.userinfo ?? {}, "claims: userinfo", check);
  // Both objects are checked, although each claim is used of only one, so that no mistake goes unnoticed.
  const acr = wishOf(idToken, "acr in id_token", check);
  const wishes = [
    wishOf(idToken, "sub in id_token", check),
    wishOf(userinfo, "sub in userinfo", check),
  ];
  const [requiredSub = null, another] = new Set(wishes.flatMap(({ values }) => values ?? []));
  check(another === undefined, "claims requests several values of sub");
  return {
    requiredAcr: acr.isEssential ? acr.values : null,
    requiredSub,
    inIdToken: PROFILE_CLAIMS.filter((name) => Object.hasOwn(idToken, name)),
    needsProfile: PROFILE_CLAIMS.some((name) => Object.hasOwn(userinfo, name)),
  };
}

type Members = Readonly<Record<string, unknown>>;

function parsed(text: string, check: Check): unknown {
  try {
    return JSON.parse(text);
  } catch {
    check(false, "claims is not JSON");
  }
}

function objectIn(value: unknown, name: string, check: Check): Members {
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  check(isObject, `${name} must be a JSON object`);
  return value as Members;
}

/** A claim is requested with null, or with an object that may have `essential`, `value` and `values`. */
function wishOf(
  claims: Members,
  place: string,
  check: Check,
): { readonly isEssential: boolean; readonly values: readonly string[] | null } {
  const [name = ""] = place.split(" ");
  const where = `claims: ${place}`;
  const { essential = false, value, values } = objectIn(claims[name] ?? {}, where, check);
  check(typeof essential === "boolean", `${where}: essential must be true or false`);
  const given = value === undefined ? values : [value];
  if (given === undefined) return { isEssential: essential, values: null };
  const isList = Array.isArray(given) && given.every((one) => typeof one === "string");
  check(isList, `${where}: value must be a string, and values a list of strings`);
  return { isEssential: essential, values: given };
}
