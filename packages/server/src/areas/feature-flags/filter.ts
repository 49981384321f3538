import type { FLAG_ORDERS } from "@assay/contract";
import { contains, orderBy } from "../../http/page.ts";
import type { FlagRecord } from "../../model/feature-flag.ts";

type Field = (typeof FLAG_ORDERS)[number];

/** Filter and order of a list of flags. */
export interface FlagFilter {
  status_filter?: FlagRecord["status"] | undefined;
  search?: string | undefined;
  stale?: boolean | undefined;
  tag?: string | undefined;
  /** Id of the creator. */
  owner_id?: string | undefined;
  /** Id or key of the experiment that runs on the flag. */
  experiment_id?: string | undefined;
  /** @default "-created_at" */
  sort?: Field | `-${Field}` | undefined;
}

/** What the filter needs besides the stored flag. */
interface Known {
  isStale(flag: FlagRecord): boolean;
  lastEvaluated(flag: FlagRecord): string | null;
  /** Whether the experiment of the filter runs on the flag. */
  isBound(flag: FlagRecord): boolean;
}

/** Filters and sorts flags, with ties broken by id. Names and keys are sorted in any letter case. */
export function filterFlags(flags: FlagRecord[], filter: FlagFilter, known: Known): FlagRecord[] {
  const { status_filter, search, stale, tag, owner_id, experiment_id, sort = "-created_at" } = filter;
  return flags
    .filter((flag) => !status_filter || flag.status === status_filter)
    .filter((flag) => stale === undefined || stale === known.isStale(flag))
    .filter(({ tags }) => tag === undefined || tags.includes(tag))
    .filter(({ created_by }) => owner_id === undefined || created_by === owner_id)
    .filter((flag) => experiment_id === undefined || known.isBound(flag))
    .filter(({ key, name, description }) => contains([key, name, description], search))
    .sort(orderBy(sort, (flag, field: Field) => fieldOf(flag, field, known)));
}

function fieldOf(flag: FlagRecord, field: Field, known: Known): string | null {
  if (field === "last_evaluated_at") return known.lastEvaluated(flag);
  return field === "name" || field === "key" ? flag[field].toLowerCase() : flag[field];
}
