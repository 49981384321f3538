import { isApiError } from "../ground/errors.ts";
import type { AccessTrail } from "../identity/access.ts";
import type { Actor } from "../storage/change.ts";
import type { Limiter } from "./limits.ts";

/**
 * Returns the response to a request without a caller. Audits wrong credentials, and counts them unless the route counts
 * attempts anyway. Too many from one address get a 429.
 */
export async function refusalOf(
  error: unknown,
  request: Request,
  actor: Actor,
  { access, limiter, isCounted }: { access: AccessTrail; limiter: Limiter; isCounted: boolean },
): Promise<unknown> {
  if (!isApiError(error) || error.status !== 401) return error;
  access.refused(error, request, actor);
  if (isCounted) return error;
  return limiter.refuse(actor).then(
    () => error,
    (tooMany: unknown) => tooMany,
  );
}
