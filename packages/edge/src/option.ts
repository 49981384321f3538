import { FUNCTION, type Kind } from "@assay/sdk/internal";
import { isToken } from "./cookie.ts";
import type { IdentityOptions } from "./identity.ts";
import type { EdgeOverrides } from "./overrides.ts";

/** What both handlers do with a request. */
export interface RequestOptions extends IdentityOptions {
  /** What is known here about a request (its country, say), for targeting to read. */
  attributes?: (request: Request) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Honours override tokens, for tests: `createOverrides({ secret })`. */
  overrides?: EdgeOverrides;
  /** Something went wrong, here or in a function of these options. */
  onError?: (error: unknown) => void;
}

/** What these options have to be. */
export const REQUEST_OPTIONS: Record<keyof RequestOptions, Kind> = {
  userId: ["{ header }, { cookie } or a function", isUserIdSource],
  anonymousCookie: ["a cookie name or false", (name) => name === false || isToken(name)],
  attributes: FUNCTION,
  overrides: ["from createOverrides", (overrides) => "read" in Object(overrides)],
  onError: FUNCTION,
};

function isUserIdSource(source: unknown): boolean {
  const { header, cookie } = Object(source) as Record<string, unknown>;
  return typeof source === "function" || isToken(header ?? cookie);
}
