import type { Awaitable } from "../ground/awaitable.ts";
import { badRequest } from "../ground/errors.ts";

/** An environment that requests can go to. */
export interface Choice {
  name: string;
  answer(request: Request): Awaitable<Response>;
  /** Whether a request that names no environment belongs to this one. */
  claims(request: Request): boolean;
  /** Applies the changes of other nodes. */
  catchUp(): Promise<void>;
}

const HEADER = "x-assay-environment";

/**
 * Leads each request to its environment: the one that `X-Assay-Environment` names, or the one of its API key, token or
 * webhook, or the first one.
 * @throws ApiError 400 for an unknown name
 */
export function chooseEnvironment(environments: readonly [Choice, ...Choice[]]) {
  const [first, ...others] = environments;
  const byName = new Map(environments.map((one) => [one.name, one]));
  const claimant = (request: Request) => environments.find((one) => one.claims(request));

  return (request: Request): Awaitable<Response> => {
    const name = request.headers.get(HEADER);
    if (name !== null) {
      const named = byName.get(name);
      if (named) return named.answer(request);
      throw badRequest(`X-Assay-Environment: there is no environment ${JSON.stringify(name.slice(0, 50))}`);
    }
    if (others.length === 0) return first.answer(request);
    const owner = claimant(request);
    if (owner) return owner.answer(request);
    // Another node may have created the key a moment ago.
    if (request.headers.get("x-api-key")?.startsWith("asy_")) {
      return Promise.all(environments.map((one) => one.catchUp())).then(() =>
        (claimant(request) ?? first).answer(request),
      );
    }
    return first.answer(request);
  };
}
