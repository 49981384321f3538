import type { Mention } from "./metric.ts";
import { type Item, type Quantity, wordOf } from "./quantity.ts";
import { CHANGES } from "./vocabulary.ts";

/**
 * Returns the metric that an experiment is about: the mention with numbers and words of change around it, else the
 * first that needs neither. Next to a percentile, an amount is a QUANTILE.
 */
export function chooseMetric(
  items: readonly Item[],
  mentions: readonly Mention[],
  quantiles: readonly unknown[],
): Mention | undefined {
  let best: Mention | undefined;
  let most = 0;
  for (const mention of mentions) {
    const score = (mention.weak ? 0 : 1) + (isMeasured(items, mention) ? 2 : 0) + (isChanged(items, mention) ? 1 : 0);
    if (score > most) [best, most] = [mention, score];
  }
  return best && quantiles.length > 0 && best.kind === "MEAN" ? { ...best, kind: "QUANTILE" } : best;
}

function isMeasured(items: readonly Item[], mention: Mention): boolean {
  const near = items.slice(Math.max(0, mention.first - 4), mention.last + 6);
  return near.some((item) => item.type === "quantity" && isOf(item, mention));
}

function isOf({ unit, attributive, spelled }: Quantity, mention: Mention): boolean {
  if (attributive || spelled) return false;
  return unit === mention.unit || ["RATE", "POINTS", "FACTOR", "PLAIN"].includes(unit);
}

function isChanged(items: readonly Item[], mention: Mention): boolean {
  const near = items.slice(Math.max(0, mention.first - 4), mention.last + 5);
  return near.some((item) => CHANGES.has(wordOf(item) ?? ""));
}
