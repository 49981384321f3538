import { createHash } from "node:crypto";

/** Returns the bucket by which Statsig draws, below `buckets`. @param salt what stands before the id, without the dot */
export function bucketOf(salt: string, id: string, buckets: number): number {
  const digest = createHash("sha256").update(`${salt}.${id}`).digest();
  return Number(digest.readBigUInt64BE() % BigInt(buckets));
}
