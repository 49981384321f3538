import { type Client, type FeatureFlag, isAssayError, type Segment } from "@assay/client";
import type { Target } from "@assay/client/definitions";
import type { FlagBody, SegmentBody } from "./mapping/migration.ts";

/** A stored document: the fields that a migration writes, and what a change of it needs. */
export interface Stored<Body> {
  body: Body;
  target: Target;
}

/** Returns what a request answers, or null for 404. */
export async function findOrNull<T>(request: Promise<T>): Promise<T | null> {
  try {
    return await request;
  } catch (error) {
    if (isAssayError(error) && error.status === 404) return null;
    throw error;
  }
}

/** Reads the fields of a stored flag that a migration writes; null if there is none. */
export async function findFlag(client: Client, id: string): Promise<Stored<FlagBody> | null> {
  const flag = await findOrNull(client.request("GET /feature-flags/{id}", { params: { id } }));
  return flag && { body: toFlagBody(flag), target: flag };
}

/** The same for a segment. */
export async function findSegment(client: Client, id: string): Promise<Stored<SegmentBody> | null> {
  const segment = await findOrNull(client.request("GET /segments/{id}", { params: { id } }));
  return segment && { body: toSegmentBody(segment), target: segment };
}

function toFlagBody(flag: FeatureFlag): FlagBody {
  // A boolean flag that defines no variants is answered with two, which have no weight.
  const isPlain = flag.value_type === "BOOLEAN" && flag.variants.every(({ weight }) => weight === undefined);
  const { key, name, description, status, rollout_percentage, targeting_rules, rules, prerequisites, variants } = flag;
  const { value_type, default_value, bucket_by, tags } = flag;
  const fields = { key, name, description, status, rollout_percentage, targeting_rules, rules, prerequisites };
  return { ...fields, variants: isPlain ? [] : variants, value_type, default_value, bucket_by, tags } as FlagBody;
}

function toSegmentBody({ name, description, conditions, user_ids, status }: Segment): SegmentBody {
  // An archived segment has no members, so it is none that a migration made.
  return { name, description, conditions, user_ids, ...(status === "ARCHIVED" && { status }) } as SegmentBody;
}
