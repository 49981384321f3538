import * as z from "zod";
import { failure } from "../../failure.ts";
import type { ReadOptions } from "../mapping/migration.ts";
import { readPayload } from "../mapping/shape.ts";

/** A rule of a feature, as SDKs read it: https://docs.growthbook.io/lib/build-your-own#feature-rule */
const Rule = z.strictObject({
  id: z.string().optional(),
  condition: z.record(z.string(), z.unknown()).optional(),
  parentConditions: z
    .array(
      z.strictObject({ id: z.string(), condition: z.record(z.string(), z.unknown()), gate: z.boolean().optional() }),
    )
    .optional(),
  force: z.unknown().optional(),
  coverage: z.number().optional(),
  variations: z.array(z.unknown()).optional(),
  weights: z.array(z.number().min(0)).optional(),
  key: z.string().optional(),
  hashAttribute: z.string().optional(),
  fallbackAttribute: z.string().nullish(),
  hashVersion: z.union([z.literal(1), z.literal(2)]).optional(),
  seed: z.string().optional(),
  disableStickyBucketing: z.boolean().optional(),
  bucketVersion: z.number().optional(),
  minBucketVersion: z.number().optional(),
  meta: z
    .array(
      z.strictObject({ key: z.string().optional(), name: z.string().optional(), passthrough: z.boolean().optional() }),
    )
    .optional(),
  name: z.string().optional(),
  phase: z.string().optional(),
  namespace: z.unknown().optional(),
  filters: z.array(z.unknown()).optional(),
  range: z.unknown().optional(),
  ranges: z.array(z.unknown()).optional(),
  tracks: z.unknown().optional(),
});
export type Rule = z.infer<typeof Rule>;

export const Definition = z.strictObject({
  defaultValue: z.unknown().optional(),
  rules: z.array(Rule).optional(),
  project: z.unknown().optional(),
  metadata: z.unknown().optional(),
});
export type Definition = z.infer<typeof Definition>;

/** A saved group: a list of values, or a list or a condition of its own. */
export const SavedGroup = z.union([
  z.array(z.unknown()),
  z.looseObject({ type: z.literal("list"), attributeKey: z.string().optional(), values: z.array(z.unknown()) }),
  z.looseObject({ type: z.literal("condition"), condition: z.record(z.string(), z.unknown()) }),
]);

/** The answer of `GET /api/features/{clientKey}`. */
const SdkPayload = z.looseObject({
  features: z.record(z.string(), z.unknown()),
  savedGroups: z.record(z.string(), z.unknown()).optional(),
});

/** The answer of `GET /api/v1/features`: https://docs.growthbook.io/api/features/operation/listFeatures */
const Listed = z.looseObject({
  features: z.array(
    z.looseObject({
      id: z.string(),
      description: z.string().nullish(),
      archived: z.boolean().nullish(),
      tags: z.array(z.string()).nullish(),
      environments: z.record(z.string(), z.looseObject({ enabled: z.boolean(), definition: z.string().nullish() })),
    }),
  ),
  hasMore: z.boolean().nullish(),
  total: z.number().nullish(),
});

/** The answer of `GET /api/v1/saved-groups`, in which conditions are text. */
const GroupList = z.looseObject({
  savedGroups: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      attributeKey: z.string().nullish(),
      values: z.array(z.unknown()).nullish(),
      condition: z.string().nullish(),
    }),
  ),
  hasMore: z.boolean().nullish(),
});

/** One feature in one environment. */
export interface Feature {
  key: string;
  description: string;
  tags: string[];
  enabled: boolean;
  /** The definition as SDKs read it, unchecked; undefined if the source has none. */
  definition: unknown;
}

export interface Source {
  features: Feature[];
  savedGroups: Map<string, unknown>;
}

/** Reads payloads in either format. @throws {CommandFailure} */
export function readSource(payloads: readonly unknown[], { environment }: ReadOptions): Source {
  const source: Source = { features: [], savedGroups: new Map() };
  for (const payload of payloads) {
    const features = Object(payload).features as unknown;
    if (Object(payload).encryptedFeatures)
      throw failure("The payload is encrypted; use an SDK connection without encryption");
    if (Array.isArray(Object(payload).savedGroups)) addGroups(source, payload);
    else if (Array.isArray(features)) source.features.push(...fromList(payload, environment));
    else {
      const read = readPayload(
        SdkPayload,
        payload,
        "the answer of /api/features/{clientKey} or /api/v1/features of GrowthBook",
      );
      if (environment !== undefined)
        throw failure(
          "The payload of an SDK connection has one environment, which it does not name; leave out --environment",
        );
      for (const [key, definition] of Object.entries(read.features))
        source.features.push({ key, description: "", tags: [], enabled: true, definition });
      for (const [id, group] of Object.entries(read.savedGroups ?? {})) source.savedGroups.set(id, group);
    }
  }
  return source;
}

function fromList(payload: unknown, environment: string | undefined): Feature[] {
  const { features, hasMore, total } = readPayload(Listed, payload, "the answer of /api/v1/features of GrowthBook");
  if (hasMore)
    throw failure(
      `The list has ${features.length} of ${total ?? "more"} features; request it with limit and offset, and add the pages by --with`,
    );
  const names = [...new Set(features.flatMap((one) => Object.keys(one.environments)))];
  const chosen = environment ?? (names.length === 1 ? names[0]! : undefined);
  if (chosen === undefined)
    throw failure(`The list has several environments; specify one with --environment: ${names.join(", ")}`);
  if (!names.includes(chosen)) throw failure(`The source has no environment "${chosen}", only: ${names.join(", ")}`);
  return features.map(({ id, description, tags, archived, environments }) => {
    const here = environments[chosen];
    const isHere = here?.enabled === true && archived !== true;
    const definition = here?.definition ? parse(here.definition) : undefined;
    return { key: id, description: description ?? "", tags: tags ?? [], enabled: isHere, definition };
  });
}

function addGroups({ savedGroups }: Source, payload: unknown): void {
  const list = readPayload(GroupList, payload, "the answer of /api/v1/saved-groups of GrowthBook");
  if (list.hasMore)
    throw failure("The list has not all saved groups; request it with limit and offset, and add the pages by --with");
  for (const { id, type, attributeKey, values, condition } of list.savedGroups) {
    const isList = type === "list";
    savedGroups.set(
      id,
      isList ? { type, attributeKey: attributeKey ?? undefined, values } : { type, condition: parse(condition ?? "") },
    );
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
