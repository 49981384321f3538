import { type BaseOfflineHandler, type EnvironmentModel, type Flags, Flagsmith } from "flagsmith-nodejs";
import type { Contestant } from "../../src/evaluation/contestant.ts";
import { COUNTRIES, EXCLUDED_PLAN, type Flag, MIN_AGE, NONE, VARIANTS } from "../../src/evaluation/scenario.ts";
import { importInternal } from "../internal.ts";

const idOf = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** A segment with the state of one flag for its members: a split of 50 %, or three conditions and four variants. */
function toSegment({ key, kind }: Flag, index: number) {
  const feature = { id: index + 1, name: key, type: "STANDARD" };
  const condition = (property_: string | null, operator: string, value: string) => ({ property_, operator, value });
  const conditions =
    kind === "half"
      ? [condition(null, "PERCENTAGE_SPLIT", "50")]
      : [
          condition("country", "IN", COUNTRIES.join(",")),
          condition("age", "GREATER_THAN", String(MIN_AGE)),
          condition("plan", "NOT_EQUAL", EXCLUDED_PLAN),
        ];
  const variants = VARIANTS.map((value, id) => ({
    id: id + 1,
    percentage_allocation: 25,
    multivariate_feature_option: { id: id + 1, value },
    mv_fs_value_uuid: idOf(id + 1),
  }));
  const state = {
    feature,
    enabled: true,
    django_id: 10_000 + index,
    feature_state_value: NONE,
    featurestate_uuid: idOf(10_000 + index),
    multivariate_feature_state_values: kind === "ruled" ? variants : [],
    feature_segment: { priority: 0 },
  };
  return {
    base: { ...state, enabled: kind === "ruled", django_id: index + 1, multivariate_feature_state_values: [] },
    segment: {
      id: index + 1,
      name: `for ${key}`,
      rules: [{ type: "ALL", conditions: [], rules: [{ type: "ALL", conditions, rules: [] }] }],
      feature_states: [state],
    },
  };
}

export const flagsmith: Contestant = {
  name: "Flagsmith",
  packageName: "flagsmith-nodejs",
  async load(flags) {
    const parts = flags.map(toSegment);
    const document = {
      id: 1,
      api_key: "benchmarks",
      name: "benchmarks",
      feature_states: parts.map(({ base }) => base),
      project: {
        id: 1,
        name: "benchmarks",
        hide_disabled_flags: false,
        organisation: {
          id: 1,
          name: "b",
          feature_analytics: false,
          stop_serving_flags: false,
          persist_trait_data: true,
        },
        segments: parts.map(({ segment }) => segment),
      },
    };
    // What LocalFileHandler does with a file.
    const { buildEnvironmentModel } = await importInternal<{
      buildEnvironmentModel(document: object): EnvironmentModel;
    }>("flagsmith-nodejs", "build/cjs/flagsmith-engine/environments/util.js");
    const environment = buildEnvironmentModel(document);
    const offlineHandler: BaseOfflineHandler = { getEnvironment: () => environment };
    const client = new Flagsmith({ offlineMode: true, offlineHandler });
    type Context = { id: string; traits: Record<string, string | number> };
    const flagsOf = ({ id, traits }: Context) => client.getIdentityFlags(id, traits);
    const readAll = (results: Flags, { key, kind }: Flag) =>
      kind === "half" ? results.isFeatureEnabled(key) : String(results.getFeatureValue(key));
    return {
      toContext: ({ id, country, age, plan }) => ({ id, traits: { country, age, plan } }),
      one: () => flagsOf,
      all: flagsOf,
      read: readAll,
      readAll,
      close: () => client.close(),
    };
  },
};
