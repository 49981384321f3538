import { isApiError } from "../errors.ts";
import type { AccessTrail } from "../identity/access.ts";
import type { Actor } from "../storage/change.ts";
import type { Limiter } from "./limits.ts";

/**
 * What a request without a caller is told. Wrong credentials are written down and, unless attempts at this route are
 * counted anyway, counted: too many of an address are answered with that.
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
