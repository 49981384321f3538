import type { Sentence } from "./corpus.fixture.ts";

/** Sentences that were written before the reader and kept aside until it was finished. */
// biome-ignore format: One sentence a line.
export const HELD_OUT: readonly Sentence[] = [
  // Rates, from one value to another
  ["We'd like to bring cart abandonment down from 71% to 68%.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.71, absolute: -0.03 }, "traffic"],
  ["Goal: D7 retention 24% -> 26%, 9k installs per day.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.24, absolute: 0.02, traffic: 9000 }, ""],
  ["Our newsletter opens at 18.5 %; a subject line with the first name should get it to 20 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.185, absolute: 0.015 }, "traffic"],
  ["Push the opt-in rate up to 35% (it's 31% at the moment).", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.31, absolute: 0.04 }, "traffic"],
  ["Reduce the share of failed payments from 3,2 % to 2,8 % in Germany.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.032, absolute: -0.004, countries: ["DE"] }, "traffic"],
  ["We hope the unsubscribe rate falls from 0.4% to 0.3%, 250,000 recipients a week.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.004, absolute: -0.001, traffic: 35714 }, ""],
  ["bounce rate: 54 per cent now, 50 per cent wanted", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.54, absolute: -0.04 }, "traffic"],
  ["Activation should climb from 40 to 44 percent with the new checklist.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.4, absolute: 0.04 }, "traffic"],
  // Relative effects
  ["Baseline CTR is 2.1%, minimum detectable uplift 8% relative, power 90%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.021, relative: 0.08, power: 0.9 }, "traffic"],
  ["Fewer refunds: we refund 6 % of orders today and want to cut that by a quarter.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.06, relative: -0.25 }, "traffic"],
  ["The referral programme should triple the number of invites; 1.5% of users invite someone now.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.015, relative: 2 }, "traffic"],
  ["Half as many failed logins, from a failure rate of 4 %.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.04, relative: -0.5 }, "traffic"],
  ["Expect a 12% relative drop in churn, which sits at 5% a month.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.05, relative: -0.12 }, "traffic"],
  ["Sign-ups up 7%; at the moment 3.4% of visitors sign up. 18 000 visitors daily.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.034, relative: 0.07, traffic: 18000 }, ""],
  ["Twice as many trial starts, we convert 2 % of visitors into trials.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.02, relative: 1 }, "traffic"],
  ["a fifth fewer cancellations than the present 8 %", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.08, relative: -0.2 }, "traffic"],
  // Points
  ["Add at least 1.5 percentage points to a checkout completion of 62 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.62, absolute: 0.015 }, "traffic"],
  ["Conversion is 4.0 %, and 40 bps more would pay for the work.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, absolute: 0.004 }, "traffic"],
  ["Take 3 pp off the bounce rate (45 %).", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.45, absolute: -0.03 }, "traffic"],
  ["Retention of 30%, +2pp.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.02 }, "traffic"],
  ["Could we see churn one point lower than today's 7%?", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.07, absolute: -0.01 }, "traffic"],
  // Counts out of a number
  ["1 in 8 visitors leaves an e-mail address; we want one in seven.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.125, absolute: 0.017857 }, "traffic"],
  ["Of 20,000 visitors last month 900 bought something. We want to detect a lift of 10%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.045, relative: 0.1 }, "traffic"],
  ["3 out of 10 users finish onboarding, make it 3.5 out of 10.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.3, absolute: 0.05 }, "traffic"],
  // Means
  ["Revenue per visitor is $3.80 with a standard deviation of $21; detect +4%.", { kind: "MEAN", direction: "INCREASE", baseline: 3.8, sd: 21, relative: 0.04 }, "traffic"],
  ["ARPU 9,99 € (σ = 30 €) should rise by 0,50 €.", { kind: "MEAN", direction: "INCREASE", baseline: 9.99, sd: 30, absolute: 0.5 }, "traffic"],
  ["Get average page load time from 2.4 s to 2.1 s (SD 1.8 s) on mobile.", { kind: "MEAN", direction: "DECREASE", baseline: 2.4, sd: 1.8, absolute: -0.3, devices: ["mobile"] }, "traffic"],
  ["Increase watch time per user by 3 minutes from 41 minutes, std dev 55 minutes.", { kind: "MEAN", direction: "INCREASE", baseline: 41, sd: 55, absolute: 3 }, "traffic"],
  ["Will the new paywall lift spend per customer? It is £27.40 today.", { kind: "MEAN", direction: "INCREASE", baseline: 27.4 }, "effect standard_deviation traffic"],
  ["Average satisfaction score of 7.8, want 8.0, sd 1.9.", { kind: "MEAN", direction: "INCREASE", baseline: 7.8, absolute: 0.2, sd: 1.9 }, "traffic"],
  ["Mean delivery time is 3.2 days (s.d. 1.1 days); half a day less would be great.", { kind: "MEAN", direction: "DECREASE", baseline: 3.2, sd: 1.1, absolute: -0.5 }, "traffic"],
  ["revenue per user of 1.250,00 € with sd 4.000 €, plus 5 %", { kind: "MEAN", direction: "INCREASE", baseline: 1250, sd: 4000, relative: 0.05 }, "traffic"],
  // Counts
  ["Pages per visitor from 5.2 to 5.5, standard deviation 6.", { kind: "COUNT", direction: "INCREASE", baseline: 5.2, sd: 6, absolute: 0.3 }, "traffic"],
  ["Fewer support tickets per account: 0.8 now, 0.6 after the redesign.", { kind: "COUNT", direction: "DECREASE", baseline: 0.8, absolute: -0.2 }, "standard_deviation traffic"],
  ["Sessions per user should go up 10 % (mean 6, sd 8).", { kind: "COUNT", direction: "INCREASE", baseline: 6, sd: 8, relative: 0.1 }, "traffic"],
  ["Messages sent per member: mean 14, sd 25, detect 5 % more; 60,000 members enter a month.", { kind: "COUNT", direction: "INCREASE", baseline: 14, sd: 25, relative: 0.05, traffic: 2000 }, ""],
  // Ratios
  ["Revenue per order from 60 € to 63 €, sd 45 €.", { kind: "RATIO", direction: "INCREASE", baseline: 60, sd: 45, absolute: 3 }, "traffic"],
  ["Improve the average order value by 5%.", { kind: "RATIO", direction: "INCREASE", relative: 0.05 }, "baseline standard_deviation traffic"],
  // Quantiles
  ["Cut p99 response time from 1.2 s to 900 ms.", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.99, baseline: 1.2, absolute: -0.3 }, "standard_deviation traffic"],
  ["The median time to first byte is 420 ms, we'd like 10 % off.", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.5, baseline: 420, relative: -0.1 }, "standard_deviation traffic"],
  ["90th percentile latency under 500ms, currently 650ms", { kind: "QUANTILE", direction: "DECREASE", quantile: 0.9, baseline: 650, absolute: -150 }, "standard_deviation traffic"],
  // Traffic, arms, levels, duration
  ["A/B/C test of the hero image, conversion 5%, MDE 10% lift, alpha 0.01, 30k visitors per week", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.05, relative: 0.1, arms: 3, alpha: 0.01, traffic: 4286 }, ""],
  ["Four versions of the pricing page, 2.5 million visits a month, purchase rate 1.8%.", { kind: "CONVERSION", direction: undefined, baseline: 0.018, arms: 4, traffic: 83333 }, "direction effect"],
  ["Run it for three weeks with 90% power at the 10% significance level: open rate 22% to 23%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.22, absolute: 0.01, days: 21, power: 0.9, alpha: 0.1 }, "traffic"],
  ["Control vs two treatments, 99% confidence, click rate 12%, up by 1 point, 45.000 users per day", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.12, absolute: 0.01, arms: 3, alpha: 0.01, traffic: 45000 }, ""],
  ["80/20 split, install rate 26%, increase of 3% relative", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.26, relative: 0.03, split: [80, 20] }, "traffic"],
  ["We see roughly 1.2M sessions monthly and convert at 3 %. Improve it by 5%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.03, relative: 0.05, traffic: 40000 }, ""],
  ["~350 new signups/day; trial-to-paid is 11 % and we want 13 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.11, absolute: 0.02, traffic: 350 }, ""],
  // Guardrails
  ["Raise prices by 10 % without losing conversions, which are at 4%.", { guardrails: ["conversion"] }, "metric direction baseline effect traffic"],
  ["Increase ad clicks per session without hurting retention; watch the p95 latency as a guardrail.", { kind: "RATIO", direction: "INCREASE", guardrails: ["retention", "latency"] }, "baseline effect standard_deviation traffic"],
  ["Lift conversion from 6% to 6.6% while keeping the refund rate below 2%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.06, absolute: 0.006, guardrails: ["refund rate"] }, "traffic"],
  ["More sign-ups, but revenue per user must not drop. Sign-up rate is 9 %, plus 5 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.09, relative: 0.05, guardrails: ["revenue per user"] }, "traffic"],
  // Audience
  ["For returning customers in France and Spain on desktop, raise repeat purchase from 28% to 30%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.28, absolute: 0.02, countries: ["ES", "FR"], devices: ["desktop"], audience: ["returning customers"] }, "traffic audience"],
  ["Only premium subscribers: lower monthly churn of 2% by 10%.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.02, relative: -0.1, audience: ["premium subscribers"] }, "traffic audience"],
  // Numbers that mean something else
  ["Show the top 5 products instead of the top 10 on the start page.", {}, "metric direction baseline effect traffic"],
  ["In 2025 we moved to checkout v3; does the 2-step form beat the 4-step form?", {}, "metric direction baseline effect traffic"],
  ["Give a 15% discount to users with 3 items in the basket; purchase rate is 9%, expected lift 6%.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.09, relative: 0.06 }, "traffic"],
  ["Extend the free trial from 14 to 30 days.", {}, "metric direction baseline effect traffic"],
  ["Fix the 404 page: 35 % of people who land there leave, we want fewer.", { kind: "CONVERSION", direction: "DECREASE", baseline: 0.35 }, "effect traffic"],
  // Contradictions and ranges
  ["Increase the click rate from 8% to 7%.", { kind: "CONVERSION", baseline: 0.08 }, "direction effect traffic"],
  ["Decrease churn by 10%, from 5% to 6%.", { kind: "CONVERSION", baseline: 0.05 }, "direction effect traffic"],
  ["Conversion is somewhere between 2% and 4%; detect a 10% lift.", { kind: "CONVERSION", direction: "INCREASE", relative: 0.1 }, "baseline traffic"],
  ["Conversion is 3 %. Actually the baseline is 5 %. Lift of 10 %.", { kind: "CONVERSION", direction: "INCREASE", relative: 0.1 }, "baseline traffic"],
  ["We expect anything from 2 to 5 points more on a completion rate of 50 %.", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.5 }, "effect traffic"],
  ["Increase sign-ups, or reduce them, we are not sure. 12 % sign up.", { kind: "CONVERSION", baseline: 0.12 }, "direction effect traffic"],
  ["Will a loyalty banner change the purchase rate of 5 % by 4 % in either direction?", { kind: "CONVERSION", baseline: 0.05, relative: 0.04 }, "direction traffic"],
  // Nothing usable
  ["Please design something nice for our users.", {}, "metric direction baseline effect traffic"],
  ["asdf qwer zxcv 12 34 56 78", {}, "metric direction baseline effect traffic"],
  ["🚀🚀🚀 100 💯 %%% ¿¡", {}, "metric direction baseline effect traffic"],
  ["9999999999999999999999999999999999999 % of 0 % by NaN", {}, "metric direction baseline effect traffic"],
  ["ｃｏｎｖｅｒｓｉｏｎ ｆｒｏｍ ４％ ｔｏ ５％", { kind: "CONVERSION", direction: "INCREASE", baseline: 0.04, absolute: 0.01 }, "traffic"],
  ["Will users like the dark mode more?", {}, "metric direction baseline effect traffic"],
  ["Test whether a shorter form makes sign-up conversion better", { kind: "CONVERSION", direction: "INCREASE" }, "baseline effect traffic"],
];
