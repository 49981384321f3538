import type { Direction, MetricKind } from "./reading.ts";

/** What a sentence says. A field is absent if the sentence does not contain it. */
export interface Meaning {
  kind?: MetricKind | undefined;
  direction?: Direction | undefined;
  /** Of a QUANTILE metric, 0 to 1. */
  quantile?: number;
  /** Rate (0 to 1) or mean of control, in the unit of the sentence. */
  baseline?: number;
  /** Standard deviation, in the unit of the baseline. */
  sd?: number;
  /** Signed effect in the unit of the baseline, or as a share of it. */
  absolute?: number;
  relative?: number;
  /** Users a day. */
  traffic?: number;
  arms?: number;
  /** Shares of the arms in percent, control first. */
  split?: readonly number[];
  power?: number;
  alpha?: number;
  /** Duration. */
  days?: number;
  countries?: readonly string[];
  devices?: readonly string[];
  audience?: readonly string[];
  guardrails?: readonly string[];
}

/** The words, their meaning, and what has to be asked for, separated by spaces. */
export type Sentence = readonly [text: string, means: Meaning, asks: string];

/**
 * Sentences as product people, analysts and engineers write them.
 *
 * Conventions: a percentage that changes a rate is relative unless points, "pp" or basis points are named. A bare event
 * ("fewer refunds") counts users who have it (CONVERSION); events per user are a COUNT, an amount per user is a MEAN,
 * and anything per order, session or page is a RATIO. A word with a good direction gives one only with a word that says
 * better or worse. Ranges and contradictions are asked about.
 */
