import { createHash } from "node:crypto";
import {
  type Definitions,
  type ExperimentDefinition,
  type FlagDefinition,
  fingerprint,
  type HashedUsers,
  type SegmentDefinition,
  type TargetingRules,
} from "@assay/core";
import { namedSegments, neededSegments } from "./references.ts";

/** Decides which definitions clients receive. */
export interface Projection {
  isClientSide(flagKey: string): boolean;
  /** An unguessable id of the flag, for its salt. */
  idOf(flagKey: string): string;
}

/**
 * Returns the definitions that a CLIENT key may read: flags with `client_side`, the prerequisites and segments they
 * need, and the experiments over them as far as these decide who takes part. They evaluate the same, but list no users:
 * this hashes user lists with a salt per flag and segment.
 */
export function projectDefinitions(definitions: Definitions, { isClientSide, idOf }: Projection): Definitions {
  const flags = withPrerequisites(definitions.flags, isClientSide);
  const keys = new Set(flags.map(({ key }) => key));
  const experiments = definitions.experiments.filter(
    ({ status, feature_flag_key }) => status === "ACTIVE" && keys.has(feature_flag_key ?? ""),
  );
  const groups = new Set(experiments.map(({ mutual_exclusion_group_id }) => mutual_exclusion_group_id));
  const names = new Set<string>();
  for (const { targeting_rules, rules } of [...flags, ...experiments]) {
    for (const name of namedSegments({ targeting_rules, rules })) names.add(name);
  }
  return {
    schema_version: definitions.schema_version,
    ...(definitions.flag_set_id === undefined ? {} : { flag_set_id: definitions.flag_set_id }),
    flags: flags.map((flag) => (isClientSide(flag.key) ? projectFlag : projectPrerequisite)(flag, idOf)),
    segments: neededSegments(definitions.segments, names).map((segment) =>
      // Rules refer to names already visible. Other names stay private.
      names.has(segment.name) ? projectNamed(segment) : projectUnnamed(segment),
    ),
    groups: definitions.groups
      .filter(({ id }) => groups.has(id))
      .map(({ id, slots }) => ({
        id,
        slots: slots.filter(({ experiment_key }) => experiments.some(({ key }) => key === experiment_key)),
      })),
    holdout: definitions.holdout,
    experiments: experiments.map(projectExperiment),
  };
}

/** Projects each part in turn, so that a later projection of all definitions is fast. */
export function* projectParts({ flags, segments, experiments }: Definitions, { isClientSide, idOf }: Projection) {
  for (const flag of withPrerequisites(flags, isClientSide)) {
    yield (isClientSide(flag.key) ? projectFlag : projectPrerequisite)(flag, idOf);
  }
  for (const segment of segments) yield projectUnnamed(segment);
  for (const experiment of experiments) yield projectExperiment(experiment);
}

/** Memoizes by object. Definitions are replaced, never mutated, so each part is projected once. */
function once<T extends object, R, Rest extends unknown[]>(project: (part: T, ...rest: Rest) => R) {
  const projections = new WeakMap<T, R>();
  return (part: T, ...rest: Rest): R => {
    const projected = projections.get(part) ?? project(part, ...rest);
    projections.set(part, projected);
    return projected;
  };
}

const projectFlag = once((flag: FlagDefinition, idOf: Projection["idOf"]): FlagDefinition => {
  return { ...flag, ...hashTargeting(flag.targeting_rules, saltOf(idOf(flag.key))) };
});

/** A flag that clients need for others, and may not ask for. */
const projectPrerequisite = once((flag: FlagDefinition, idOf: Projection["idOf"]): FlagDefinition => {
  return { ...projectFlag(flag, idOf), client_side: false };
});

function withPrerequisites(flags: FlagDefinition[], isClientSide: (key: string) => boolean): FlagDefinition[] {
  const byKey = new Map(flags.map((flag) => [flag.key, flag]));
  const needed = new Set<string>();
  const add = (key: string): void => {
    if (needed.has(key)) return;
    needed.add(key);
    for (const { flag_key } of byKey.get(key)?.prerequisites ?? []) add(flag_key);
  };
  for (const { key } of flags) if (isClientSide(key)) add(key);
  return flags.filter(({ key }) => needed.has(key));
}

/** Without configuration, URLs and forced users. Arms over a flag are the variants of the flag. */
const projectExperiment = once((experiment: ExperimentDefinition): ExperimentDefinition => {
  const { id, key, status, experiment_type, variants, feature_flag_key, mutual_exclusion_group_id, bucket_by } =
    experiment;
  return {
    id,
    key,
    status,
    experiment_type,
    variants: variants.map(({ key, weight, is_control }) => ({
      key,
      weight,
      ...(is_control === undefined ? {} : { is_control }),
    })),
    ...hashTargeting(experiment.targeting_rules, saltOf(id)),
    feature_flag_key: feature_flag_key ?? null,
    mutual_exclusion_group_id: mutual_exclusion_group_id ?? null,
    bucket_by: bucket_by ?? null,
  };
});

const projectUnnamed = once(({ id, user_ids, when }: SegmentDefinition): SegmentDefinition => {
  const hashed = hashUsers(user_ids, saltOf(id));
  return { id, name: id, ...(hashed ? { user_ids_hashed: hashed } : {}), ...(when ? { when } : {}) };
});

const projectNamed = once((segment: SegmentDefinition): SegmentDefinition => {
  return { ...projectUnnamed(segment), name: segment.name };
});

function hashTargeting(
  rules: TargetingRules | null | undefined,
  salt: string,
): { targeting_rules?: TargetingRules | null } {
  if (!rules) return {};
  const { excluded_users, included_users, ...rest } = rules;
  const excluded = hashUsers(excluded_users, salt);
  const included = hashUsers(included_users, salt);
  return {
    targeting_rules: {
      ...rest,
      ...(excluded ? { excluded_users_hashed: excluded } : {}),
      ...(included ? { included_users_hashed: included } : {}),
    },
  };
}

/** Sorted, so that the order of the list stays private. */
function hashUsers(users: string[] | undefined, salt: string): HashedUsers | undefined {
  return users?.length ? { salt, hashes: users.map((user) => fingerprint(user, salt)).sort() } : undefined;
}

function saltOf(id: string): string {
  return createHash("sha256").update(id).digest("base64url").slice(0, 16);
}
