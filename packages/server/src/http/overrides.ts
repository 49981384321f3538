import { createOverrideReader, OverrideError, type OverrideOptions, type Overrides } from "@assay/core/overrides";
import type { Awaitable } from "../ground/awaitable.ts";
import { badRequest } from "../ground/errors.ts";
import type { Runtime } from "../ground/runtime.ts";

/**
 * Creates the reader of overrides in requests. Without options it returns none.
 * @throws OverrideError if the secret is too short
 */
export function createOverrides(
  options: OverrideOptions | undefined,
  { now }: Pick<Runtime, "now">,
): (request: Request) => Awaitable<Overrides | null> {
  if (options === undefined) return () => null;
  const reader = createOverrideReader(options, now);
  return async (request) => {
    try {
      return await reader.read(request);
    } catch (error) {
      throw error instanceof OverrideError ? badRequest(error.message) : error;
    }
  };
}
