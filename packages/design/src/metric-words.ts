/** Whether higher or lower is better. */
export type Polarity = "UP" | "DOWN" | undefined;

const list = (words: string) => words.split(" ");

/** Names of events whose share of users is a metric, with or without `rate`. */
export const EVENTS: Readonly<Record<"UP" | "DOWN", ReadonlySet<string>>> = {
  UP: new Set(
    list(
      "conversion conversions retention activation adoption completion completions opt-in opt-ins ctr cvr sign-up sign-ups registration registrations purchase purchases booking bookings invite invites click clicks click-through install installs open opens subscription subscriptions upgrade upgrades checkout-completion trial-to-paid success engagement",
    ),
  ),
  DOWN: new Set(
    list(
      "churn bounce bounces error errors failure failures refund refunds unsubscribe unsubscribes crash crashes abandonment cancellation cancellations complaint complaints drop-off drop-offs spam return returns",
    ),
  ),
};

/** Verbs of users: "8 % of visitors sign up". */
export const VERBS: Readonly<Record<"UP" | "DOWN", ReadonlySet<string>>> = {
  UP: new Set(
    list(
      "convert converts sign-up buy buys bought subscribe subscribes upgrade upgrades complete completes finish finishes click clicks open opens register registers book books order orders purchase return invite invites opt-in activate",
    ),
  ),
  DOWN: new Set(
    list(
      "bounce bounces cancel cancels churn churns refund fail fails failed leave leaves unsubscribe unsubscribes abandon abandons",
    ),
  ),
};

/** Adjectives and nouns of failure: "failed payments", "payment failures". */
export const FAILING = new Set(["failed", "failing", "abandoned", "cancelled", "canceled", "bounced", "refunded"]);

/** Nouns of amounts whose mean is a metric, with their unit. */
export const AMOUNTS: ReadonlyMap<string, { unit: "MONEY" | "TIME" | "PLAIN"; polarity: Polarity }> = new Map(
  (
    [
      ["arpu arppu ltv revenue spend spending income profit margin turnover sales gmv", "MONEY", "UP"],
      ["cost costs", "MONEY", "DOWN"],
      ["rating score nps satisfaction csat", "PLAIN", "UP"],
      ["latency lcp ttfb inp", "TIME", "DOWN"],
    ] as const
  ).flatMap(([words, unit, polarity]) => list(words).map((word) => [word, { unit, polarity }] as const)),
);

/** Phrases of amounts whose mean is a metric, with their unit. */
export const AMOUNT_PHRASES: ReadonlyMap<string, { unit: "MONEY" | "TIME" | "PLAIN"; polarity: Polarity }> = new Map(
  (
    [
      ["lifetime value", "MONEY", "UP"],
      ["customer value", "MONEY", "UP"],
      ["load time", "TIME", "DOWN"],
      ["load times", "TIME", "DOWN"],
      ["loading time", "TIME", "DOWN"],
      ["page load", "TIME", "DOWN"],
      ["pages load", "TIME", "DOWN"],
      ["response time", "TIME", "DOWN"],
      ["response times", "TIME", "DOWN"],
      ["delivery time", "TIME", "DOWN"],
      ["handling time", "TIME", "DOWN"],
      ["waiting time", "TIME", "DOWN"],
      ["time to first", "TIME", "DOWN"],
      ["time to", "TIME", "DOWN"],
      ["watch time", "TIME", "UP"],
      ["play time", "TIME", "UP"],
      ["listening time", "TIME", "UP"],
      ["session length", "TIME", "UP"],
      ["session duration", "TIME", "UP"],
      ["time on page", "TIME", "UP"],
      ["time on site", "TIME", "UP"],
      ["time spent", "TIME", "UP"],
    ] as const
  ).map(([phrase, unit, polarity]) => [phrase, { unit, polarity }] as const),
);

/** Names of ratios. */
export const RATIO_PHRASES: ReadonlySet<string> = new Set([
  "average order value",
  "order value",
  "average basket value",
  "basket value",
  "basket size",
  "aov",
]);
