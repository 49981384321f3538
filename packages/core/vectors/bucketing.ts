import { readFileSync } from "node:fs";

/** One case of `bucketing.json`: the user, the key, the hash, and the arm for each weight set and rollout. */
export interface BucketingVector {
  /** The reason for the case. */
  name: string;
  userId: string;
  key: string;
  /** The first four bytes of the MD5 digest of `{userId}:{key}`, little endian. */
  integer: number;
  /** The arm by weight set and by rollout, in the order of {@link BucketingVectors}; -1 is outside the rollout. */
  variants: number[][];
}

/** The vectors with which every evaluator must agree. */
export interface BucketingVectors {
  /** The weights as in definitions: fractions or percentages. */
  weightSets: number[][];
  /** The rollouts, as percentages. */
  rollouts: number[];
  cases: BucketingVector[];
}

/** A text as the file stores it: the text itself, or a part and how often it repeats. */
type StoredText = string | { repeat: string; times: number };

interface StoredVectors {
  weight_sets: number[][];
  rollouts: number[];
  cases: { name: string; user_id: StoredText; key: StoredText; integer: number; variants: number[][] }[];
}

// The file is read, not imported: bundlers refuse JSON with lone surrogates, which JSON.parse accepts.
const stored: StoredVectors = JSON.parse(readFileSync(new URL("./bucketing.json", import.meta.url), "utf8"));

/** The bucketing vectors, which every evaluator must reproduce. */
export const bucketingVectors: BucketingVectors = {
  weightSets: stored.weight_sets,
  rollouts: stored.rollouts,
  cases: stored.cases.map(({ name, user_id, key, integer, variants }) => ({
    name,
    userId: toText(user_id),
    key: toText(key),
    integer,
    variants,
  })),
};

function toText(stored: StoredText): string {
  return typeof stored === "string" ? stored : stored.repeat.repeat(stored.times);
}
