import { describe, expect, test } from "vitest";
import { CORPUS, type Meaning, type Sentence } from "./corpus.fixture.ts";
import { HELD_OUT } from "./held-out.fixture.ts";
import { missingOf } from "./missing.ts";
import { readDescription } from "./read.ts";

/** What was read, in the words of the corpus. */
function meaningOf(text: string): Meaning {
  const { metric, direction, baseline, standardDeviation, effect, ...rest } = readDescription(text);
  return {
    kind: metric?.value.kind,
    quantile: metric?.value.quantile,
    direction: direction?.value,
    baseline: baseline?.value,
    sd: standardDeviation?.value,
    absolute: effect && !effect.value.relative ? effect.value.value : undefined,
    relative: effect?.value.relative ? effect.value.value : undefined,
    traffic: rest.dailyUsers?.value,
    arms: rest.arms?.value,
    split: rest.split?.value,
    power: rest.power?.value,
    alpha: rest.alpha?.value,
    days: rest.days?.value,
    countries: rest.countries,
    devices: rest.devices,
    audience: rest.audience,
    guardrails: rest.guardrails?.map(({ name }) => name),
  };
}

const close = (value: unknown) => (typeof value === "number" ? expect.closeTo(value, 5) : value);
const expected = (means: Meaning) =>
  Object.fromEntries(Object.entries(means).map(([field, value]) => [field, close(value)]));

describe.each<[string, readonly Sentence[]]>([
  ["corpus", CORPUS],
  ["sentences kept aside", HELD_OUT],
])("%s", (_name, sentences) => {
  test.each(sentences)("%s", (text, means, asks) => {
    expect({ ...meaningOf(text), asks: missingOf(readDescription(text)).join(" ") }).toEqual({
      ...expected(means),
      asks,
    });
  });
});

test("there are at least 200 sentences, none twice", () => {
  const texts = [...CORPUS, ...HELD_OUT].map(([text]) => text);
  expect(new Set(texts).size).toBe(texts.length);
  expect(texts.length).toBeGreaterThanOrEqual(200);
});
