const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Nouns for participants of an experiment. */
const PERSON = words(
  "user users visitor visitors customer customers person people member members player players subscriber subscribers shopper shoppers reader readers account accounts buyer buyers recipient recipients guest guests viewer viewers owner owners patient patients student students head capita",
);
/** Other nouns in which traffic is counted. */
const VISIT = words(
  "session sessions visit visits install installs sign-up sign-ups registration registrations lead leads request requests impression impressions pageview pageviews view views download downloads e-mails",
);

/** Returns whether the word names people. */
export const isPerson = (word: string | undefined): boolean => word !== undefined && PERSON.has(word);
/** Returns whether the word names people, or visits that stand for them. */
export const isPeople = (word: string | undefined): boolean =>
  word !== undefined && (PERSON.has(word) || VISIT.has(word));

/** Words of change. `BETTER` depends on the metric. */
export const CHANGES: ReadonlyMap<string, "UP" | "DOWN" | "BETTER"> = new Map(
  (
    [
      [
        "UP",
        "increase increases increasing increased raise raises raising lift lifts lifting uplift grow grows growing growth boost boosts boosting more higher up plus rise rises rising climb climbs gain gains add adds push maximise maximize",
      ],
      [
        "DOWN",
        "reduce reduces reducing reduction decrease decreases decreasing lower lowers lowering cut cuts cutting drop drops dropping fewer less fall falls falling down minus off shrink halve prevent prevents minimise minimize decline shorten",
      ],
      ["BETTER", "improve improves improving improvement better optimise optimize faster quicker"],
    ] as const
  ).flatMap(([change, list]) => list.split(" ").map((word) => [word, change] as const)),
);

/** Nouns of what an experiment changes: numbers next to them belong to the treatment, not to the metric. */
export const TREATMENTS = words(
  "price prices pricing discount discounts coupon coupons voucher vouchers shipping fee fees trial trials size width height reminder delay step steps reward rewards credit sale rebate cashback tax vat commission budget minimum maximum threshold",
);
