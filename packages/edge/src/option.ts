import { FUNCTION, type Kind } from "@assay/sdk/internal";
import { isToken } from "./cookie.ts";
import type { IdentityOptions } from "./identity.ts";
import type { EdgeOverrides } from "./overrides.ts";

/** Options that both handlers share. */
export interface RequestOptions extends IdentityOptions {
  /** Returns attributes for targeting that the edge runtime knows, such as the country. */
  attributes?: (request: Request) => Record<string, unknown> | Promise<Record<string, unknown>>;
  /** Enables override tokens, for tests: `createOverrides({ secret })`. */
  overrides?: EdgeOverrides;
  /** Receives errors of the handler and of functions in these options. */
  onError?: (error: unknown) => void;
}

/** Checks of these options. */
export const REQUEST_OPTIONS: Record<keyof RequestOptions, Kind> = {
  userId: ["{ header }, { cookie } or a function", isUserIdLocation],
  anonymousCookie: ["a cookie name or false", (name) => name === false || isToken(name)],
  attributes: FUNCTION,
  overrides: ["from createOverrides", (overrides) => "read" in Object(overrides)],
  onError: FUNCTION,
};

function isUserIdLocation(source: unknown): boolean {
  const { header, cookie } = Object(source) as Record<string, unknown>;
  return typeof source === "function" || isToken(header ?? cookie);
}
