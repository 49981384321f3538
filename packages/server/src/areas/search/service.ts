import type { SearchResults } from "@assay/contract";
import type { Caller } from "../../model/caller.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";
import { isVisible } from "../../model/experiment-visibility.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";
import type { SegmentRecord } from "../../model/segment.ts";
import type { Collection } from "../../storage/collection.ts";
import type { UserService } from "../users/service.ts";

type Found = SearchResults["results"][number];

/** Finds things by their key or name. */
export interface SearchService {
  /** Finds a part of a key or name in any letter case: exact matches first, then beginnings, then the rest. */
  find(text: string, limit: number, caller: Caller): SearchResults;
}

export function createSearchService(deps: {
  flags: Collection<FlagRecord>;
  experiments: Collection<ExperimentRecord>;
  segments: Collection<SegmentRecord>;
  users: Pick<UserService, "visibleTo">;
}): SearchService {
  const { flags, experiments, segments, users } = deps;

  const all = (caller: Caller): Found[] => [
    ...flags.all().map(({ id, key, name }): Found => ({ type: "flag", id, key, name })),
    ...experiments
      .all()
      .filter((one) => isVisible(one, caller))
      .map(({ id, key, name }): Found => ({ type: "experiment", id, key, name })),
    ...segments.all().map(({ id, name }): Found => ({ type: "segment", id, key: name, name })),
    ...users
      .visibleTo(caller)
      .map(
        ({ id, username, full_name }): Found => ({ type: "person", id, key: username, name: full_name || username }),
      ),
  ];

  return {
    find(text, limit, caller) {
      const needle = text.toLowerCase();
      const ranked = all(caller).map((found) => ({ found, rank: rankOf(found, needle) }));
      const matches = ranked.filter(({ rank }) => rank < NO_MATCH);
      // The sort is stable: equal ranks stay in order of type, then creation.
      return {
        results: matches
          .sort((a, b) => a.rank - b.rank)
          .slice(0, limit)
          .map(({ found }) => found),
      };
    },
  };
}

const NO_MATCH = 3;

/** Returns 0 for an exact match of the key or name, 1 for a beginning, 2 for a part, and {@link NO_MATCH}. */
function rankOf({ key, name }: Found, needle: string): number {
  const ranks = [key, name].map((text) => {
    const place = text.toLowerCase().indexOf(needle);
    if (place < 0) return NO_MATCH;
    return place > 0 ? 2 : text.length === needle.length ? 0 : 1;
  });
  return Math.min(...ranks);
}
