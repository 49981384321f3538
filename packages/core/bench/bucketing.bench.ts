import { createHash, randomUUID } from "node:crypto";
import { bench, describe } from "vitest";
import { bucket, createBucketer } from "../src/bucketing/bucket.ts";
import { digest } from "../src/platform/md5.ts";
import { digest as digestCompact } from "../src/platform/md5-compact.ts";
import { createBlock } from "./floors/block.ts";

/** The export prevents the JavaScript engine from optimising the measured code away. */
export let sum = 0;
let next = 0;
const block = createBlock();
const message = new Int32Array(16);
const users = Array.from({ length: 1_024 }, () => randomUUID());
const user = () => users[next++ & 1_023]!;
const short = createBucketer("new-checkout");
const long = createBucketer("a-flag-with-a-rather-long-key");
const flags = Array.from({ length: 100 }, (_, index) => createBucketer(`flag-${index}`));

describe("one hash", () => {
  bench("bare block (the floor)", () => {
    sum += block();
  });
  bench("bare digest of one block", () => {
    message[0] = next++;
    sum += digest(message)[0]!;
  });
  bench("bare digest of one block as browsers have it", () => {
    message[0] = next++;
    sum += digestCompact(message)[0]!;
  });
  bench("prepared key, UUID user, one block", () => {
    sum += short(user());
  });
  bench("prepared key, UUID user, two blocks", () => {
    sum += long(user());
  });
  bench("bucket(userId, key)", () => {
    sum += bucket(user(), "new-checkout");
  });
  bench("node:crypto", () => {
    sum += createHash("md5").update(`${user()}:new-checkout`).digest().readUInt32LE(0);
  });
});

describe("one user, a hundred keys", () => {
  bench("prepared keys", () => {
    const userId = user();
    for (const hash of flags) sum += hash(userId);
  });
  bench("a hundred bare blocks (the floor)", () => {
    for (let index = 0; index < 100; index += 1) sum += block();
  });
});
