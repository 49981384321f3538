import { createHash } from "node:crypto";

/** Returns the percentage from 0 up to 100 by which Flagsmith draws. */
export function hash(objectKey: string, identityKey: string): number {
  for (let times = 1; ; times++) {
    const text = Array.from({ length: times }, () => [objectKey, identityKey])
      .flat()
      .join(",");
    const digits = createHash("md5").update(text).digest("hex");
    const value = (Number(BigInt(`0x${digits}`) % 9_999n) / 9_998) * 100;
    if (value !== 100) return value;
  }
}
