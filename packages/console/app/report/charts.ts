import { scaleLinear, scalePoint } from "d3-scale";
import { area, line } from "d3-shape";
import { byUnit, type Effect, toEffects } from "../experiments/effects.ts";
import { toDifference, toInterval } from "../experiments/numbers.ts";
import { toCount } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import { type Markup, markup } from "./markup.ts";
import { type ReportInput, toSummary } from "./report.ts";

const words = TEXT.results;
const WIDTH = 860;
const INK = "#1b1d1f";
const MUTED = "#5c6065";
const LINE = "#e3e3e0";
const ACCENT = "#1f5fbf";
const COLOURS = { better: "#00679e", worse: "#b34700", inconclusive: MUTED };
const TEXT_END = 220;
const PLOT_END = 600;
const ROW = 44;
const TOP = 72;

/** Text that fits its place in a chart; the tables have all of it. */
const shorten = (text: string, most: number) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** A chart that stands alone: with its title, unit, level and number of users. */
export interface ReportChart {
  /** A name for its file, such as `effects`. */
  name: string;
  title: string;
  width: number;
  height: number;
  /** A complete SVG document. */
  svg: string;
}

/** The charts of a report: the effects by unit, and the days of the metric that decides. */
export function toCharts(input: ReportInput): ReportChart[] {
  const groups = byUnit(toEffects(input.experiment, input.overview, input.results));
  const effects = groups.map((group, index) => toForest(group, input, index));
  const days = toDays(input);
  return days ? [...effects, days] : effects;
}

function toChart(name: string, title: string, subtitle: string, height: number, body: readonly Markup[]): ReportChart {
  const { markup: svg } =
    markup`<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${title}"><rect width="${WIDTH}" height="${height}" fill="#ffffff"/><text x="16" y="24" font-size="15" font-weight="600" fill="${INK}">${shorten(title, 100)}</text><text x="16" y="44" fill="${MUTED}">${subtitle}</text>${body}</svg>`;
  return { name, title, width: WIDTH, height, svg };
}

/** The effects of one unit on one axis, with every number beside it. */
function toForest(effects: readonly Effect[], input: ReportInput, index: number): ReportChart {
  const { method, name } = toSummary(input);
  const isRate = effects[0]?.isRate ?? false;
  const ends = effects.flatMap(({ interval, difference }) => interval ?? (difference === null ? [] : [difference]));
  const x = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends)])
    .nice(4)
    .range([TEXT_END, PLOT_END]);
  const height = TOP + ROW * effects.length + 12;
  const grid = x
    .ticks(4)
    .map(
      (tick) =>
        markup`<line x1="${x(tick)}" x2="${x(tick)}" y1="${TOP}" y2="${height - 12}" stroke="${tick === 0 ? INK : LINE}"/><text x="${x(tick)}" y="${TOP - 8}" text-anchor="middle" fill="${MUTED}">${tick === 0 ? "0" : toDifference(tick, isRate, true)}</text>`,
    );
  const rows = effects.map((effect, place) => toRow(effect, TOP + ROW * place + ROW / 2, x));
  const title = `${name}: ${isRate ? words.units.rate : words.units.mean}`;
  return toChart(index === 0 ? "effects" : `effects-${index + 1}`, title, method, height, [...grid, ...rows]);
}

function toRow(
  { metric, variant, difference, interval, isRate, reading }: Effect,
  y: number,
  x: (value: number) => number,
) {
  const colour = COLOURS[reading];
  const bar = interval
    ? markup`<line data-part="interval" x1="${x(interval[0])}" x2="${x(interval[1])}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2"/>`
    : "";
  const point = difference === null ? "" : markup`<circle cx="${x(difference)}" cy="${y}" r="5" fill="${colour}"/>`;
  const numbers =
    difference === null ? words.noEffect : `${toDifference(difference, isRate)} ${words.readings[reading]}`;
  return markup`<text x="16" y="${y - 2}" fill="${INK}">${shorten(metric, 28)}</text><text x="16" y="${y + 14}" fill="${MUTED}" font-size="12">${shorten(variant, 30)}</text>${bar}${point}<text x="${PLOT_END + 16}" y="${y - 2}" fill="${colour}" font-weight="600">${numbers}</text><text x="${PLOT_END + 16}" y="${y + 14}" fill="${MUTED}" font-size="12">${interval ? toInterval(interval, isRate) : ""}</text>`;
}

/** The days that have an interval. */
export function daysOf({ overview: { timeseries } }: ReportInput) {
  return (timeseries?.days ?? []).flatMap(({ date, n, difference, interval }) =>
    difference === null || !interval ? [] : [{ date, n, difference, low: interval[0], high: interval[1] }],
  );
}

function toDays(input: ReportInput): ReportChart | null {
  const { timeseries } = input.overview;
  const days = daysOf(input);
  if (!timeseries || days.length < 2) return null;
  const isRate = input.experiment.metrics.some(({ id, kind }) => id === timeseries.metric_id && kind === "CONVERSION");
  const height = 320;
  const x = scalePoint()
    .domain(days.map(({ date }) => date))
    .range([96, WIDTH - 24]);
  const y = scaleLinear()
    .domain([Math.min(0, ...days.map(({ low }) => low)), Math.max(0, ...days.map(({ high }) => high))])
    .nice(5)
    .range([height - 36, TOP - 12]);
  type Day = (typeof days)[number];
  const at = ({ date }: Day) => x(date) ?? 0;
  const band =
    area<Day>()
      .x(at)
      .y0(({ low }) => y(low))
      .y1(({ high }) => y(high))(days) ?? "";
  const course =
    line<Day>()
      .x(at)
      .y(({ difference }) => y(difference))(days) ?? "";
  const step = Math.ceil(days.length / 8);
  const grid = y
    .ticks(5)
    .map(
      (tick) =>
        markup`<line x1="96" x2="${WIDTH - 24}" y1="${y(tick)}" y2="${y(tick)}" stroke="${tick === 0 ? INK : LINE}"/><text x="88" y="${y(tick) + 4}" text-anchor="end" fill="${MUTED}">${tick === 0 ? "0" : toDifference(tick, isRate)}</text>`,
    );
  const dates = days
    .filter((_, index) => index % step === 0)
    .map(
      (day) => markup`<text x="${at(day)}" y="${height - 12}" text-anchor="middle" fill="${MUTED}">${day.date}</text>`,
    );
  const body = [
    ...grid,
    markup`<path d="${band}" fill="${ACCENT}" fill-opacity="0.16"/><path d="${course}" fill="none" stroke="${ACCENT}" stroke-width="2"/>`,
    ...dates,
  ];
  const title = `${input.experiment.name}: ${timeseries.metric}, ${timeseries.variant}, ${words.days.toLowerCase()}`;
  const level = `${Number((timeseries.level * 100).toPrecision(4))} %`;
  return toChart("days", title, words.methods[timeseries.method](level, toCount(days.at(-1)!.n)), height, body);
}
