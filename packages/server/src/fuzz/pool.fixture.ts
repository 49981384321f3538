/** Names from earlier responses by kind of resource, so that requests refer to existing resources. */
export interface Pool {
  /** A known name of this kind, or occasionally of any kind. @param at selects the name */
  pick(name: string, at: number): string;
  /** Collects every short string of a response. @param resource the kind that its ids and keys refer to */
  learn(answer: unknown, resource: string): void;
}

const MAX_VALUES = 200;
const NAMES = ["id", "key", "name", "job_name", "username", "run_id"];
/** Fields and parameters that refer to another kind than their name suggests. */
const KINDS: Record<string, string> = {
  experiment: "experiments",
  experiment_id: "experiments",
  experiment_key: "experiments",
  exp_a_id: "experiments",
  exp_b_id: "experiments",
  eid: "experiments",
  key: "feature-flags",
  flag_id: "feature-flags",
  flag_key: "feature-flags",
  flagkey: "feature-flags",
  feature_flag_id: "feature-flags",
  feature_flag_key: "feature-flags",
  connection_id: "warehouse",
  group_id: "mutual-exclusion-groups",
  mutual_exclusion_group_id: "mutual-exclusion-groups",
  stage_id: "stages",
  run_id: "etl",
  job_name: "scheduler",
  grant_id: "grants",
  role_name: "roles",
  uid: "user_id",
  segment: "segments",
  user_segment: "segments",
};

/** Creates a pool with the newest names of each kind. */
export function createPool(): Pool {
  const everything = ["nobody"];
  const byKind = new Map<string, string[]>();

  function add(kind: string, text: string): void {
    const named = byKind.get(kind) ?? [];
    byKind.set(kind, named);
    for (const list of [named, everything]) {
      if (!list.includes(text)) list.push(text);
      if (list.length > MAX_VALUES) list.shift();
    }
  }

  function learn(value: unknown, resource: string, field = ""): void {
    if (Array.isArray(value)) for (const item of value.slice(0, 20)) learn(item, resource, field);
    else if (typeof value === "object" && value !== null) {
      for (const [name, item] of Object.entries(value)) {
        if (NAMES.includes(name) && typeof item === "string") {
          add(field === "" || field === "items" ? resource : toKind(field), item);
        }
        learn(item, resource, name);
      }
    } else if (typeof value === "string" && value.length <= 64) add(toKind(field), value);
  }

  return {
    pick(name, at) {
      const named = byKind.get(toKind(name)) ?? [];
      const list = named.length > 0 && at % 11 > 0 ? named : everything;
      return list[Math.floor(at / 11) % list.length]!;
    },
    learn: (answer, resource) => learn(answer, resource),
  };
}

function toKind(name: string): string {
  const lower = name.toLowerCase();
  return (Object.hasOwn(KINDS, lower) ? KINDS[lower] : undefined) ?? lower;
}
