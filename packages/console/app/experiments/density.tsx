import type { Overview } from "@assay/client";
import { scaleLinear } from "d3-scale";
import { area } from "d3-shape";
import { toPercent } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import type { Effect } from "./effects.ts";
import { toDifference } from "./numbers.ts";

const WIDTH = 360;
const HEIGHT = 200;
const BOTTOM = 24;
const POINTS = 160;
const SPREAD = 4;
/** The half width of the central 95 % of a normal distribution, in standard errors. */
const CENTRAL_95 = 1.959964;

/** The distribution function of the normal distribution, to 7 digits (Abramowitz and Stegun 26.2.17). */
export function normalCdf(z: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(z));
  const series = t * (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
  const tail = (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * series;
  return z < 0 ? tail : 1 - tail;
}

interface Props {
  effect: Effect;
  /** The posterior with the prior of the experiment, if it has one. */
  posterior: Overview["posterior"];
}

/** The posterior as the server computed it, or a normal one with a flat prior. */
function toCurve({ effect: { difference, standardError }, posterior }: Props) {
  if (posterior) {
    const [below, above] = posterior.interval;
    // The server answers no standard error; that of a normal posterior follows from its interval.
    const spread = (above! - below!) / (2 * CENTRAL_95);
    return { mean: posterior.mean, spread, points: posterior.points as [number, number][] };
  }
  if (difference === null || !standardError) return null;
  const from = Math.min(0, difference - SPREAD * standardError);
  const to = Math.max(0, difference + SPREAD * standardError);
  const points = Array.from({ length: POINTS + 1 }, (_, index): [number, number] => {
    const value = from + ((to - from) * index) / POINTS;
    return [value, Math.exp(-(((value - difference) / standardError) ** 2) / 2)];
  });
  return { mean: difference, spread: standardError, points };
}

/** The density at 0 between two points, so that the worse and the better side meet there. */
function atZero(points: [number, number][]): [number, number] {
  const after = points.findIndex(([value]) => value >= 0);
  const [left, right] = [points[after - 1], points[after]];
  if (!left || !right) return [0, 0];
  return [0, left[1] + ((right[1] - left[1]) * (0 - left[0])) / (right[0] - left[0])];
}

/** Where the difference is likely to be. */
export function Density(props: Props) {
  const { isRate, isUp, variant } = props.effect;
  const curve = toCurve(props);
  if (!curve) return <p className="muted">{TEXT.results.noEffect}</p>;
  const { mean, spread, points } = curve;
  const ends = points.map(([value]) => value);
  const x = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends)])
    .range([8, WIDTH - 8]);
  const y = scaleLinear()
    .domain([0, Math.max(...points.map(([, height]) => height))])
    .range([HEIGHT - BOTTOM, 12]);
  const zero = atZero(points);
  const all = [...points, zero].sort((a, b) => a[0] - b[0]).map(([value, height]) => ({ value, height }));
  const shape = area<(typeof all)[number]>()
    .x(({ value }) => x(value))
    .y0(y(0))
    .y1(({ height }) => y(height));
  const below = all.filter(({ value }) => value <= 0);
  const above = all.filter(({ value }) => value >= 0);
  const [better, worse] = isUp ? [above, below] : [below, above];
  const chance = normalCdf((isUp ? mean : -mean) / spread);
  const [low, high] = [mean - CENTRAL_95 * spread, mean + CENTRAL_95 * spread];
  return (
    <>
      <p className="legend">
        <span className="worse">
          <svg className="swatch" viewBox="0 0 16 8" aria-hidden="true">
            <rect className="density-worse" width="16" height="8" />
          </svg>
          {TEXT.results.worse}
        </span>
        <span className="better">
          <svg className="swatch" viewBox="0 0 16 8" aria-hidden="true">
            <rect className="density-better" width="16" height="8" />
          </svg>
          {TEXT.results.better}
        </span>
      </p>
      <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path className="density-worse" d={shape(worse) ?? ""} />
        <path className="density-better" d={shape(better) ?? ""} />
        <line className="zero" x1={x(0)} x2={x(0)} y1={8} y2={HEIGHT - BOTTOM} />
        {x.ticks(4).map((tick) => (
          <text key={tick} x={x(tick)} y={HEIGHT - 6} textAnchor="middle">
            {tick === 0 ? "0" : toDifference(tick, isRate)}
          </text>
        ))}
      </svg>
      <p>
        {TEXT.results.chance(variant)} <b>{toChance(chance)}</b>.{" "}
        {TEXT.results.credible("95 %", toDifference(low, isRate), toDifference(high, isRate))}
      </p>
    </>
  );
}

/** A probability in percent, which never says 0 % or 100 %. */
function toChance(chance: number): string {
  if (chance < 0.001) return TEXT.results.under("0.1 %");
  return chance > 0.999 ? TEXT.results.over("99.9 %") : toPercent(chance * 100, 1);
}
