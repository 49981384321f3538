import { findArmNames, findCountries, findDevices, findGroups, findUrls } from "./audience.ts";
import { chooseMetric } from "./chosen-metric.ts";
import { findGuarded } from "./clause.ts";
import { toItems } from "./items.ts";
import { findLevels, type Scene } from "./levels.ts";
import { findMentions, findQuantiles, type Mention } from "./metric.ts";
import { MAX_CANDIDATES, readNumbers } from "./numbers.ts";
import { findTraffic, joinShares, type Traffic } from "./participants.ts";
import { canonicalize } from "./phrase.ts";
import { findArms, findDuration, findSplit, type Planned } from "./plan.ts";
import type { Direction, Doubt, Reading, ReadMetric, Said } from "./reading.ts";
import { normalize, tokenize } from "./token.ts";
import { findUnread } from "./unread.ts";

/**
 * Reads an English description of an experiment: words become quantities with units, and the words around a quantity
 * give it its role. Never throws. The work grows in proportion to the text.
 */
export function readDescription(description: string): Reading {
  const text = normalize(description);
  const armNames = findArmNames(text);
  const urls = findUrls(text);
  const tokens = canonicalize(tokenize(blank(text, [...(armNames ?? []), ...(urls ?? [])])));
  const items = joinShares(toItems(tokens));
  const guarded = findGuarded(items);
  const isGuarded = (index: number) => guarded[index] === true;
  const textOf = (first: number, last = first) => text.slice(items[first]!.start, items[last]!.end);
  const said = <T>({ value, first, last }: Planned<T>): Said<T> => ({ value, text: textOf(first, last) });

  const [split, arms, traffic] = [findSplit(items), findArms(items), findTraffic(items)];
  const quantiles = findQuantiles(items).filter(({ first }) => !isGuarded(first));
  const mentions = findMentions(items);
  const free = mentions.filter(({ first }) => !isGuarded(first));
  const metric = chooseMetric(items, free, quantiles);
  const days = findDuration(items, metric?.unit === "TIME");

  const taken = takenBy([split, arms, days, ...traffic, ...quantiles]);
  const isTaken = (index: number) => taken.has(index) || isGuarded(index);
  const mentionBefore = new Map(free.map((mention) => [mention.last, mention]));
  const mentionAfter = new Map(free.map((mention) => [mention.first, mention]));
  const scene: Scene = { items, mentions: free, mentionBefore, mentionAfter, metric, isTaken, isGuarded, textOf };
  const levels = findLevels(scene);
  const { kind: shown, source, used, doubts, ...numbers } = readNumbers(scene, levels);
  const kind = metric?.kind ?? shown;
  const isInTraffic = (offset: number) =>
    traffic.some(({ first, last }) => offset >= items[first]!.start && offset < items[last]!.end);
  const place = metric ?? (source === undefined ? undefined : { first: source, last: source });
  return {
    ...known({
      ...numbers,
      metric: kind && place && said({ value: toMetric(metric, kind, quantiles[0]?.quantile), ...place }),
      dailyUsers: dailyUsersOf(traffic, said),
      split: split && said(split),
      arms: arms && said(arms),
      days: days && said(days),
      armNames,
      urls,
      countries: findCountries(tokens),
      devices: findDevices(tokens),
      audience: findGroups(tokens, isInTraffic),
      guardrails: guardrailsOf(mentions.filter(({ first }) => isGuarded(first))),
    }),
    doubts: [...doubts, ...doubtsOf(traffic, textOf)],
    unread: findUnread(scene, levels, used),
  };
}

/** Replaces names and addresses by spaces, because their words and numbers have no meaning here. */
function blank(text: string, names: readonly string[]): string {
  return names.reduce((rest, name) => rest.replaceAll(name, " ".repeat(name.length)), text);
}

function takenBy(places: readonly ({ first: number; last: number } | undefined)[]): ReadonlySet<number> {
  const taken = new Set<number>();
  for (const place of places) {
    for (let index = place?.first ?? 0; place && index <= place.last; index++) taken.add(index);
  }
  return taken;
}

function toMetric(mention: Mention | undefined, kind: ReadMetric["kind"], quantile: number | undefined): ReadMetric {
  const name = mention?.name ?? (kind === "CONVERSION" ? "conversion" : "value");
  const metric = { name, kind, improves: improvesOf(mention) };
  return kind === "QUANTILE" && quantile !== undefined ? { ...metric, quantile } : metric;
}

const improvesOf = (mention: Mention | undefined): Direction =>
  mention?.polarity === "DOWN" ? "DECREASE" : "INCREASE";

/** Returns the users per day; undefined if the description gives several numbers or a range. */
function dailyUsersOf(traffic: readonly Traffic[], said: (planned: Planned<number>) => Said<number>) {
  const [first] = traffic;
  return first && isClear(traffic) ? said({ ...first, value: first.daily! }) : undefined;
}

const isClear = (traffic: readonly Traffic[]) =>
  traffic.every(({ daily }) => daily !== null && daily === traffic[0]!.daily);

function doubtsOf(traffic: readonly Traffic[], textOf: Scene["textOf"]): Doubt[] {
  if (isClear(traffic)) return [];
  const candidates = traffic.slice(0, MAX_CANDIDATES).map(({ first, last }) => `"${textOf(first, last)}"`);
  return [{ about: "traffic", reason: `The traffic could be ${candidates.join(" or ")}.` }];
}

function guardrailsOf(mentions: readonly Mention[]): ReadMetric[] {
  const names = [...new Set(mentions.map(({ name }) => name))];
  return names.map((name) => {
    const mention = mentions.find((one) => one.name === name)!;
    return { name, kind: mention.kind, improves: improvesOf(mention) };
  });
}

type Known<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

/** Removes undefined fields and empty lists. */
function known<T extends object>(fields: T): Known<T> {
  const entries = Object.entries(fields).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries) as Known<T>;
}
