import type { z } from "zod";
import type { Action } from "./permission.ts";

/** The built-in roles, weakest first. Each has the permissions of all before it. */
export const ROLES = ["VIEWER", "ANALYST", "DEVELOPER", "ADMIN"] as const;
export type Role = (typeof ROLES)[number];

/** The scopes of API keys. No scope includes another. */
export const SCOPES = ["read", "write", "admin"] as const;
export type Scope = (typeof SCOPES)[number];

/** Who may call a route: anyone, the holder of a signature, or a user and/or an API key. */
export type Auth = "public" | "signature" | Credentials;

export interface Credentials {
  /** A signed-in user, with at least this role if one is given. Superusers have every role. */
  user?: true | Role;
  /** DEVELOPER only for what they created; ADMIN and superusers for everything. */
  own?: true;
  /** The creator may call the route regardless of role; the area checks this. */
  orOwner?: true;
  /** An API key with this scope. */
  key?: Scope;
}

/** Rate-limit class; `none` only for routes outside the API. */
export type LimitClass = "auth" | "api" | "admin" | "none";

/** `definitions` and `results` have an ETag and a lifetime of an hour and five minutes; `no-store` is the default. */
export type CachePolicy = "definitions" | "results" | "no-store";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
export type RouteKey = `${Method} /${string}`;

/**
 * The declaration of one endpoint. Its key, such as `GET /users/me`, identifies it in the contract, server, client and
 * docs.
 */
export interface Route {
  operationId: string;
  summary: string;
  /** Details that callers need and the summary does not contain. */
  description?: string;
  auth: Auth;
  limit: LimitClass;
  /** The resource in custom roles and grants, if it is not the first segment of the path; see `permissionOf`. */
  resource?: string;
  /** The action in custom roles and grants, if it does not follow from the method; see `permissionOf`. */
  action?: Action;
  cache?: CachePolicy;
  /** Keys of type CLIENT, for browsers and apps, may call the route. */
  client?: true;
  params?: z.ZodObject;
  query?: z.ZodObject;
  body?: z.ZodType;
  /** The documented schema of `body`, if `body` accepts more. */
  documentedBody?: z.ZodType;
  /** The body may also come form-encoded. */
  form?: true;
  /** The body may also be NDJSON, the items of an array one a line, and may be compressed by gzip. */
  bulk?: true;
  /** The handler gets the body as bytes, for signatures. */
  raw?: true;
  /**
   * Refuses unknown fields with nearly the name of a known one. Ignored, a misspelt `rollout_percentage` would release to
   * everyone.
   */
  refusesMisspelt?: true;
  /** Success status; 200 if absent. */
  status?: 200 | 201 | 202 | 204;
  /** The route accepts an `Idempotency-Key` although it does not answer 201. */
  idempotent?: true;
  /** Absent only with status 204. */
  response?: z.ZodType;
  /** Content types of the response, if not only JSON; `response` then describes one part of it. */
  produces?: readonly string[];
  /**
   * Further response types by media type, for clients that prefer them in `Accept`. All others get `response` as JSON.
   */
  representations?: Readonly<Record<string, z.ZodType>>;
  /** Fields that only the first response contains; a repeat with the same `Idempotency-Key` omits them. */
  once?: readonly string[];
  /** The response has an `X-Audit-Signature` header. */
  signed?: true;
}

export type Area = Record<RouteKey, Route>;

/** Declares the routes of one area, without side effects. */
export function defineArea<const T extends Area>(routes: T): T {
  return routes;
}

/** Returns the method and the path of a route key, `["GET", "/users/me"]`. */
export function parseRouteKey(key: RouteKey): [Method, string] {
  const space = key.indexOf(" ");
  return [key.slice(0, space) as Method, key.slice(space + 1)];
}

/** Returns the names of the path parameters, in order. */
export function pathParams(path: string): string[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!);
}
