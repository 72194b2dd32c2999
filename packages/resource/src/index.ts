// The public API of domain-signin-resource.

export type { AccessToken } from "./access-token.ts";
export { AccessTokenError, type AccessTokenErrorCode } from "./errors.ts";
export type { AuthVariables } from "./hono.ts";
export type { ResourceMetadata } from "./metadata.ts";
export type { IntrospectionOptions, ResourceOptions } from "./options.ts";
export { type ProtectedResource, protectResource, type RouteOptions } from "./protect-resource.ts";
