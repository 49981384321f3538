import type { ChangeAuthor } from "@assay/contract";
import { shownName } from "../../audit/privacy.ts";
import type { ActorNames } from "../../identity/actor-names.ts";
import type { Caller } from "../../model/caller.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";

/** Returns the author of the last change as this caller may see it; null for the server and if unknown. */
export function toChangeAuthor(
  { changed_by }: Pick<FlagRecord, "changed_by">,
  caller: Caller,
  names: ActorNames,
): ChangeAuthor | null {
  if (!changed_by || changed_by.actor_id === null) return null;
  const name = caller.type === "USER" ? shownName(names.nameOf(changed_by), caller) : null;
  return { id: changed_by.actor_id, name };
}
