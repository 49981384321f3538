import { scaleLinear } from "d3-scale";
import { TEXT } from "../text.ts";
import { byUnit, type Effect, type Reading } from "./effects.ts";
import { toArmValue, toDifference, toInterval } from "./numbers.ts";

const WIDTH = 360;
const HEIGHT = 32;
const MARGIN = 24;
const { columns } = TEXT.results;

/** A sign for a reading that does not need colour: up, down, or a circle. */
export function Reads({ reading }: { reading: Reading }) {
  const shapes = { better: "M6 2 11 10H1Z", worse: "M6 10 1 2H11Z", inconclusive: "" };
  return (
    <span className={`reading ${reading}`}>
      <svg width="12" height="12" viewBox="0 0 12 12" aria-hidden="true">
        {reading === "inconclusive" ? (
          <circle cx="6" cy="6" r="4" fill="none" stroke="currentcolor" strokeWidth="1.5" />
        ) : (
          <path d={shapes[reading]} fill="currentcolor" />
        )}
      </svg>
      {TEXT.results.readings[reading]}
    </span>
  );
}

/** A row of a table of effects. */
export interface EffectRow {
  id: string;
  name: string;
  /** What stands beside the name in small letters. */
  note: string;
  variant: string;
  isRate: boolean;
  control: number | null;
  treatment: number | null;
  difference: number | null;
  interval: [number, number] | null;
  reading: Reading;
}

/** The effects on all metrics, one table and one axis per unit. The tables hold every number. */
export function Forest({ effects, control }: { effects: Effect[]; control: string }) {
  return byUnit(effects).map((group) => (
    <EffectTable
      key={group[0]?.id}
      control={control}
      rows={group.map((effect) => ({ ...effect, name: effect.metric, note: TEXT.results.roles[effect.role] }))}
    />
  ));
}

interface TableProps {
  rows: EffectRow[];
  /** The title of the column of the control. */
  control: string;
  /** The title of the column of the treatment, if it is not its key. */
  treatment?: string;
  /** What the rows are, if not metrics. */
  label?: string;
}

/** Effects on one axis. */
export function EffectTable({ rows, control, treatment, label }: TableProps) {
  const isRate = rows[0]?.isRate ?? false;
  const hasArms = new Set(rows.map(({ variant }) => variant)).size > 1;
  const ends = rows.flatMap(({ interval, difference }) => interval ?? (difference === null ? [] : [difference]));
  const scale = scaleLinear()
    .domain([Math.min(0, ...ends), Math.max(0, ...ends)])
    .nice(4)
    .range([MARGIN, WIDTH - MARGIN]);
  const ticks = scale.ticks(4);
  const unit = isRate ? TEXT.results.units.rate : TEXT.results.units.mean;
  const arm = treatment ?? (hasArms ? columns.treatment : (rows[0]?.variant ?? ""));
  const toValue = (value: number | null) => (value === null ? "" : toArmValue(value, { isRate }));
  return (
    <table className="forest">
      <thead>
        <tr>
          <th scope="col">{label ? `${label}. ${unit}` : unit}</th>
          <th scope="col" className="number">
            {control}
          </th>
          <th scope="col" className="number">
            {arm}
          </th>
          <th scope="col" className="plot">
            <span className="sr">{columns.interval}</span>
            <svg className="chart" viewBox={`0 0 ${WIDTH} 16`} aria-hidden="true">
              {ticks.map((tick) => (
                <text key={tick} x={scale(tick)} y={12} textAnchor="middle">
                  {tick === 0 ? "0" : toDifference(tick, isRate, true)}
                </text>
              ))}
            </svg>
          </th>
          <th scope="col" className="number">
            {columns.difference}
          </th>
          <th scope="col">{columns.reading}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <th scope="row">
              {row.name} <span className="muted small">{row.note}</span>
              {hasArms && <code> {row.variant}</code>}
            </th>
            <td className="number" data-label={control}>
              {toValue(row.control)}
            </td>
            <td className="number" data-label={arm}>
              {toValue(row.treatment)}
            </td>
            <td className="plot">
              <Whisker effect={row} scale={scale} ticks={ticks} />
            </td>
            <td className="number" data-label={columns.difference}>
              {row.difference === null ? (
                <span className="muted">{TEXT.results.noEffect}</span>
              ) : (
                <>
                  <b>{toDifference(row.difference, isRate)}</b>
                  {row.interval && <div className="muted small">{toInterval(row.interval, isRate)}</div>}
                </>
              )}
            </td>
            <td>
              <Reads reading={row.reading} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface WhiskerProps {
  effect: EffectRow;
  scale: (value: number) => number;
  ticks: number[];
}

function Whisker({ effect: { difference, interval, reading }, scale, ticks }: WhiskerProps) {
  const middle = HEIGHT / 2;
  return (
    <svg className={`chart ${reading}`} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {ticks.map((tick) => (
        <line
          key={tick}
          className={tick === 0 ? "zero" : "grid"}
          x1={scale(tick)}
          x2={scale(tick)}
          y1={0}
          y2={HEIGHT}
        />
      ))}
      {interval && (
        <g className="mark">
          <line data-part="interval" x1={scale(interval[0])} x2={scale(interval[1])} y1={middle} y2={middle} />
          {interval.map((end) => (
            <line key={end} x1={scale(end)} x2={scale(end)} y1={middle - 5} y2={middle + 5} />
          ))}
        </g>
      )}
      {difference !== null && (
        <path
          className={reading === "inconclusive" ? "mark open" : "mark"}
          d={reading === "inconclusive" ? circle(scale(difference), middle) : diamond(scale(difference), middle)}
        />
      )}
    </svg>
  );
}

const diamond = (x: number, y: number) => `M${x} ${y - 6}L${x + 6} ${y}L${x} ${y + 6}L${x - 6} ${y}Z`;
const circle = (x: number, y: number) => `M${x - 5} ${y}a5 5 0 1 0 10 0a5 5 0 1 0 -10 0`;
