import type { z } from "zod";
import type { Action } from "./permission.ts";

/** Built-in roles, weakest first; each includes the permissions of those before it. */
export const ROLES = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** API-key scopes; none implies another. */
export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who may call a route: anyone, the holder of a signature, or a user and/or an API key. */
export type Auth = "public" | "signature" | Credentials;

export interface Credentials {
  /** A signed-in user; a role is the weakest that passes. */
  user?: true | Role;
  /** A user with the superuser flag (which also passes every `user` above). */
  superuser?: true;
  /** DEVELOPER only on what they created; ADMIN and superuser on all. */
  own?: true;
  /** The creator passes as well, regardless of role; the area checks. */
  orOwner?: true;
  /** An API key with this scope. */
  key?: Scope;
}

/** Rate-limit class; `none` only for routes outside the API. */
export type LimitClass = "auth" | "api" | "admin" | "none";

/** `definitions`: an hour and an ETag; `results`: five minutes and an ETag; `no-store` (default): neither. */
export type CachePolicy = "definitions" | "results" | "no-store";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type RouteKey = `${Method} /${string}`;

/** One endpoint, as data: its key identifies it in contract, handler, client, docs and tests. */
export interface Route {
  operationId: string;
  summary: string;
  /** Details beyond the summary that a caller needs. */
  description?: string;
  auth: Auth;
  limit: LimitClass;
  /** The resource in custom roles and grants, if it is not the first segment of the path; see `permissionOf`. */
  resource?: string;
  /** The action in custom roles and grants, if it does not follow from the method; see `permissionOf`. */
  action?: Action;
  cache?: CachePolicy;
  /** CLIENT keys (browsers, apps) may pass. */
  client?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The documented schema of `body`, if the check itself is looser. */
  documentedBody?: z.ZodType;
  /** The body may also come form-encoded. */
  form?: true;
  /** The handler gets the unparsed bytes of the body: a signature is over them. */
  raw?: true;
  /**
   * Refuses unknown fields with nearly the name of a known one. Ignored, a misspelt `rollout_percentage` would release to
   * everyone.
   */
  refusesMisspelt?: true;
  /** Success status; 200 if absent. */
  status?: 200 | 201 | 202 | 204;
  /** Accepts an `Idempotency-Key` though it does not answer 201: repeating it would have another effect. */
  idempotent?: true;
  /** Absent only with status 204. */
  response?: z.ZodType;
  /** Content types of the answer if it is not only JSON; `response` then describes one part of it. */
  produces?: readonly string[];
  /** Other response media types, for clients that prefer them in `Accept`; all others get JSON of `response`. */
  representations?: Readonly<Record<string, z.ZodType>>;
  /** Fields that are answered once: a repeat with the same `Idempotency-Key` omits them. */
  once?: readonly string[];
  /** The answer carries `X-Audit-Signature`. */
  signed?: true;
}

export type Area = Record<RouteKey, Route>;

/** Declares the routes of one area, without side effects. */
export function defineArea<const T extends Area>(routes: T): T {
  return routes;
}

/** The method and the path of a route key, `["GET", "/users/me"]`. */
export function parseRouteKey(key: RouteKey): [Method, string] {
  const space = key.indexOf(" ");
  return [key.slice(0, space) as Method, key.slice(space + 1)];
}

/** Names of the path parameters, in order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
