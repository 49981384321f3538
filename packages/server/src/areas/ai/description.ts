/** Facts stated in a description. The template supplies the rest. */
export interface Facts {
  /** Conversion rate of control, 0 to 1. */
  baseline?: number;
  /** Minimum detectable effect, relative to the baseline. */
  mde?: number;
  dailyUsers?: number;
  /** Names of the arms, control first, if quoted or counted. */
  arms?: string[];
  /** Target URLs of visitors. */
  urls?: string[];
  /** ISO 3166-1 codes. */
  countries?: string[];
  /** `mobile`, `desktop`, `tablet`. */
  devices?: string[];
}

const NUMBER = String.raw`(\d+(?:[.,]\d+)?)`;
const PERCENT = String.raw`${NUMBER} ?(?:%|percent\b|per cent\b)`;
const ABOUT = `(?:about |around |roughly |some |at least |~ ?)?`;
const COUNTS: Record<string, number> = {
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  "2": 2,
  "3": 3,
  "4": 4,
  "5": 5,
  "6": 6,
};
const PER_DAY = { day: 1, daily: 1, week: 7, weekly: 7, month: 30, monthly: 30 } as const;

/** Extracts numbers, quoted arms, URLs, countries and devices from English text. */
export function readDescription(description: string): Facts {
  // Collapses whitespace, which prevents regular-expression backtracking. Quoted text becomes a name.
  const text = description.replace(/[\s\p{Cc}]+/gu, " ");
  const { baseline, mde } = readRates(text);
  return defined({
    baseline,
    mde,
    dailyUsers: readTraffic(text),
    arms: readArms(text),
    urls: readUrls(text),
    countries: readCountries(text),
    devices: ["mobile", "desktop", "tablet"].filter((device) =>
      new RegExp(`\\b(?:on|for) ${device}\\b|\\b${device} (?:users|visitors|only)\\b`, "i").test(text),
    ),
  });
}

function readRates(text: string): { baseline?: number | undefined; mde?: number | undefined } {
  const fromTo = new RegExp(`from ${ABOUT}${PERCENT} to ${ABOUT}${PERCENT}`, "i").exec(text);
  if (fromTo) {
    const [from, to] = [toRate(fromTo[1]!), share(fromTo[2]!)];
    if (from !== undefined) return { baseline: from, mde: Math.abs(to - from) / from };
  }
  const baseline = new RegExp(
    `(?:currently|today|now|baseline(?: rate)?(?: is| of)?|converts?(?: at)?|rate(?: is| of)|at present)[^.%\\d]{0,30}?${PERCENT}`,
    "i",
  ).exec(text);
  const effect = new RegExp(
    `(?:by|lift of|increase of|improvement of|uplift of|detect an?|detect|effect of) ${ABOUT}${PERCENT}`,
    "i",
  ).exec(text);
  const points = new RegExp(`(?:by|of) ${ABOUT}${NUMBER} ?(?:percentage points?|points?|pp)\\b`, "i").exec(text);
  const rate = baseline ? toRate(baseline[1]!) : undefined;
  const pointEffect = points && rate ? share(points[1]!) / rate : undefined;
  return { baseline: rate, mde: pointEffect ?? (effect ? share(effect[1]!) : undefined) };
}

function readTraffic(text: string): number | undefined {
  const people = "(?:users|visitors|people|customers|sessions|players|readers)";
  const found = new RegExp(
    `(\\d[\\d,.]{0,15}(?: \\d{3}){0,3}) ?(k|thousand|m|million)? (?:(daily|weekly|monthly) )?(?:[a-z-]{1,30} )?${people}(?: (?:a|per|each|every) (day|week|month))?`,
    "i",
  ).exec(text);
  const period = (found?.[3] ?? found?.[4])?.toLowerCase() as keyof typeof PER_DAY | undefined;
  if (!found || !period) return undefined;
  const unit = found[2]?.toLowerCase();
  const scale = unit === undefined ? 1 : unit.startsWith("k") || unit === "thousand" ? 1e3 : 1e6;
  const digits = found[1]!.trim();
  // "1,000" and "1 000" mean a thousand. "1.5 million" is parsed as a decimal.
  const amount = scale === 1 ? Number(digits.replace(/[,. ]/g, "")) : Number(digits.replace(",", "."));
  const daily = Math.round((amount * scale) / PER_DAY[period]);
  return daily >= 1 && daily <= 1e9 ? daily : undefined;
}

function readArms(text: string): string[] | undefined {
  const quoted = [...text.matchAll(/"([^"\n]{1,60})"|“([^”\n]{1,60})”|(?<!\w)'([^'\n]{1,60})'(?!\w)/g)].map(
    ([, double, curly, single]) => (double ?? curly ?? single)!.trim(),
  );
  const names = [...new Set(quoted.filter((name) => name !== ""))];
  if (names.length >= 2 && names.length <= 10) return names;
  const counted =
    /\b(two|three|four|five|six|[2-6]) (?:different |new |possible )?(?:variants|versions|variations|headlines|arms|options|designs|subjects|prices|texts|labels|colou?rs|layouts|pages)\b/i.exec(
      text,
    );
  if (!counted) return undefined;
  const count = COUNTS[counted[1]!.toLowerCase()]!;
  return ["Control", ...Array.from({ length: count - 1 }, (_, index) => `Treatment ${index + 1}`)];
}

function readUrls(text: string): string[] | undefined {
  const found = [...text.matchAll(/(?<![\w/.])(?:https?:\/\/[^\s,;)"']+|\/[a-z\d][\w/-]*)/gi)].map(([url]) =>
    url.replace(/[.?!]+$/, ""),
  );
  const urls = [...new Set(found)].filter((url) => !url.startsWith("http") || URL.canParse(url));
  return urls.length >= 2 && urls.length <= 10 ? urls : undefined;
}

function readCountries(text: string): string[] {
  const mentioned = [...regionCodes()].filter(([name]) =>
    new RegExp(`\\b(?:in|from|for|and|or|,)\\s+(?:the )?${name}\\b`).test(text),
  );
  return mentioned.map(([, code]) => code);
}

let regions: Map<string, string> | undefined;

/** English country names and their codes, from the runtime. */
function regionCodes(): Map<string, string> {
  if (regions) return regions;
  const names = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });
  const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
  regions = new Map();
  for (const code of letters.flatMap((first) => letters.map((second) => first + second))) {
    // Withdrawn codes, such as DD, share a name with a current code.
    if (Intl.getCanonicalLocales(`und-${code}`)[0] !== `und-${code}`) continue;
    const name = names.of(code);
    if (name !== undefined && /^[\p{L} .'-]+$/u.test(name) && !regions.has(name))
      regions.set(name.replace(/[.]/g, "\\."), code);
  }
  return regions;
}

/** A valid conversion rate. Undefined for 0 % and from 100 %. */
function toRate(percent: string): number | undefined {
  const rate = share(percent);
  return rate > 0 && rate < 1 ? rate : undefined;
}

function share(percent: string): number {
  return Number(percent.replace(",", ".")) / 100;
}

function defined(facts: { [K in keyof Facts]: Facts[K] | undefined }): Facts {
  const found = Object.entries(facts).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(found);
}
