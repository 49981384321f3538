/**
 * Writes `bucketing.json`: `npx tsx packages/core/vectors/generate-bucketing.ts`. Hashes come from node:crypto, and
 * arms from the definition of the intervals. So the engine is not checked against itself.
 */
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";

type StoredText = string | { repeat: string; times: number };

const WEIGHT_SETS = [[1], [0.5, 0.5], [50, 30, 20], [33, 33, 33], [0, 10, 90], [1, 1, 1, 1, 1, 1, 1, 93]];
const ROLLOUTS = [0, 0.1, 1, 25, 50, 99.9, 100];

const SPECIFIED: [string, StoredText, StoredText][] = [
  ["the specification's own", "user-123", "my-flag"],
  ["empty user", "", "flag"],
  ["empty key", "user", ""],
  ["both empty", "", ""],
  ["colons", "a:b", "c:d"],
  ["the same bytes, cut elsewhere", "a", "b:c:d"],
  ["line ends and NUL", "a\n\r\u0000b", "tab\there"],
  ["two bytes", "ünïcödé", "schlüssel"],
  ["three bytes", "用户一二三", "フラグ"],
  ["four bytes", "😀😀", "🏁"],
  ["not normalised", "e\u0301", "flag"],
  ["normalised", "\u00e9", "flag"],
  ["highest code point", "\u{10ffff}", "flag"],
  ["lone high surrogate", "\ud800", "flag"],
  ["lone low surrogate", "\udc00", "flag"],
  ["high surrogate before a letter", "\ud83dx", "flag"],
  ["two high surrogates, then a low one", "\ud83d\ud83d\ude00", "flag"],
  ["surrogates in the wrong order", "\ude00\ud83d", "flag"],
  ["high surrogate at the end of the user id", "user\ud83d", "flag"],
  ["low surrogate at the start of the key", "user\ud83d", "\ude00flag"],
  ["holdout", "user-123", "holdout:0190a1b2-0000-7000-8000-000000000001"],
  ["group", "user-123", "group:0190a1b2-0000-7000-8000-000000000002"],
  ["a name of Object.prototype", "constructor", "__proto__"],
  ["10 kB", { repeat: "0123456789", times: 1_000 }, "flag"],
  ["10 kB, not ASCII", { repeat: "aé用😀", times: 1_000 }, "flag"],
  ["a long key", "user", { repeat: "k", times: 10_000 }],
];

/** The total lengths, in bytes, at which words, blocks and the room for the message's length end. */
const LENGTHS = [52, 53, 54, 55, 56, 57, 60, 61, 62, 63, 64, 65, 66, 118, 119, 120, 121, 127, 128, 129, 183, 184];

function toText(stored: StoredText): string {
  return typeof stored === "string" ? stored : stored.repeat.repeat(stored.times);
}

/** Returns a deterministic id that looks like a real one. */
function digest(seed: string): string {
  return createHash("sha256").update(seed).digest("hex");
}

function toUuid(seed: string): string {
  return digest(seed).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");
}

function hash(userId: string, key: string): number {
  return createHash("md5").update(`${userId}:${key}`, "utf8").digest().readUInt32LE(0);
}

function pick(integer: number, weights: number[], rollout: number): number {
  const sum = weights.reduce((total, weight) => total + weight);
  const last = weights.findLastIndex((weight) => weight > 0);
  let start = 0;
  for (const [index, weight] of weights.entries()) {
    const end = index >= last ? 1 : start + weight / sum;
    const position = integer / 2 ** 32;
    if (position < end) {
      const fill = rollout >= 100 ? end : start + (end - start) * (rollout / 100);
      return position < fill ? index : -1;
    }
    start = end;
  }
  return -1;
}

const stored = [
  ...SPECIFIED,
  ...LENGTHS.flatMap((length): typeof SPECIFIED => [
    [`${length} bytes, short user`, "u".repeat(5), "k".repeat(length - 6)],
    [
      `${length} bytes, short key`,
      digest(`length ${length}`)
        .repeat(3)
        .slice(0, length - 5),
      "flag",
    ],
    [`${length} bytes, not ASCII`, `é${"u".repeat(length - 7)}`, "flag"],
  ]),
  ...Array.from({ length: 220 }, (_, index): (typeof SPECIFIED)[number] => [
    "user number",
    `user-${index}`,
    "new-checkout",
  ]),
  ...Array.from({ length: 120 }, (_, index): (typeof SPECIFIED)[number] => [
    "UUID",
    toUuid(`user ${index}`),
    `flag-${index % 7}`,
  ]),
  ...Array.from({ length: 80 }, (_, index): (typeof SPECIFIED)[number] => [
    "e-mail address",
    `${digest(`mail ${index}`).slice(0, 3 + (index % 17))}@example.com`,
    "a-flag-with-a-rather-long-descriptive-key",
  ]),
];

const cases = stored.map(([name, user_id, key]) => {
  const integer = hash(toText(user_id), toText(key));
  const variants = WEIGHT_SETS.map((weights) => ROLLOUTS.map((rollout) => pick(integer, weights, rollout)));
  return { name, user_id, key, integer, variants };
});

// One case per line. Well-formed JSON.stringify writes lone surrogates as escapes, so the file is valid UTF-8.
const head = `"weight_sets": ${JSON.stringify(WEIGHT_SETS)},\n  "rollouts": ${JSON.stringify(ROLLOUTS)},`;
const lines = cases.map((each) => `    ${JSON.stringify(each)}`).join(",\n");
writeFileSync(new URL("./bucketing.json", import.meta.url), `{\n  ${head}\n  "cases": [\n${lines}\n  ]\n}\n`);
