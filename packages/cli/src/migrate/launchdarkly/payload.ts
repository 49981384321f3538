import * as z from "zod";
import { failure } from "../../failure.ts";
import type { ReadOptions } from "../mapping/migration.ts";
import { readPayload } from "../mapping/shape.ts";

const Kind = z.string().nullish();

/** A clause of a rule: https://launchdarkly.com/docs/api/feature-flags */
const Clause = z.strictObject({
  _id: z.string().optional(),
  id: z.string().optional(),
  attribute: z.string(),
  op: z.string(),
  values: z.array(z.unknown()),
  negate: z.boolean().nullish(),
  contextKind: Kind,
});
export type Clause = z.infer<typeof Clause>;

const Target = z.looseObject({ values: z.array(z.string()), variation: z.int().nullish(), contextKind: Kind });

const Served = {
  variation: z.int().nullish(),
  rollout: z
    .looseObject({
      kind: z.string().nullish(),
      contextKind: Kind,
      bucketBy: z.string().nullish(),
      seed: z.number().nullish(),
      experimentAllocation: z.unknown().optional(),
      variations: z.array(
        z.looseObject({ variation: z.int(), weight: z.number().min(0), untracked: z.boolean().nullish() }),
      ),
    })
    .nullish(),
};
const Serving = z.looseObject(Served);
export type Serving = z.infer<typeof Serving>;

const Rule = z.looseObject({ clauses: z.array(Clause), disabled: z.boolean().nullish(), ...Served });
export type Rule = z.infer<typeof Rule>;

/** What a flag serves in one environment. */
const settings = {
  on: z.boolean(),
  archived: z.boolean().nullish(),
  salt: z.string().nullish(),
  targets: z.array(Target).nullish(),
  contextTargets: z.array(Target).nullish(),
  rules: z.array(Rule).nullish(),
  fallthrough: Serving.nullish(),
  offVariation: z.int().nullish(),
  prerequisites: z.array(z.looseObject({ key: z.string(), variation: z.int() })).nullish(),
  migration: z.unknown().optional(),
};
export const Settings = z.looseObject(settings);
export type Settings = z.infer<typeof Settings>;

/** Fields of a segment; those that draw or are stored elsewhere have no counterpart. */
export const Segment = z.looseObject({
  included: z.array(z.string()).nullish(),
  excluded: z.array(z.string()).nullish(),
  includedContexts: z.array(Target).nullish(),
  excludedContexts: z.array(Target).nullish(),
  rules: z.array(z.looseObject({ clauses: z.array(Clause), weight: z.number().nullish() })).nullish(),
  unbounded: z.boolean().nullish(),
});

const Variation = z.looseObject({ value: z.unknown(), name: z.string().nullish() });

/** The answer of `GET /api/v2/flags/{projectKey}?summary=0`. */
const FlagList = z.looseObject({
  items: z.array(
    z.looseObject({
      key: z.string(),
      name: z.string().nullish(),
      description: z.string().nullish(),
      tags: z.array(z.string()).nullish(),
      archived: z.boolean().nullish(),
      variations: z.array(Variation),
      environments: z.record(z.string(), z.unknown()).optional(),
    }),
  ),
  totalCount: z.number().nullish(),
});
/** The answer of `GET /api/v2/segments/{projectKey}/{environmentKey}`. */
const SegmentList = z.looseObject({
  items: z.array(z.looseObject({ key: z.string(), name: z.string().nullish(), description: z.string().nullish() })),
  totalCount: z.number().nullish(),
});
/** A file with flags as SDKs read them: https://launchdarkly.com/docs/sdk/features/flags-from-files */
const FlagFile = z.looseObject({
  flags: z.record(z.string(), z.looseObject({ variations: z.array(z.unknown()) })).optional(),
  segments: z.record(z.string(), z.looseObject({})).optional(),
});

/** One flag in one environment; its settings are unchecked, and undefined if the environment has none. */
export interface Flag {
  key: string;
  name: string;
  description: string;
  tags: string[];
  archived: boolean;
  variations: z.infer<typeof Variation>[];
  settings: unknown;
}

export interface Source {
  flags: Flag[];
  segments: Map<string, { key: string; name: string; description: string; fields: unknown }>;
}

/** Reads lists of the API and files of SDKs. @throws {CommandFailure} */
export function readSource(payloads: readonly unknown[], { environment }: ReadOptions): Source {
  const source: Source = { flags: [], segments: new Map() };
  let total = 0;
  for (const payload of payloads) {
    const items = Object(payload).items as unknown;
    if (!Array.isArray(items)) addFile(source, payload, environment);
    else if (items.some((item) => Array.isArray(Object(item).variations)))
      total = Math.max(total, addFlags(source, payload, environment));
    else addSegments(source, payload);
  }
  requireWhole(source.flags.length, total);
  return source;
}

function requireWhole(count: number, total: number): void {
  if (total > count)
    throw failure(
      `The list has ${count} of ${total} items; request it with limit and offset, and add the pages by --with`,
    );
}

/** Returns the total that the list names, which counts the flags of all its pages. */
function addFlags(source: Source, payload: unknown, environment: string | undefined): number {
  const list = readPayload(FlagList, payload, "the answer of /api/v2/flags of LaunchDarkly");
  const names = [...new Set(list.items.flatMap((item) => Object.keys(item.environments ?? {})))];
  const chosen = environment ?? (names.length === 1 ? names[0]! : undefined);
  if (chosen === undefined)
    throw failure(
      names.length === 0
        ? "The list has no environments; request it with summary=0 and env"
        : `The list has several environments; specify one with --environment: ${names.join(", ")}`,
    );
  if (!names.includes(chosen)) throw failure(`The source has no environment "${chosen}", only: ${names.join(", ")}`);
  for (const { key, name, description, tags, archived, variations, environments } of list.items) {
    const common = {
      key,
      name: name || key,
      description: description ?? "",
      tags: tags ?? [],
      archived: archived === true,
    };
    source.flags.push({ ...common, variations, settings: environments?.[chosen] });
  }
  return list.totalCount ?? 0;
}

function addSegments(source: Source, payload: unknown): void {
  const list = readPayload(SegmentList, payload, "the answer of /api/v2/segments of LaunchDarkly");
  requireWhole(list.items.length, list.totalCount ?? 0);
  for (const { key, name, description, ...fields } of list.items)
    source.segments.set(key, { key, name: name || key, description: description ?? "", fields });
}

function addFile(source: Source, payload: unknown, environment: string | undefined): void {
  const file = readPayload(FlagFile, payload, "a list of flags or segments of LaunchDarkly, or a file of flags");
  if (!file.flags && !file.segments) throw failure("This has neither flags nor segments of LaunchDarkly");
  if (environment !== undefined)
    throw failure("A file of flags has one environment, which it does not name; leave out --environment");
  for (const [key, { variations, ...settings }] of Object.entries(file.flags ?? {})) {
    const common = { key, name: key, description: "", tags: [], archived: false };
    source.flags.push({ ...common, variations: variations.map((value) => ({ value })), settings });
  }
  for (const [key, fields] of Object.entries(file.segments ?? {}))
    source.segments.set(key, { key, name: key, description: "", fields });
}
