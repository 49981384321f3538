import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { digest } from "./md5.ts";
import { digest as digestCompact } from "./md5-compact.ts";

const digests = { full: digest, compact: digestCompact };

test("both implementations give the same digest for any words", () => {
  const words = fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { minLength: 16, maxLength: 16 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 4 }), (blocks) => {
      const message = Int32Array.from(blocks.flat());
      const [full, compact] = [digest, digestCompact].map((digest) => Array.from(digest(message), (word) => word | 0));
      expect(compact).toEqual(full);
    }),
  );
});

test.each(Object.entries(digests))(
  "the %s implementation gives the known digests over several blocks",
  (_name, digest) => {
    for (const blocks of [1, 2, 40]) {
      // One block less is text; if the text ends with a block, the padding is a block.
      const message = new Int32Array(blocks * 16).fill(0x61616161);
      message.fill(0, (blocks - 1) * 16).set([0x80], (blocks - 1) * 16);
      message[blocks * 16 - 2] = (blocks - 1) * 512;
      const expected = createHash("md5").update("a".repeat((blocks - 1) * 64));
      expect(Buffer.from(Int32Array.from(digest(message)).buffer).toString("hex")).toBe(expected.digest("hex"));
    }
  },
);

test("no constant of the compact block depends on the last digits of a platform's sine", () => {
  for (let step = 1; step <= 64; step++) {
    const scaled = Math.abs(Math.sin(step)) * 2 ** 32;
    expect(Math.abs(scaled - Math.round(scaled)), `sin(${step})`).toBeGreaterThan(1e-4);
  }
});
