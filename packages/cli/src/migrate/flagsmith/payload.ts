import * as z from "zod";
import { failure } from "../../failure.ts";
import type { ReadOptions } from "../mapping/migration.ts";
import { readPayload } from "../mapping/shape.ts";

const Value = z.union([z.string(), z.number(), z.boolean()]).nullish();

/** The state of a feature: of the environment, of the members of a segment, or of one identity. */
const FeatureState = z.looseObject({
  feature: z.looseObject({ id: z.number(), name: z.string() }),
  enabled: z.boolean(),
  feature_state_value: Value,
  django_id: z.number().nullish(),
  featurestate_uuid: z.string().nullish(),
  feature_segment: z.looseObject({ priority: z.number() }).nullish(),
  multivariate_feature_state_values: z
    .array(
      z.looseObject({
        id: z.number().nullish(),
        mv_fs_value_uuid: z.string().nullish(),
        percentage_allocation: z.number().min(0).max(100),
        multivariate_feature_option: z.looseObject({ value: Value }),
      }),
    )
    .nullish(),
});
export type FeatureState = z.infer<typeof FeatureState>;

export const Condition = z.strictObject({
  property_: z.string().nullish(),
  operator: z.string(),
  value: z.union([z.string(), z.array(z.string())]).nullish(),
});
export type Condition = z.infer<typeof Condition>;

export interface Rule {
  type: "ALL" | "ANY" | "NONE";
  conditions: Condition[];
  rules: Rule[];
}
export const Rule: z.ZodType<Rule> = z.strictObject({
  type: z.enum(["ALL", "ANY", "NONE"]),
  conditions: z.array(Condition),
  get rules() {
    return z.array(Rule);
  },
});

/** An environment document: https://docs.flagsmith.com/clients/server-side#local-evaluation-mode */
const EnvironmentDocument = z.looseObject({
  api_key: z.string(),
  name: z.string().nullish(),
  feature_states: z.array(FeatureState),
  identity_overrides: z
    .array(z.looseObject({ identifier: z.string(), identity_features: z.array(FeatureState) }))
    .nullish(),
  project: z.looseObject({
    segments: z.array(
      z.looseObject({
        id: z.number(),
        name: z.string(),
        rules: z.array(z.unknown()),
        feature_states: z.array(FeatureState),
      }),
    ),
  }),
});
export type EnvironmentDocument = z.infer<typeof EnvironmentDocument>;

/** Reads an environment document. @throws {CommandFailure} */
export function readDocument(payloads: readonly unknown[], { environment }: ReadOptions): EnvironmentDocument {
  if (payloads.length > 1) throw failure("An environment document of Flagsmith is complete; leave out --with");
  const document = readPayload(EnvironmentDocument, payloads[0], "an environment document of Flagsmith");
  if (environment !== undefined && environment !== document.name)
    throw failure(`The source has no environment "${environment}", only: ${document.name ?? "(unnamed)"}`);
  return document;
}
