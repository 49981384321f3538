import { toDifference } from "../experiments/numbers.ts";
import { toCount, toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import { daysOf, toCharts } from "./charts.ts";
import { type Markup, markup } from "./markup.ts";
import { type ReportInput, toSummary } from "./report.ts";

const { results: words, report: own, design } = TEXT;

const STYLE = `:root{color-scheme:light}body{max-width:900px;margin:24px auto;padding:0 16px;font:14px/20px system-ui,sans-serif;color:#1b1d1f;background:#fff}
h1{font-size:22px;line-height:28px}h2{font-size:16px;margin:28px 0 8px}table{width:100%;border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:6px 12px 6px 0;text-align:left;border-bottom:1px solid #e3e3e0}th{font-size:12px;color:#5c6065}.n{text-align:right}
.muted{color:#5c6065}.decision{padding:16px;border:1px solid #e3e3e0;border-radius:8px}.decision b{font-size:18px}
.note{padding:8px 12px;border-left:3px solid #b34700;background:#fdf3e7}.scroll{overflow-x:auto}svg{max-width:100%;height:auto}dl{display:flex;flex-wrap:wrap;gap:8px 32px}dt{font-size:12px;color:#5c6065}dd{margin:0}
@media print{h2{break-after:avoid}svg,table{break-inside:avoid}}`;

/** A report as one HTML file: without scripts, readable offline, with the numbers of the console. */
export function toHtml(input: ReportInput): string {
  const { experiment, overview } = input;
  const summary = toSummary(input);
  const weights = experiment.variants.map(({ key, weight }) => experiment.current_weights?.[key] ?? weight);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const users = new Map(overview.variants.map((one) => [one.key, one.users]));
  const body = [
    markup`<h1>${summary.name} <small class="muted">${summary.key}, ${summary.state}</small></h1>`,
    summary.hypothesis ? markup`<p class="muted">${summary.hypothesis}</p>` : "",
    markup`<div class="decision"><b>${summary.decision}</b><p>${summary.sentence}</p><ul>${summary.reasons.map((reason) => markup`<li>${reason}</li>`)}</ul></div>`,
    markup`<dl>${summary.facts.map(({ label, value }) => markup`<div><dt>${label}</dt><dd>${value}</dd></div>`)}</dl>`,
    ...summary.warnings.map((warning) => markup`<p class="note">${warning}</p>`),
    markup`<h2>${own.effects}</h2><p class="muted">${summary.method}</p>`,
    toTable(
      own.effects,
      [
        words.columns.metric,
        design.role,
        words.columns.treatment,
        own.controlValue,
        own.treatmentValue,
        words.columns.difference,
        words.columns.interval,
        words.columns.reading,
      ],
      summary.rows.map((row) => Object.values(row)),
      [3, 4, 5, 6],
    ),
    ...toCharts(input).map(({ svg }) => markup`<p>${{ markup: svg }}</p>`),
    toDayTable(input),
    markup`<h2>${design.arms}</h2>`,
    toTable(
      design.arms,
      [design.arm, design.weight, words.users],
      experiment.variants.map(({ key, is_control }, index) => [
        is_control ? `${key} (${design.control})` : key,
        toPercent((100 * (weights[index] ?? 0)) / sum),
        toCount(users.get(key) ?? 0),
      ]),
      [1, 2],
    ),
    markup`<p class="muted">${own.madeBy}</p>`,
  ];
  const { markup: page } = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${summary.name}</title>
<style>${{ markup: STYLE }}</style>
</head>
<body>
<main>
${body}
</main>
</body>
</html>
`;
  return page;
}

/** @param numeric the places of the columns with numbers */
function toTable(label: string, head: string[], rows: string[][], numeric: number[]): Markup {
  const place = (index: number) => (numeric.includes(index) ? "n" : "");
  const cells = (row: string[]) => row.map((cell, index) => markup`<td class="${place(index)}">${cell}</td>`);
  return markup`<div class="scroll" role="region" tabindex="0" aria-label="${label}"><table><thead><tr>${head.map((cell, index) => markup`<th scope="col" class="${place(index)}">${cell}</th>`)}</tr></thead><tbody>${rows.map((row) => markup`<tr>${cells(row)}</tr>`)}</tbody></table></div>`;
}

function toDayTable(input: ReportInput): Markup {
  const { timeseries } = input.overview;
  const days = daysOf(input);
  if (!timeseries || days.length === 0) return { markup: "" };
  const isRate = input.experiment.metrics.some(({ id, kind }) => id === timeseries.metric_id && kind === "CONVERSION");
  const rows = days.map(({ date, n, difference, low, high }) => [
    date,
    toDifference(difference, isRate),
    words.to(toDifference(low, isRate), toDifference(high, isRate)),
    toCount(n),
  ]);
  const head = [words.day, words.line, words.columns.interval, words.users];
  return markup`<h2>${words.days}: ${timeseries.metric}, ${timeseries.variant}</h2>${toTable(words.days, head, rows, [1, 2, 3])}`;
}
