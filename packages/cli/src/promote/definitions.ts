import type { Client } from "@assay/client";
import { readPages } from "../pages.ts";

export type Kind = "segment" | "flag" | "experiment";

/** A segment, flag or experiment, without what belongs to its environment. */
export interface Definition {
  kind: Kind;
  /** The key, or the name of a segment. */
  key: string;
  status: string;
  version: number;
  /** The fields to promote. They refer to others by key or name, because ids differ between environments. */
  fields: Fields;
}

export type Fields = Record<string, unknown>;

const TARGETING = ["targeting_rules", "rules"];
/** What a promotion takes. The status, rollout and dates, and links to other systems, belong to an environment. */
const PROMOTED: Record<Kind, string[]> = {
  segment: ["name", "description", "status", "conditions", "user_ids"],
  flag: [
    ...["key", "name", "description", "value_type", "variants", "default_value", ...TARGETING, "rules_enabled"],
    ...["prerequisites", "defer_to_caller", "bucket_by", "client_side", "expires_at", "permanent", "tags", "metadata"],
  ],
  experiment: [
    ...["key", "name", "description", "hypothesis", "experiment_type", "variants", "metrics", ...TARGETING],
    ...["factors", "design", "default_value", "overrides", "split_url_config", "feature_flag_key", "bucket_by"],
    ...["switchback", "alpha", "correction", "allocation", "bayesian_enabled", "bayesian_config"],
    ...["planned_sample_size", "group_sequential", "variance_reduction"],
  ],
};

const PAGE = 500;
/** Requests in flight, so that a long list is read in a short time and within the limits of a server. */
const AT_ONCE = 10;

/** Reads the segments, flags and experiments of an environment that `isWanted` chooses by key or name. */
export async function readDefinitions(client: Client, isWanted: (key: string) => boolean): Promise<Definition[]> {
  const [segments, flags, experiments] = await Promise.all([
    readPages(PAGE, async (query) => (await client.request("GET /segments", { query })).items),
    readPages(PAGE, (query) => client.request("GET /feature-flags/", { query })),
    readPages(PAGE, async (query) => (await client.request("GET /experiments/", { query })).items),
  ]);
  const names = new Map([
    ...segments.map(({ id, name }): [string, string] => [id, name]),
    ...[...flags, ...experiments].map(({ id, key }): [string, string] => [id, key]),
  ]);
  const define = (kind: Kind, key: string, document: { status: string; version: number }): Definition => {
    const all: Fields = { ...document };
    const fields = PROMOTED[kind].flatMap((name) => {
      const value = name === "variants" ? ownVariants(kind, all) : all[name];
      return value === undefined ? [] : [[name, portable(value, names, name)]];
    });
    return { kind, key, status: document.status, version: document.version, fields: Object.fromEntries(fields) };
  };
  const wanted = (all: { key: string }[]) => all.map(({ key }) => key).filter(isWanted);
  return [
    ...segments.filter(({ name }) => isWanted(name)).map((one) => define("segment", one.name, one)),
    ...(await inTurn(wanted(flags), async (id) =>
      define("flag", id, await client.request("GET /feature-flags/{id}", { params: { id } })),
    )),
    ...(await inTurn(wanted(experiments), async (experiment_id) =>
      define(
        "experiment",
        experiment_id,
        await client.request("GET /experiments/{experiment_id}", { params: { experiment_id } }),
      ),
    )),
  ];
}

/**
 * Returns the variants, or null if they follow from something else: from the type of a boolean flag, whose variants then have
 * no weights, or from the flag of an experiment.
 */
function ownVariants(kind: Kind, { variants, feature_flag_key }: Fields): unknown {
  if (kind === "experiment") return feature_flag_key === null ? variants : null;
  const isDerived = Array.isArray(variants) && variants.every((one) => one.weight === undefined);
  return isDerived ? null : variants;
}

/** Replaces the ids of documents by their names, and omits the ids of variants and metrics, which have keys and names. */
function portable(value: unknown, names: ReadonlyMap<string, string>, field: string): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => portable(one, names, field));
  if (value === null || typeof value !== "object") return value;
  const isPart = field === "variants" || field === "metrics";
  const entries = Object.entries(value).filter(([name]) => !(isPart && name === "id"));
  return Object.fromEntries(entries.map(([name, part]) => [name, portable(part, names, name)]));
}

async function inTurn<T, U>(all: T[], work: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    done.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(work))));
  }
  return done;
}
