import type { Interval } from "@assay/core/stats";
import type { Finding } from "./finding.ts";

/** A picture as SVG text. */
export type Chart = string;

/** A line, or dots, with a name for the legend. */
export interface Series {
  name: string;
  points: readonly (readonly [x: number, y: number])[];
  dots?: boolean;
}

/** The names of the axes, and the format of the values of y. */
export interface Axes {
  x: string;
  y: string;
  yFormat: "percent" | "number";
  /** Powers of ten at equal distances, on both axes; linear if absent. All values must be above 0. */
  isLogarithmic?: boolean;
}

/** A median with its quartiles. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** Spreads by row, with a name for the legend; null where a row has none. */
export interface SpreadSeries {
  name: string;
  spreads: readonly (Spread | null)[];
}

const WIDTH = 820;
/** The styles are readable on white and, if the viewer prefers it, on black. */
const STYLE = `<style>
text { font: 13px system-ui, sans-serif; fill: #333 }
.axis { stroke: #999; stroke-width: 1; fill: none }
.grid { stroke: #999; stroke-opacity: .25; stroke-width: 1 }
.bound { stroke: #b3261e; stroke-width: 1.5; stroke-dasharray: 5 4 }
.c0 { color: #1f6feb } .c1 { color: #d9730d } .c2 { color: #2a8a43 } .c3 { color: #8e44ad } .c4 { color: #8a6d00 }
.line { stroke: currentColor; stroke-width: 2; fill: none }
.dot { fill: currentColor }
@media (prefers-color-scheme: dark) {
text { fill: #ddd } .bound { stroke: #ff8a80 }
.c0 { color: #79b0ff } .c1 { color: #ffb066 } .c2 { color: #7bd88f } .c3 { color: #d4a5f0 } .c4 { color: #e0c860 }
}
</style>`;

const escapeXml = (text: string) => text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;");
const at = (value: number) => value.toFixed(1);