// biome-ignore format: One sentence a line.
export const CORPUS: readonly Sentence[] = [
  // The reported sentences
  ["reduce the error rate from 2 % to 1.5 %", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.02, absolute: -0.005 }, "traffic"],
  ["revenue per user of 12.50 (standard deviation 40)", { kind: "MEAN", baseline: 12.5, sd: 40 }, "direction effect traffic"],
  ["conversion 4 %", { kind: "CONVERSION", baseline: 0.04 }, "direction effect traffic"],
  ["2 points more on 30 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.02 }, "traffic"],

  // From one rate to another
  ["Increase the conversion rate from 4% to 5%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, absolute: 0.01 }, "traffic"],
  ["We want to get checkout completion from 61.5% up to 63%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.615, absolute: 0.015 }, "traffic"],
  ["Bring the bounce rate down to 40% from 48%.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.48, absolute: -0.08 }, "traffic"],
  ["Open rate 18 % → 20 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.18, absolute: 0.02 }, "traffic"],
  ["CTR: 1.2% => 1.5%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.012, absolute: 0.003 }, "traffic"],
  ["Churn is currently 5% and we'd like it to be 4%.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.05, absolute: -0.01 }, "traffic"],
  ["Activation went from nothing special, 32 %, our target is 35 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.32, absolute: 0.03 }, "traffic"],
  ["Target sign-up rate of 6%, baseline 5.2%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.052, absolute: 0.008 }, "traffic"],
  ["Reduce cart abandonment (now 70 percent) to 65 percent.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.7, absolute: -0.05 }, "traffic"],
  ["Move day-7 retention from 19 to 21 per cent.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.19, absolute: 0.02 }, "traffic"],
  ["Die conversion rate should go from 3,5 % to 4,2 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.035, absolute: 0.007 }, "traffic"],
  ["Purchases from about 2.5% to at least 2.8% of visitors.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.025, absolute: 0.003 }, "traffic"],
  ["Refund rate should drop to 3% (from 3.6%).", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.036, absolute: -0.006 }, "traffic"],
  ["Today 8% of trial users upgrade. With the new emails we hope for 9%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08, absolute: 0.01 }, "traffic"],
  ["Crash rate down from 0.9% to 0.6% on tablet", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.009, absolute: -0.003, devices: ["tablet"] }, "traffic"],
  ["from 10% to 12%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, absolute: 0.02 }, "traffic"],
  ["Is 22% instead of 20% completion realistic for the onboarding tour?", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, absolute: 0.02 }, "traffic"],

  // Relative changes
  ["Improve the conversion rate by 10%, we're at 4% now.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.1 }, "traffic"],
  ["A lift of 5 % on a conversion of 20 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, relative: 0.05 }, "traffic"],
  ["Ask for fewer fields in checkout. Currently 20% of carts become orders; we want to detect a lift of 5%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, relative: 0.05 }, "traffic"],
  ["Reduce churn by 15 %. Monthly churn: 6 %.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.06, relative: -0.15 }, "traffic"],
  ["Lower the bounce rate by a tenth; it is 50% today.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.5, relative: -0.1 }, "traffic"],
  ["Double the click-through rate of 1.5%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.015, relative: 1 }, "traffic"],
  ["Halve the error rate, which is 3% at present.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.03, relative: -0.5 }, "traffic"],
  ["A third more sign-ups than the 6% we have.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.06, relative: 0.3333333333 }, "traffic"],
  ["Increase invites threefold from 2%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, relative: 2 }, "traffic"],
  ["Get to 1.5x the current trial start rate (4%).", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.5 }, "traffic"],
  ["10% fewer refunds than now, refund rate 5%", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.05, relative: -0.1 }, "traffic"],
  ["Detect a relative effect of 3% on a baseline of 25%.", { kind: "CONVERSION", baseline: 0.25, relative: 0.03 }, "direction traffic"],
  ["MDE 5% (relative), baseline conversion 12%, traffic 8000 users/day", { kind: "CONVERSION", baseline: 0.12, relative: 0.05, traffic: 8000 }, "direction"],
  ["Boost purchases 12% with a sticky buy button. Purchase rate = 2.4%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.024, relative: 0.12 }, "traffic"],
  ["Improve churn by 8%, it's 4% a month.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.04, relative: -0.08 }, "traffic"],
  ["We need at least +7% on click rate; it hovers around 9%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.09, relative: 0.07 }, "traffic"],
  ["Error rate -20%, baseline 1.1%", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.011, relative: -0.2 }, "traffic"],
  ["Cut unsubscribes in half. 0.8 % unsubscribe after each newsletter.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.008, relative: -0.5 }, "traffic"],
  ["Make twice as many readers subscribe; today one in fifty does.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, relative: 1 }, "traffic"],
  ["uplift: 4%, power: 80%, significance: 5%, baseline: 10%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, relative: 0.04, power: 0.8, alpha: 0.05 }, "traffic"],
  ["Bookings should grow five percent from a booking rate of three percent.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.05 }, "traffic"],
  ["Retention currently 35 %, an improvement of 2 % would be enough.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.35, relative: 0.02 }, "traffic"],
  ["Increase conversion by 5%", { kind: "CONVERSION", direction: "INCREASE", relative: 0.05 }, "baseline traffic"],
  ["20 % less churn", { kind: "CONVERSION", direction: "DECREASE", relative: -0.2 }, "baseline traffic"],

  // Points
  ["Raise sign-up conversion by 2 percentage points from 30 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.02 }, "traffic"],
  ["conversion rate 12%, +1pp", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.12, absolute: 0.01 }, "traffic"],
  ["The completion rate is 55%; a gain of 3 points is what we are after.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.55, absolute: 0.03 }, "traffic"],
  ["reduce bounce by 4 %-points (bounce rate 52 %)", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.52, absolute: -0.04 }, "traffic"],
  ["Lift of 25 bps over 1.75%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.0175, absolute: 0.0025 }, "traffic"],
  ["Cut payment failures by 50 basis points, currently 2.5%.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.025, absolute: -0.005 }, "traffic"],
  ["Half a point more conversion than 8%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08, absolute: 0.005 }, "traffic"],
  ["Retention is 42%. I want to be able to see an absolute change of 1%.", { kind: "CONVERSION", baseline: 0.42, absolute: 0.01 }, "direction traffic"],
  ["by 2 points", { kind: "CONVERSION", absolute: 0.02 }, "direction baseline traffic"],
  ["Two points fewer cancellations, from 9 %", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.09, absolute: -0.02 }, "traffic"],
  ["Improve opt-ins by 5% absolute, from 40%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.4, absolute: 0.05 }, "traffic"],

  // Shares in other words
  ["4 in 100 visitors buy; we want 5 in 100.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, absolute: 0.01 }, "traffic"],
  ["One in five users completes the tutorial, and we aim for one in four.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, absolute: 0.05 }, "traffic"],
  ["Out of 5,000 visitors 200 convert. Find a 10% lift.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.1 }, "traffic"],
  ["300 of 12,000 visitors sign up, detect 15% more", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.025, relative: 0.15 }, "traffic"],
  ["Conversion rate of 0.04, relative uplift of 0.1", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.1 }, "traffic"],
  ["p1 = 0.10, p2 = 0.12, alpha = 0.05, power = 0.8", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, absolute: 0.02, alpha: 0.05, power: 0.8 }, "traffic"],
  ["Half of the users finish onboarding; get that to 55 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.5, absolute: 0.05 }, "traffic"],
  ["a quarter of all sessions bounce, we'd like 10% fewer", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.25, relative: -0.1 }, "traffic"],
  ["7 out of every 1000 requests fail. Bring it down to 5 out of 1000.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.007, absolute: -0.002 }, "traffic"],

  // Means
  ["Revenue per user from $12.50 to $13.00, standard deviation $40", { kind: "MEAN", direction: "INCREASE", baseline: 12.5, sd: 40, absolute: 0.5 }, "traffic"],
  ["Increase revenue per visitor by 5% (mean 2.10 €, std 14.30 €).", { kind: "MEAN", direction: "INCREASE", baseline: 2.1, sd: 14.3, relative: 0.05 }, "traffic"],
  ["ARPU is 8 dollars with an sd of 25 dollars. We hope for 50 cents more.", { kind: "MEAN", direction: "INCREASE", baseline: 8, sd: 25, absolute: 0.5 }, "traffic"],
  ["We'd like revenue per customer to go up.", { kind: "MEAN", direction: "INCREASE" }, "baseline effect standard_deviation traffic"],
  ["Average session length 6 minutes, σ=9 minutes, target 6.5 minutes", { kind: "MEAN", direction: "INCREASE", baseline: 6, sd: 9, absolute: 0.5 }, "traffic"],
  ["Reduce the average load time by 200 ms from 1.8 s (SD 1.2 s).", { kind: "MEAN", direction: "DECREASE", baseline: 1.8, sd: 1.2, absolute: -0.2 }, "traffic"],
  ["Average rating 4.1 → 4.2, stdev 0.9", { kind: "MEAN", direction: "INCREASE", baseline: 4.1, sd: 0.9, absolute: 0.1 }, "traffic"],
  ["Time to first response averages 4 hours (standard deviation 6 hours); 10% faster please.", { kind: "MEAN", direction: "DECREASE", baseline: 4, sd: 6, relative: -0.1 }, "traffic"],
  ["Lifetime value: €1.200 mean, €2.500 sd, plus 3%", { kind: "MEAN", direction: "INCREASE", baseline: 1200, sd: 2500, relative: 0.03 }, "traffic"],
  ["Spend per shopper: £45.30, s.d. £60. Grow it by £2.", { kind: "MEAN", direction: "INCREASE", baseline: 45.3, sd: 60, absolute: 2 }, "traffic"],
  ["Raise average revenue per paying user from 19,90 € to 21 €.", { kind: "MEAN", direction: "INCREASE", baseline: 19.9, absolute: 1.1 }, "standard_deviation traffic"],
  ["mean=100 sd=15 mde=2 metric: test score", { kind: "MEAN", baseline: 100, sd: 15, absolute: 2 }, "direction traffic"],
  ["Watch time: mean 50 min, standard deviation of 70 min, detect a 2% increase", { kind: "MEAN", direction: "INCREASE", baseline: 50, sd: 70, relative: 0.02 }, "traffic"],
  ["Revenue per user USD 1,250.75, SD USD 3,000, lift 4 percent", { kind: "MEAN", direction: "INCREASE", baseline: 1250.75, sd: 3000, relative: 0.04 }, "traffic"],
  ["ARPU ¥1200 up by ¥60; variance unknown", { kind: "MEAN", direction: "INCREASE", baseline: 1200, absolute: 60 }, "standard_deviation traffic"],
  ["Lower mean handling time to 5 min from 5.5 min, standard deviation 3 min, 1,500 customers a day", { kind: "MEAN", direction: "DECREASE", baseline: 5.5, sd: 3, absolute: -0.5, traffic: 1500 }, ""],
  ["Revenue per user", { kind: "MEAN" }, "direction baseline effect standard_deviation traffic"],

  // Counts and ratios
  ["Orders per customer from 1.8 to 2.0 a year, standard deviation 2.5", { kind: "COUNT", direction: "INCREASE", baseline: 1.8, sd: 2.5, absolute: 0.2 }, "traffic"],
  ["Pages viewed per user: 7.5 on average, sd 9, 5% more", { kind: "COUNT", direction: "INCREASE", baseline: 7.5, sd: 9, relative: 0.05 }, "traffic"],
  ["Users play 12 rounds per player with a standard deviation of 20; we want 13 rounds.", { kind: "COUNT", direction: "INCREASE", baseline: 12, sd: 20, absolute: 1 }, "traffic"],
  ["fewer support tickets per user (0.30, sd 0.8), 10 % fewer", { kind: "COUNT", direction: "DECREASE", baseline: 0.3, sd: 0.8, relative: -0.1 }, "traffic"],
  ["Number of searches per user should fall from 4 to 3.5.", { kind: "COUNT", direction: "DECREASE", baseline: 4, absolute: -0.5 }, "standard_deviation traffic"],
  ["More sessions per user", { kind: "COUNT", direction: "INCREASE" }, "baseline effect standard_deviation traffic"],
  ["average order value 54 €, sd 30 €, +2 €", { kind: "RATIO", direction: "INCREASE", baseline: 54, sd: 30, absolute: 2 }, "traffic"],
  ["AOV from $80 to $82 with a standard deviation of $55", { kind: "RATIO", direction: "INCREASE", baseline: 80, sd: 55, absolute: 2 }, "traffic"],
  ["revenue per session from 2.1 to 2.2", { kind: "RATIO", direction: "INCREASE", baseline: 2.1, absolute: 0.1 }, "standard_deviation traffic"],
  ["orders per visit from 0.12 to 0.13, sd 0.4", { kind: "RATIO", direction: "INCREASE", baseline: 0.12, sd: 0.4, absolute: 0.01 }, "traffic"],
  ["cost per click from 0.50 € to 0.45 €", { kind: "RATIO", direction: "DECREASE", baseline: 0.5, absolute: -0.05 }, "standard_deviation traffic"],
  ["errors per request from 0.02 to 0.015", { kind: "RATIO", direction: "DECREASE", baseline: 0.02, absolute: -0.005 }, "standard_deviation traffic"],
  ["Clicks per impression", { kind: "RATIO" }, "direction baseline effect standard_deviation traffic"],
  ["Items per order: 2.3 now, goal 2.5, sd 1.6", { kind: "RATIO", direction: "INCREASE", baseline: 2.3, sd: 1.6, absolute: 0.2 }, "traffic"],
  ["Ad revenue per session up 3%", { kind: "RATIO", direction: "INCREASE", relative: 0.03 }, "baseline standard_deviation traffic"],

  // Quantiles
  ["p95 latency from 800 ms to 700 ms", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.95, baseline: 800, absolute: -100 }, "standard_deviation traffic"],
  ["Reduce the 99th percentile of response times by 10%, it is 2.5 seconds.", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.99, baseline: 2.5, relative: -0.1 }, "standard_deviation traffic"],
  ["Median load time 1,400 ms; 100 ms faster.", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.5, baseline: 1400, absolute: -100 }, "standard_deviation traffic"],
  ["P75 of LCP below 2.5s, now 3.1s, 20k visitors/day", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.75, baseline: 3.1, absolute: -0.6, traffic: 20000 }, "standard_deviation"],
  ["p50 session duration", { kind: "QUANTILE", quantile: 0.5 }, "direction baseline effect standard_deviation traffic"],
  ["p95 latency from 300 ms to 250 ms", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.95, baseline: 300, absolute: -50 }, "standard_deviation traffic"],
  ["the 99th percentile of API latency should fall from 1.2 s to 1 s", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.99, baseline: 1.2, absolute: -0.2 }, "standard_deviation traffic"],
  ["median time to checkout from 90 s to 80 s", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.5, baseline: 90, absolute: -10 }, "standard_deviation traffic"],
  ["p75 of session length up 10 % from 6 minutes", { kind: "QUANTILE", direction: "INCREASE", quantile: 0.75, baseline: 6, relative: 0.1 }, "standard_deviation traffic"],
  ["p99.9 latency 3 s → 2 s", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.999, baseline: 3, absolute: -1 }, "standard_deviation traffic"],

  // Negative phrasing without numbers
  ["Reduce churn.", { kind: "CONVERSION", direction: "DECREASE" }, "baseline effect traffic"],
  ["We need fewer refunds.", { kind: "CONVERSION", direction: "DECREASE" }, "baseline effect traffic"],
  ["A simpler menu should lead to a lower bounce rate.", { kind: "CONVERSION", direction: "DECREASE" }, "baseline effect traffic"],
  ["Prevent cancellations with a pause option", { kind: "CONVERSION", direction: "DECREASE" }, "baseline effect traffic"],
  ["Stop the drop in conversion", { kind: "CONVERSION" }, "direction baseline effect traffic"],
  ["Higher click rate with a green button", { kind: "CONVERSION", direction: "INCREASE" }, "baseline effect traffic"],
  ["More people should finish onboarding", { kind: "CONVERSION", direction: "INCREASE" }, "baseline effect traffic"],
  ["Make pages load faster", { kind: "MEAN", direction: "DECREASE" }, "baseline effect standard_deviation traffic"],
  ["Don't let the error rate increase: it is 1 %", { guardrails: ["error rate"] }, "metric direction baseline effect traffic"],

  // Guardrails
  ["Increase conversion from 5% to 5.5% without hurting revenue.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.05, absolute: 0.005, guardrails: ["revenue"] }, "traffic"],
  ["Lift sign-ups by 10% (baseline 8%), guardrails: error rate, latency.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08, relative: 0.1, guardrails: ["error rate", "latency"] }, "traffic"],
  ["Reduce load time while keeping conversion flat.", { kind: "MEAN", direction: "DECREASE", guardrails: ["conversion"] }, "baseline effect standard_deviation traffic"],
  ["Shorter emails, more clicks, but unsubscribes must not go up. Click rate is 3%, lift 10%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.1, guardrails: ["unsubscribes"] }, "traffic"],
  ["Improve retention from 20 % to 22 % with no increase in crash rate and no loss of revenue per user.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, absolute: 0.02, guardrails: ["crash rate", "revenue per user"] }, "traffic"],
  ["Grow ARPU by 3 % (currently $10, sd $30) without raising churn above 5 %", { kind: "MEAN", direction: "INCREASE", baseline: 10, sd: 30, relative: 0.03, guardrails: ["churn"] }, "traffic"],
  ["Guardrail metric: refund rate must stay below 2%. Primary metric: purchase rate, 3% → 3.3%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, absolute: 0.003, guardrails: ["refund rate"] }, "traffic"],

  // Traffic
  ["We have 12,000 users a day. Conversion is 3%, detect a 10% increase.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.1, traffic: 12000 }, ""],
  ["3 million monthly visitors, sign-up rate 2%, up 5%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, relative: 0.05, traffic: 100000 }, ""],
  ["1.2M MAU; conversion from 2 to 2.2%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, absolute: 0.002, traffic: 40000 }, ""],
  ["12k DAU, D1 retention 40% to 42%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.4, absolute: 0.02, traffic: 12000 }, ""],
  ["traffic is 1.200 visitors per day", { traffic: 1200 }, "metric direction baseline effect"],
  ["about 1 200 customers every week, purchase rate of 7 % to 8 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.07, absolute: 0.01, traffic: 171 }, ""],
  ["Weekly traffic: 70,000. Conversion: 5%. Lift: 8%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.05, relative: 0.08, traffic: 10000 }, ""],
  ["five thousand users a day, completion rate 30 %, gain of one percentage point", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.01, traffic: 5000 }, ""],
  ["We get 2,000-3,000 visitors a day and convert 4%; lift 10%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.1 }, "traffic"],
  ["365000 users per year, click rate 10%, 5% uplift", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, relative: 0.05, traffic: 1000 }, ""],
  ["100 users an hour, click rate 10%, 5% uplift", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, relative: 0.05, traffic: 2400 }, ""],

  // Arms, split, levels, duration
  ["Three headlines, click rate 6 %, lift of 15 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.06, relative: 0.15, arms: 3 }, "traffic"],
  ["A/B test with a 50/50 split, purchase rate 3%, 10% uplift", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.1, arms: 2, split: [50, 50] }, "traffic"],
  ["90% control, 10% treatment. Conversion 5%, uplift 20%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.05, relative: 0.2, split: [90, 10] }, "traffic"],
  ["A/B/n with 4 variants and 95% confidence, power of 0.9, baseline conversion of 11%, effect 1pp", { kind: "CONVERSION", baseline: 0.11, absolute: 0.01, arms: 4, alpha: 0.05, power: 0.9 }, "direction traffic"],
  ["Test two new designs against the current one: conversion 4 %, plus 10 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, relative: 0.1, arms: 3 }, "traffic"],
  ["Run for two weeks: sign-up rate of 10%, we expect 11%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, absolute: 0.01, days: 14 }, "traffic"],
  ["We can run this for at most 30 days with 500 visitors a day, conversion is 6%", { kind: "CONVERSION", baseline: 0.06, traffic: 500, days: 30 }, "direction effect"],
  ["Conversion from 8% to 9%, α = 1%, power = 95%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08, absolute: 0.01, alpha: 0.01, power: 0.95 }, "traffic"],
  ["conversion 8 % to 9 %, p < 0.01, a month at most", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08, absolute: 0.01, alpha: 0.01, days: 30 }, "traffic"],

  // Audience
  ["For mobile users in Germany and France, raise conversion from 2 % to 2.3 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, absolute: 0.003, countries: ["DE", "FR"], devices: ["mobile"] }, "traffic"],
  ["New users only: activation 30% → 33%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.03, audience: ["new users"] }, "traffic audience"],
  ["Show logged-in customers a reorder button; purchase rate is 15%, lift of 5%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.15, relative: 0.05, audience: ["logged-in customers"] }, "traffic audience"],
  ["In the United States, iOS users, opt-in rate 45 % to 48 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.45, absolute: 0.03, countries: ["US"], audience: ["ios users"] }, "traffic audience"],

  // Numbers that mean something else
  ["Test a 20 % discount banner. Purchase rate is 3 %, expected uplift 10 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.1 }, "traffic"],
  ["In 2024 the top 10 list had a click rate of 12%; we want 13% this year.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.12, absolute: 0.01 }, "traffic"],
  ["Show 5-star reviews first. Conversion is 4.5 %.", { kind: "CONVERSION", baseline: 0.045 }, "direction effect traffic"],
  ["iPhone 15 owners see version 2.0 of the page", {}, "metric direction baseline effect traffic"],
  ["Free shipping over $50 instead of $75, does conversion (6%) rise by 8%?", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.06, relative: 0.08 }, "traffic"],
  ["Reduce the 5 step checkout to 3 steps", {}, "metric direction baseline effect traffic"],
  ["A 7-day trial instead of a 14-day trial: trial-to-paid conversion is 20%, +10%", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.2, relative: 0.1 }, "traffic"],
  ["Since Q3 24/7 chat is live; does it raise conversion?", { kind: "CONVERSION", direction: "INCREASE" }, "baseline effect traffic"],
  ["Put prices up from $10 to $12 and see what happens", {}, "metric direction baseline effect traffic"],
  ["Send the reminder after 3 days instead of 7 days", {}, "metric direction baseline effect traffic"],
  ["Change the font size from 14 to 16", {}, "metric direction baseline effect traffic"],

  // Contradictions, ranges, several candidates
  ["increase the conversion from 2 % to 1.5 %", { kind: "CONVERSION", baseline: 0.02 }, "direction effect traffic"],
  ["Reduce churn from 4% to 5%", { kind: "CONVERSION", baseline: 0.04 }, "direction effect traffic"],
  ["Conversion rate between 3 % and 4 %", { kind: "CONVERSION" }, "direction baseline effect traffic"],
  ["Conversion of 3-4%, lift of 10%", { kind: "CONVERSION", direction: "INCREASE", relative: 0.1 }, "baseline traffic"],
  ["A lift of 5 to 10 % on a click rate of 8 %", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.08 }, "effect traffic"],
  ["Baseline 4%. Baseline 6%. Lift 5%.", { kind: "CONVERSION", direction: "INCREASE", relative: 0.05 }, "baseline traffic"],
  ["from 0% to 5%", { kind: "CONVERSION" }, "direction baseline effect traffic"],
  ["from 90 % to 110 %", { kind: "CONVERSION", baseline: 0.9 }, "direction effect traffic"],
  ["Conversion from 5% to 5%", { kind: "CONVERSION", baseline: 0.05 }, "direction effect traffic"],

  // Nothing usable
  ["A new headline for the home page", {}, "metric direction baseline effect traffic"],
  ["Try something else with the button", {}, "metric direction baseline effect traffic"],
  ["12345678901234567890", {}, "metric direction baseline effect traffic"],
  ["!!!!!!!!!!!!", {}, "metric direction baseline effect traffic"],
  ["ΠΡΩΤΟ ‮тест‬ 今天 ١٢٪ \u200b\u0000", {}, "metric direction baseline effect traffic"],
  ["1,2,3,4,5,6,7,8,9 % % % from to by", {}, "metric direction baseline effect traffic"],
  // In other words: a second look, after the sentences that were kept aside
  ["Our checkout conversion hovers at 2.8%, we'd be happy with 3.1%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.028, absolute: 0.003 }, "traffic"],
  ["We lose 38% of users on the first screen. Target: 35%.", { kind: "CONVERSION" }, "direction baseline effect traffic"],
  ["Reduce average order processing time by 15 minutes; it's 2 hours (sd 50 min)", { kind: "MEAN", direction: "DECREASE", baseline: 2, sd: 0.833333, absolute: -0.25 }, "traffic"],
  ["Increase subscriptions 8% among free users (2.2% subscribe today), 14,000 free users per day", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.022, relative: 0.08, traffic: 14000, audience: ["free users"] }, "audience"],
  ["Make the 1% click-through rate 20% better", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.01, relative: 0.2 }, "traffic"],
  ["Weekly active users: 700k. Retention W4 = 18%. Expected uplift +0.5pp.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.18, absolute: 0.005, traffic: 100000 }, ""],
  ["Average spend is 34 EUR, std. dev. 52 EUR, we hope for 36 EUR", { kind: "MEAN", direction: "INCREASE", baseline: 34, sd: 52, absolute: 2 }, "traffic"],
  ["10 percent of visitors sign up, 12 percent would be great", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.1, absolute: 0.02 }, "traffic"],
  ["a 2x improvement of our 3% reply rate", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 1 }, "traffic"],
  ["Raise the minimum order from 20 € to 25 € - does AOV (38 €, sd 22 €) go up by 3 €?", { kind: "RATIO", direction: "INCREASE", baseline: 38, sd: 22, absolute: 3 }, "traffic"],
  ["Baseline conversion rate: 3.4%; minimum detectable effect: 0.3 percentage points; significance level: 0.05; statistical power: 80%; daily visitors: 4500", { kind: "CONVERSION", baseline: 0.034, absolute: 0.003, alpha: 0.05, power: 0.8, traffic: 4500 }, "direction"],
  ["Increase the 30-day retention rate of 22% by two points", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.22, absolute: 0.02 }, "traffic"],
  ["Every third visitor bounces. 30 % would be nice.", { kind: "CONVERSION" }, "direction baseline effect traffic"],
  ["Conversion rate increased from 3% to 3.5% last year; we want another 10%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03 }, "effect traffic"],
  ["Does free delivery above 40 € raise the conversion of 2.9 % by at least 5 %, with no fall in revenue per order?", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.029, relative: 0.05, guardrails: ["revenue per order"] }, "traffic"],
  ["Currently, 3 of every 200 recipients click. We'd like 4 of every 200.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.015, absolute: 0.005 }, "traffic"],
  ["Of 10000 emails 120 are marked as spam; halve it", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.012, relative: -0.5 }, "traffic"],
  ["Less than 5% churn, now 6%", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.06, absolute: -0.01 }, "traffic"],
];
