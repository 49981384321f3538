import * as z from "zod";
import { failure } from "../../failure.ts";
import type { ReadOptions } from "../mapping/migration.ts";
import { readPayload } from "../mapping/shape.ts";

/** A constraint: https://docs.getunleash.io/concepts/activation-strategies#constraints */
export const Constraint = z.strictObject({
  contextName: z.string(),
  operator: z.string(),
  inverted: z.boolean().nullish(),
  caseInsensitive: z.boolean().nullish(),
  values: z.array(z.string()).nullish(),
  value: z.union([z.string(), z.number()]).nullish(),
});
export type Constraint = z.infer<typeof Constraint>;

export const Variant = z.strictObject({
  name: z.string(),
  weight: z.number().min(0),
  weightType: z.string().nullish(),
  stickiness: z.string().nullish(),
  payload: z.object({ type: z.string(), value: z.string() }).nullish(),
  overrides: z.array(z.object({ contextName: z.string(), values: z.array(z.string()) })).nullish(),
});
export type Variant = z.infer<typeof Variant>;

/** An activation strategy: https://docs.getunleash.io/concepts/activation-strategies */
export const Strategy = z.strictObject({
  name: z.string(),
  title: z.string().nullish(),
  disabled: z.boolean().nullish(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).nullish(),
  constraints: z.array(Constraint).nullish(),
  segments: z.array(z.number()).nullish(),
  variants: z.array(Variant).nullish(),
  id: z.string().nullish(),
  sortOrder: z.number().nullish(),
  featureName: z.string().nullish(),
  milestoneId: z.string().nullish(),
});
export type Strategy = z.infer<typeof Strategy>;

export const Feature = z.looseObject({
  name: z.string(),
  description: z.string().nullish(),
  enabled: z.boolean(),
  impressionData: z.boolean().nullish(),
  strategies: z.array(Strategy),
  variants: z.array(Variant).nullish(),
  dependencies: z
    .array(
      z.strictObject({ feature: z.string(), enabled: z.boolean().nullish(), variants: z.array(z.string()).nullish() }),
    )
    .nullish(),
  tags: z.array(z.string()).optional(),
});
export type Feature = z.infer<typeof Feature>;

const Named = z.looseObject({ name: z.string() });
const Segment = z.looseObject({
  id: z.number(),
  name: z.string().nullish(),
  constraints: z.array(z.unknown()).nullish(),
});

/** `GET /api/client/features`, as SDKs read it. `GET /api/admin/segments` has only segments. */
const ClientFeatures = z.looseObject({
  features: z.array(Named).optional(),
  segments: z.array(Segment).optional(),
  query: z.looseObject({ environment: z.string().nullish() }).nullish(),
});

/** An export of one environment: https://docs.getunleash.io/concepts/import-export */
const Export = z.looseObject({
  features: z.array(Named),
  featureStrategies: z.array(z.looseObject({ featureName: z.string() })),
  featureEnvironments: z.array(z.looseObject({ featureName: z.string(), environment: z.string() })).optional(),
  featureTags: z
    .array(z.looseObject({ featureName: z.string(), tagType: z.string().nullish(), tagValue: z.string() }))
    .optional(),
  dependencies: z.array(z.looseObject({ feature: z.string(), dependencies: z.array(z.unknown()) })).optional(),
  segments: z.array(Segment).optional(),
});

/** The features of one environment, unchecked, and the segments, by id. */
export interface Source {
  features: z.infer<typeof Named>[];
  segments: Map<number, z.infer<typeof Segment>>;
}

/** Reads payloads in either format, and segments from any of them. @throws {CommandFailure} */
export function readSource(payloads: readonly unknown[], { environment }: ReadOptions): Source {
  const source: Source = { features: [], segments: new Map() };
  const found = new Set<string>();
  for (const payload of payloads) {
    const isExport = typeof payload === "object" && payload !== null && "featureStrategies" in payload;
    const { features, segments, environments } = isExport ? fromExport(payload, environment) : fromClient(payload);
    source.features.push(...features);
    for (const one of environments) found.add(one);
    // An export names segments without their constraints.
    for (const segment of segments) if (segment.constraints) source.segments.set(segment.id, segment);
  }
  if (environment !== undefined && !found.has(environment))
    throw failure(`The source has no environment "${environment}", only: ${[...found].join(", ") || "(unnamed)"}`);
  return source;
}

function fromClient(payload: unknown) {
  const read = readPayload(ClientFeatures, payload, "the answer of /api/client/features, or an export of Unleash");
  if (!read.features && !read.segments) throw failure("This has neither features nor segments of Unleash");
  const name = read.query?.environment;
  return { features: read.features ?? [], segments: read.segments ?? [], environments: name ? [name] : [] };
}

function fromExport(payload: object, environment: string | undefined) {
  const read = readPayload(Export, payload, "an export of Unleash");
  const environments = [...new Set((read.featureEnvironments ?? []).map((one) => one.environment))];
  if (environment === undefined && environments.length > 1)
    throw failure(`The export has several environments; specify one with --environment: ${environments.join(", ")}`);
  const features = read.features.map((feature) => {
    const own = <T extends { featureName: string }>(list: T[] | undefined) =>
      (list ?? []).filter(({ featureName }) => featureName === feature.name);
    const here = own(read.featureEnvironments).find(
      (one) => environment === undefined || one.environment === environment,
    );
    return {
      ...feature,
      enabled: here?.enabled ?? false,
      variants: here?.variants,
      strategies: own(read.featureStrategies),
      dependencies: read.dependencies?.find((one) => one.feature === feature.name)?.dependencies,
      tags: own(read.featureTags).map(({ tagType, tagValue }) => `${tagType ?? "simple"}:${tagValue}`),
    };
  });
  return { features, segments: read.segments ?? [], environments };
}
