import * as z from "zod";
import { readPayload } from "../mapping/shape.ts";

/** A condition of a rule: https://docs.statsig.com/server-core/concepts/ */
export const Condition = z.looseObject({
  type: z.string(),
  targetValue: z.unknown().optional(),
  operator: z.string().nullish(),
  field: z.string().nullish(),
  additionalValues: z.record(z.string(), z.unknown()).nullish(),
  idType: z.string().nullish(),
});
export type Condition = z.output<typeof Condition>;

export const Rule = z.looseObject({
  id: z.string(),
  name: z.string().nullish(),
  groupName: z.string().nullish(),
  salt: z.string().nullish(),
  passPercentage: z.number(),
  returnValue: z.unknown(),
  conditions: z.array(z.union([z.string(), Condition])),
  idType: z.string().nullish(),
  configDelegate: z.string().nullish(),
});
export type Rule = z.output<typeof Rule>;

/** A gate, dynamic config, experiment or layer. */
export const Spec = z.looseObject({
  salt: z.string(),
  enabled: z.boolean(),
  defaultValue: z.unknown(),
  rules: z.array(Rule),
  entity: z.string().nullish(),
  targetAppIDs: z.array(z.unknown()).nullish(),
});
export type Spec = z.output<typeof Spec>;

/** A spec, unchecked, with its name. */
export interface Named {
  name: string;
  spec: unknown;
}

const Specs = z.union([z.record(z.string(), z.unknown()), z.array(z.looseObject({ name: z.string() }))]);
const Document = z.looseObject({
  feature_gates: Specs,
  dynamic_configs: Specs.optional(),
  layer_configs: Specs.optional(),
  condition_map: z.record(z.string(), Condition).nullish(),
});

/** The specs of all documents, and the conditions that rules name. */
export interface Source {
  gates: Named[];
  configs: Named[];
  layers: Named[];
  conditions: Map<string, Condition>;
}

/** Reads documents of specs. Newer ones have specs by name and share conditions. @throws {CommandFailure} */
export function readSource(payloads: readonly unknown[]): Source {
  const source: Source = { gates: [], configs: [], layers: [], conditions: new Map() };
  for (const payload of payloads) {
    const document = readPayload(Document, payload, "a document of config specs of Statsig");
    source.gates.push(...toList(document.feature_gates));
    source.configs.push(...toList(document.dynamic_configs ?? []));
    source.layers.push(...toList(document.layer_configs ?? []));
    for (const [key, condition] of Object.entries(document.condition_map ?? {})) source.conditions.set(key, condition);
  }
  return source;
}

function toList(specs: z.output<typeof Specs>): Named[] {
  if (Array.isArray(specs)) return specs.map((spec) => ({ name: spec.name, spec }));
  return Object.entries(specs).map(([name, spec]) => ({ name, spec }));
}
