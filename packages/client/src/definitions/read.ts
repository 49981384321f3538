import type { Client } from "../client.ts";
import { DEFINING } from "./defining.ts";
import type { Fields, Kind, StoredDefinition } from "./definition.ts";
import { readPages } from "./pages.ts";

const PAGE = 500;
/** Requests in flight, so that a long list is read in a short time and within the limits of a server. */
const AT_ONCE = 10;

interface Document {
  id: string;
  version: number;
  status: string;
}

/**
 * Reads the segments, flags and experiments of an environment that `isWanted` chooses by key or name.
 * @param taken the fields to read of each kind
 */
export async function readDefinitions(
  client: Client,
  isWanted: (key: string) => boolean,
  taken = DEFINING,
): Promise<StoredDefinition[]> {
  const [segments, flags, experiments] = await Promise.all([
    readPages(PAGE, async (query) => (await client.request("GET /segments", { query })).items),
    readPages(PAGE, (query) => client.request("GET /feature-flags/", { query })),
    readPages(PAGE, async (query) => (await client.request("GET /experiments/", { query })).items),
  ]);
  const names = new Map([
    ...segments.map(({ id, name }): [string, string] => [id, name]),
    ...[...flags, ...experiments].map(({ id, key }): [string, string] => [id, key]),
  ]);
  const define = (kind: Kind, key: string, document: Document): StoredDefinition => {
    const all: Fields = { ...document };
    const fields = taken[kind].flatMap((name) => {
      const value = name === "variants" ? ownVariants(kind, all) : all[name];
      return value === undefined ? [] : [[name, portable(value, names)]];
    });
    const { id, version, status } = document;
    return { kind, key, id, version, status, fields: Object.fromEntries(fields) };
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
 * Returns the variants without their ids, which are their keys, or null if they follow from something else: from the type of
 * a boolean flag, whose variants then have no weights, or from the flag of an experiment.
 */
function ownVariants(kind: Kind, { variants, feature_flag_key }: Fields): unknown {
  if (kind === "experiment" && feature_flag_key !== null) return null;
  if (!Array.isArray(variants)) return variants;
  if (kind === "flag" && variants.every((one) => one.weight === undefined)) return null;
  return variants.map(({ id: _, ...variant }) => variant);
}

/** Replaces the ids of documents by their names. */
function portable(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (typeof value === "string") return names.get(value) ?? value;
  if (Array.isArray(value)) return value.map((one) => portable(one, names));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, portable(part, names)]));
}

async function inTurn<T, U>(all: T[], work: (one: T) => Promise<U>): Promise<U[]> {
  const done: U[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE) {
    done.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(work))));
  }
  return done;
}
