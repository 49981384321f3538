/** Words that stand for a whole number. */
const WHOLE: Record<string, number> = Object.fromEntries(
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
    .split(" ")
    .map((word, value) => [word, value]),
);
const TENS = { thirty: 30, forty: 40, fifty: 50, sixty: 60, seventy: 70, eighty: 80, ninety: 90, hundred: 100 };

/** Whole numbers by their English word. */
export const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(Object.entries({ ...WHOLE, ...TENS }));

/** Fractions by their English word, in the singular. */
export const FRACTIONS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    half: 1 / 2,
    third: 1 / 3,
    quarter: 1 / 4,
    fifth: 1 / 5,
    sixth: 1 / 6,
    eighth: 1 / 8,
    tenth: 1 / 10,
  }),
);

/** Factors by the word after the number, such as `million`. */
export const SCALES: ReadonlyMap<string, number> = new Map(
  Object.entries({ k: 1e3, thousand: 1e3, m: 1e6, mn: 1e6, mio: 1e6, million: 1e6, bn: 1e9, billion: 1e9 }),
);

/**
 * Parses digits with English or continental separators. `1.200` is 1.2, unless `grouped` says that such numbers, of
 * money or people, have no three decimals.
 */
export function parseNumeral(digits: string, { grouped }: { grouped: boolean }): number {
  const compact = digits.replaceAll(/[ ']/g, "");
  const [comma, dot] = [compact.lastIndexOf(","), compact.lastIndexOf(".")];
  if (comma >= 0 && dot >= 0) {
    return Number(comma > dot ? compact.replaceAll(".", "").replace(",", ".") : compact.replaceAll(",", ""));
  }
  const groups = compact.split(comma >= 0 ? "," : ".");
  if (groups.length > 2) return Number(groups.join(""));
  const [whole = "", rest] = groups;
  if (rest === undefined) return Number(whole);
  const isGroup = rest.length === 3 && whole !== "0" && whole.length <= 3 && (comma >= 0 || grouped);
  return Number(isGroup ? whole + rest : `${whole}.${rest}`);
}
