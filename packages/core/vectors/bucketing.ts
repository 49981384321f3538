import { readFileSync } from "node:fs";

/** One case of `bucketing.json`: who, which key, the hash, and the arm at each weight set and rollout. */
export interface BucketingVector {
  /** Why the case is there. */
  name: string;
  userId: string;
  key: string;
  /** First four bytes of the MD5 digest of `{userId}:{key}`, little endian. */
  integer: number;
  /** By weight set and by rollout, in the order of {@link BucketingVectors}; -1 is outside the rollout. */
  variants: number[][];
}

/** The vectors that every evaluator has to agree with. */
export interface BucketingVectors {
  /** Weights as given in definitions: fractions or percentages. */
  weightSets: number[][];
  /** Percentages. */
  rollouts: number[];
  cases: BucketingVector[];
}

/** A text as the file stores it: as it is, or a part and how often it is repeated. */
type StoredText = string | { repeat: string; times: number };

interface StoredVectors {
  weight_sets: number[][];
  rollouts: number[];
  cases: { name: string; user_id: StoredText; key: StoredText; integer: number; variants: number[][] }[];
}

// Read and not imported: bundlers refuse JSON with lone surrogates, which JSON.parse takes as it should.
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
