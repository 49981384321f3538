import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Flagsmith, LocalFileHandler } from "flagsmith-nodejs";
import { migrated } from "../mapping/equality.fixture.ts";
import { readFlagsmith } from "./read.ts";

export type Fields = Record<string, unknown>;
export interface User {
  id: string;
  traits: Record<string, string | number | boolean>;
}

/** Reads an environment document (https://docs.flagsmith.com/clients/server-side) into both engines. */
export async function both(document: Fields) {
  const folder = await mkdtemp(join(tmpdir(), "assay-flagsmith-"));
  await writeFile(join(folder, "environment.json"), JSON.stringify(document));
  const offlineHandler = new LocalFileHandler(join(folder, "environment.json"));
  const client = new Flagsmith({ offlineMode: true, offlineHandler });
  await rm(folder, { recursive: true });
  return {
    async theirs({ id, traits }: User) {
      const flags = await client.getIdentityFlags(id, traits);
      return (name: string) => (flags.isFeatureEnabled(name) ? (flags.getFeatureValue(name) ?? true) : null);
    },
    ours: migrated(readFlagsmith, document),
  };
}

/** What Assay answers, in the same form: true for a flag without values, and null if it is off. */
export function answer(ours: Awaited<ReturnType<typeof both>>["ours"], name: string, { id, traits }: User) {
  const { enabled, value } = ours.evaluate(name, { ...traits, targetingKey: id });
  return enabled ? value : null;
}

export const condition = (property_: string | null, operator: string, value: string | null) => ({
  property_,
  operator,
  value,
});
export const rule = (type: string, conditions: Fields[], rules: Fields[] = []) => ({ type, conditions, rules });
let states = 0;
export const state = (name: string, enabled: boolean, value: unknown = null, more: Fields = {}) => ({
  feature: { id: 1, name, type: "STANDARD" },
  enabled,
  feature_state_value: value,
  django_id: ++states,
  featurestate_uuid: `00000000-0000-4000-8000-${String(states).padStart(12, "0")}`,
  multivariate_feature_state_values: [],
  ...more,
});
export const option = (id: number, value: unknown, percentage_allocation: number) => ({
  id,
  percentage_allocation,
  multivariate_feature_option: { id, value },
  mv_fs_value_uuid: `00000000-0000-4000-8000-${String(id).padStart(12, "0")}`,
});
export const segment = (id: number, rules: Fields[], feature_states: Fields[] = []) => ({
  id,
  name: `Segment ${id}`,
  rules,
  feature_states,
});
export const organisation = {
  id: 1,
  name: "o",
  feature_analytics: false,
  stop_serving_flags: false,
  persist_trait_data: true,
};
export const document = (feature_states: Fields[], segments: Fields[] = [], more: Fields = {}) => ({
  id: 1,
  api_key: "environment-key",
  name: "Production",
  feature_states,
  identity_overrides: [],
  project: { id: 1, name: "p", hide_disabled_flags: false, organisation, segments },
  ...more,
});
