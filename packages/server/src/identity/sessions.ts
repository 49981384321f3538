import { isApiError } from "../ground/errors.ts";
import type { SessionRecord } from "../model/session.ts";
import type { Change } from "../storage/change.ts";
import type { Collection } from "../storage/collection.ts";

/** Ends a session, unless another request has ended it. */
export async function endSession(sessions: Collection<SessionRecord>, id: string, by: Change): Promise<void> {
  try {
    await sessions.remove(id, by);
  } catch (error) {
    if (!isApiError(error) || error.status !== 404) throw error;
  }
}
