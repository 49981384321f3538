import type { Token } from "./token.ts";
import { isPerson } from "./vocabulary.ts";

const DEVICES = new Set(["mobile", "desktop", "tablet"]);
const GROUPS = new Set(
  "new returning existing logged-in signed-in anonymous premium free paying first-time inactive lapsed active loyal ios android trial business enterprise".split(
    " ",
  ),
);
const PREPOSITIONS = new Set(["in", "from", "for", "and", "or"]);

const wordAt = (tokens: readonly Token[], index: number) => {
  const token = tokens[index];
  return token?.type === "word" ? token.text : undefined;
};

/** Finds devices: `on mobile`, `mobile users`. */
export function findDevices(tokens: readonly Token[]): string[] {
  const found = tokens.flatMap((_, index) => {
    const word = wordAt(tokens, index);
    if (word === undefined || !DEVICES.has(word)) return [];
    const before = wordAt(tokens, index - 1) ?? "";
    const after = wordAt(tokens, index + 1);
    const named = before === "on" || before === "for" || after === "only" || isPerson(after);
    return named ? [word] : [];
  });
  return [...new Set(found)].sort();
}

/** Finds groups of users, such as `returning customers` and `iOS users`, unless a number of them is named. */
export function findGroups(tokens: readonly Token[], isTaken: (offset: number) => boolean): string[] {
  const found = tokens.flatMap((token, index) => {
    const [word, noun] = [wordAt(tokens, index), wordAt(tokens, index + 1)];
    const isGroup = word !== undefined && GROUPS.has(word) && noun !== undefined && isPerson(noun);
    if (!isGroup || isTaken(token.start)) return [];
    const before = wordAt(tokens, index - 1);
    return before === "of" || before === "per" ? [] : [`${word} ${noun}`];
  });
  return [...new Set(found)];
}

/**
 * Finds countries, as in `in Germany and France`: the ISO 3166-1 codes of countries with a capital letter after a
 * preposition.
 */
export function findCountries(tokens: readonly Token[]): string[] {
  const found = new Set<string>();
  for (let index = 1; index < tokens.length; index++) {
    const token = tokens[index]!;
    if (token.type !== "word" || !token.capital) continue;
    const before = tokens[index - 1]!;
    const lead = before.type === "word" && before.text === "the" ? tokens[index - 2] : before;
    if (lead === undefined || !(lead.text === "," || (lead.type === "word" && PREPOSITIONS.has(lead.text)))) continue;
    const code = countryAt(tokens, index);
    if (code !== undefined) found.add(code);
  }
  return [...found].sort();
}

const MAX_NAME_WORDS = 6;

function countryAt(tokens: readonly Token[], index: number): string | undefined {
  let name = "";
  for (let at = index; at < index + MAX_NAME_WORDS; at++) {
    const word = wordAt(tokens, at);
    // "St. Lucia"
    if (tokens[at]?.text === ".") continue;
    if (word === undefined) return undefined;
    name += name === "" ? word : ` ${word}`;
    const code = countryCodes().get(name);
    if (code !== undefined) return code;
  }
  return undefined;
}

let countries: Map<string, string> | undefined;

/** Returns the English names of countries in lower case and their codes, from the runtime. */
function countryCodes(): Map<string, string> {
  if (countries) return countries;
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  countries = new Map();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Withdrawn codes, such as DD, share a name with a current code.
    if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
    const name = names.of(code)?.toLowerCase().replaceAll(".", "");
    if (name !== undefined && /^[\p{L} '-]+$/u.test(name) && !countries.has(name)) countries.set(name, code);
  }
  return countries;
}

/** Finds the quoted names of arms, if there are at least two. */
export function findArmNames(text: string): string[] | undefined {
  const quoted = [...text.matchAll(/"([^"\n]{1,60})"|“([^”\n]{1,60})”|(?<!\w)'([^'\n]{1,60})'(?!\w)/g)].map(
    ([, double, curly, single]) => (double ?? curly ?? single)!.trim(),
  );
  const names = [...new Set(quoted.filter((name) => name !== ""))];
  return names.length >= 2 && names.length <= 10 ? names : undefined;
}

/** Finds the addresses of pages, if there are at least two. */
export function findUrls(text: string): string[] | undefined {
  const found = [...text.matchAll(/(?<![\w/.])(?:https?:\/\/[^\s,;)"']+|\/[a-z\d][\w/-]*)/gi)].map(([url]) =>
    url.replace(/[.?!]+$/, ""),
  );
  const urls = [...new Set(found)].filter((url) => !url.startsWith("http") || URL.canParse(url));
  return urls.length >= 2 && urls.length <= 10 ? urls : undefined;
}