function svg(height: number, title: string, parts: readonly string[]): Chart {
  const head = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`;
  return `${[head, `<title>${escapeXml(title)}</title>`, STYLE, ...parts, "</svg>"].join("\n")}\n`;
}

function text(x: number, y: number, words: string, anchor: "start" | "middle" | "end" = "start"): string {
  return `<text x="${at(x)}" y="${at(y)}" text-anchor="${anchor}">${escapeXml(words)}</text>`;
}

function line(kind: string, x1: number, y1: number, x2: number, y2: number): string {
  return `<line class="${kind}" x1="${at(x1)}" y1="${at(y1)}" x2="${at(x2)}" y2="${at(y2)}"/>`;
}

/** Returns round numbers that divide a range into about five parts. */
function ticks([low, high]: Interval): number[] {
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= raw) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: last - first + 1 }, (_, i) => Number(((first + i) * step).toPrecision(12)));
}

function scale([low, high]: Interval, from: number, to: number): (value: number) => number {
  return (value) => from + ((value - low) / (high - low)) * (to - from);
}

/** Returns the powers of ten around a range of numbers above 0, at least two. */
function powers([low, high]: Interval): number[] {
  const [first, last] = [Math.floor(Math.log10(low)), Math.ceil(Math.log10(high))];
  return Array.from({ length: Math.max(1, last - first) + 1 }, (_, i) => 10 ** (first + i));
}

function logScale([low, high]: Interval, from: number, to: number): (value: number) => number {
  const linear = scale([Math.log10(low), Math.log10(high)], from, to);
  return (value) => linear(Math.log10(value));
}

/** Returns the ticks of an axis, and the place of a value on it. @param base a value that a linear axis contains */
function axisOf(values: readonly number[], isLogarithmic: boolean, from: number, to: number, base: number[] = []) {
  if (isLogarithmic) {
    const marks = powers(rangeOf(values));
    return { marks, place: logScale([marks[0]!, marks.at(-1)!], from, to) };
  }
  const range = rangeOf([...base, ...values]);
  return { marks: ticks(range), place: scale(range, from, to) };
}

function rangeOf(values: readonly number[]): Interval {
  return [Math.min(...values), Math.max(...values)];
}

const percent = (value: number) => `${Number((100 * value).toPrecision(6))} %`;

/** Writes a power of ten in little space; its digits do not depend on the version of Node. */
const compact = (value: number) =>
  value >= 1e6 ? `${value / 1e6} M` : value >= 1e3 ? `${value / 1e3} k` : String(Number(value.toPrecision(1)));

/** Draws lines and dots over two axes, and `levels` as dashed lines across. */
export function lineChart(
  axes: Axes,
  series: readonly Series[],
  levels: readonly { value: number; label: string }[] = [],
): Chart {
  const { isLogarithmic = false } = axes;
  const [left, right, top, bottom] = [64, WIDTH - (isLogarithmic ? 24 : 16), 34, 330];
  const points = series.flatMap((each) => each.points);
  const values = [...points.map(([, y]) => y), ...levels.map(({ value }) => value)];
  const { marks: xs, place: x } = axisOf(
    points.map(([x]) => x),
    isLogarithmic,
    left,
    right,
  );
  const { marks: ys, place: y } = axisOf(values, isLogarithmic, bottom, top, [0]);
  const written = axes.yFormat === "percent" ? percent : isLogarithmic ? compact : String;
  const legendWidth = (right - left) / Math.max(3, series.length);
  return svg(372, `${axes.y} by ${axes.x}`, [
    ...ys.map(
      (tick) => line("grid", left, y(tick), right, y(tick)) + text(left - 6, y(tick) + 4, written(tick), "end"),
    ),
    ...xs.map((tick) => text(x(tick), bottom + 18, (isLogarithmic ? compact : String)(tick), "middle")),
    `<path class="axis" d="M${left},${top}V${bottom}H${right}"/>`,
    text((left + right) / 2, bottom + 36, axes.x, "middle"),
    ...levels.map(
      ({ value, label }) => line("bound", left, y(value), right, y(value)) + text(right, y(value) - 5, label, "end"),
    ),
    ...series.map(({ name, points: own, dots }, i) => {
      const place = own.map(([px, py]) => [at(x(px)), at(y(py))] as const);
      const shape = dots
        ? place.map(([cx, cy]) => `<circle class="dot" cx="${cx}" cy="${cy}" r="4"/>`).join("")
        : `<polyline class="line" points="${place.map((pair) => pair.join(",")).join(" ")}"/>`;
      const from = left + i * legendWidth;
      const key = dots
        ? `<circle class="dot" cx="${at(from + 10)}" cy="14" r="4"/>`
        : line("line", from, 14, from + 20, 14);
      return `<g class="c${i % 5}">${shape}${key}${text(from + 26, 18, name)}</g>`;
    }),
  ]);
}

/** Draws a dot with its interval for each finding, and the bound as a dashed line. */
export function intervalChart(
  name: string,
  findings: readonly Pick<Finding, "claim" | "value" | "interval">[],
  target: number,
): Chart {
  const [left, right, top, row] = [470, WIDTH - 28, 12, 24];
  const bottom = top + row * findings.length;
  const xs = rangeOf([target, ...findings.flatMap(({ interval }) => interval)]);
  const x = scale(xs, left, right);
  return svg(bottom + 46, name, [
    ...ticks(xs).map(
      (tick) => line("grid", x(tick), top, x(tick), bottom) + text(x(tick), bottom + 18, percent(tick), "middle"),
    ),
    line("bound", x(target), top, x(target), bottom),
    text((left + right) / 2, bottom + 38, name, "middle"),
    ...findings.map(({ claim, value, interval }, i) => {
      const y = top + row * (i + 0.5);
      const [from, to] = interval.map(x) as [number, number];
      const words = claim.length > 64 ? `${claim.slice(0, 63)}…` : claim;
      const mark = `<circle class="dot" cx="${at(x(value))}" cy="${at(y)}" r="4"/>`;
      return `<g class="c0">${text(left - 10, y + 4, words, "end")}${line("line", from, y, to, y)}${mark}</g>`;
    }),
  ]);
}

/** Draws medians as dots, and quartiles as lines, in rows over a logarithmic axis; each series has its own colour. */
export function comparisonChart(axis: string, rows: readonly string[], series: readonly SpreadSeries[]): Chart {
  const [left, right, row, legend] = [300, WIDTH - 40, 24, 20];
  const top = 12 + legend * series.length;
  const bottom = top + row * rows.length;
  const values = series.flatMap(({ spreads }) => spreads.flatMap((one) => (one ? [one.low, one.high] : [])));
  const { marks, place } = axisOf(values, true, left, right);
  return svg(bottom + 46, axis, [
    ...marks.map(
      (tick) =>
        line("grid", place(tick), top, place(tick), bottom) + text(place(tick), bottom + 18, compact(tick), "middle"),
    ),
    text((left + right) / 2, bottom + 38, axis, "middle"),
    ...rows.map((name, i) => text(left - 10, top + row * (i + 0.5) + 4, name, "end")),
    ...series.map(({ name, spreads }, i) => {
      const height = 12 + legend * i;
      const key = `<circle class="dot" cx="${at(left + 4)}" cy="${at(height)}" r="4"/>${text(left + 16, height + 4, name)}`;
      const marksOf = spreads.map((one, index) => {
        if (!one) return "";
        const y = top + row * (index + 0.5);
        const dot = `<circle class="dot" cx="${at(place(one.median))}" cy="${at(y)}" r="4"/>`;
        return line("line", place(one.low), y, place(one.high), y) + dot;
      });
      return `<g class="c${i % 5}">${key}${marksOf.join("")}</g>`;
    }),
  ]);
}
