import type { Overview } from "@assay/client";
import { scaleLinear, scalePoint } from "d3-scale";
import { area, line } from "d3-shape";
import { useState } from "react";
import { toCount, toDate } from "../parts/format.ts";
import { TEXT } from "../text.ts";
import { toDifference, toInterval } from "./numbers.ts";

const WIDTH = 560;
const HEIGHT = 260;
const LEFT = 72;
const BOTTOM = 24;

interface Day {
  date: string;
  n: number;
  difference: number;
  interval: [number, number];
}

/** The difference day by day with the interval of the method that decides. Arrow keys move between days. */
export function Days({ series, isRate }: { series: NonNullable<Overview["timeseries"]>; isRate: boolean }) {
  const days = series.days.flatMap(({ date, n, difference, interval }): Day[] =>
    difference === null || !interval ? [] : [{ date, n, difference, interval: interval as [number, number] }],
  );
  const [chosen, setChosen] = useState<number>();
  const last = days.length - 1;
  const place = Math.min(chosen ?? last, last);
  const day = days[place];
  if (!day || days.length === 1) return <p className="muted">{TEXT.results.oneDay}</p>;
  const x = scalePoint()
    .domain(days.map(({ date }) => date))
    .range([LEFT, WIDTH - 12]);
  const y = scaleLinear()
    .domain([
      Math.min(0, ...days.map(({ interval }) => interval[0])),
      Math.max(0, ...days.map(({ interval }) => interval[1])),
    ])
    .nice(5)
    .range([HEIGHT - BOTTOM, 8]);
  const at = ({ date }: Day) => x(date) ?? 0;
  const band = area<Day>()
    .x(at)
    .y0(({ interval }) => y(interval[0]))
    .y1(({ interval }) => y(interval[1]))(days);
  const course = line<Day>()
    .x(at)
    .y(({ difference }) => y(difference))(days);
  const step = Math.ceil(days.length / 8);
  const says = `${toDate(day.date)}: ${toDifference(day.difference, isRate)}, ${toInterval(day.interval, isRate)}, ${toCount(day.n)} ${TEXT.results.users.toLowerCase()}`;

  return (
    <>
      <p className="legend">
        <span>
          <svg className="swatch chart" viewBox="0 0 16 8" aria-hidden="true">
            <rect className="band" width="16" height="8" />
          </svg>
          {TEXT.results.band}
        </span>
        <span>
          <svg className="swatch chart" viewBox="0 0 16 8" aria-hidden="true">
            <path className="line" d="M0 4H16" />
          </svg>
          {TEXT.results.line}
        </span>
      </p>
      <div
        className="chart-box"
        role="slider"
        tabIndex={0}
        aria-label={TEXT.results.day}
        aria-valuemin={1}
        aria-valuemax={days.length}
        aria-valuenow={place + 1}
        aria-valuetext={says}
        onKeyDown={(event) => {
          const moves: Record<string, number> = { ArrowLeft: place - 1, ArrowRight: place + 1, Home: 0, End: last };
          const next = moves[event.key];
          if (next === undefined) return;
          event.preventDefault();
          setChosen(Math.max(0, Math.min(last, next)));
        }}
        onPointerMove={(event) => {
          const box = event.currentTarget.getBoundingClientRect();
          const inside = ((event.clientX - box.left) / box.width) * WIDTH;
          const share = (inside - LEFT) / (WIDTH - 12 - LEFT);
          setChosen(Math.max(0, Math.min(last, Math.round(share * last))));
        }}
      >
        <svg className="chart" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
          {y.ticks(5).map((tick) => (
            <g key={tick}>
              <line className={tick === 0 ? "zero" : "grid"} x1={LEFT} x2={WIDTH - 12} y1={y(tick)} y2={y(tick)} />
              <text x={LEFT - 8} y={y(tick) + 4} textAnchor="end">
                {tick === 0 ? "0" : toDifference(tick, isRate)}
              </text>
            </g>
          ))}
          {band && <path className="band" d={band} />}
          {course && <path className="line" d={course} />}
          <line className="cursor" x1={at(day)} x2={at(day)} y1={8} y2={HEIGHT - BOTTOM} />
          <circle cx={at(day)} cy={y(day.difference)} r={4} fill="var(--accent)" />
          {days.map(
            (one, index) =>
              index % step === 0 && (
                <text key={one.date} x={at(one)} y={HEIGHT - 6} textAnchor="middle">
                  {toDate(one.date)}
                </text>
              ),
          )}
        </svg>
      </div>
      <p aria-hidden="true">{says}</p>
      <p className="hint">{TEXT.results.daysHelp}</p>
      <details>
        <summary>{TEXT.results.table}</summary>
        <table>
          <thead>
            <tr>
              <th scope="col">{TEXT.results.day}</th>
              <th scope="col" className="number">
                {TEXT.results.line}
              </th>
              <th scope="col" className="number">
                {TEXT.results.columns.interval}
              </th>
              <th scope="col" className="number">
                {TEXT.results.users}
              </th>
            </tr>
          </thead>
          <tbody>
            {days.map(({ date, n, difference, interval }) => (
              <tr key={date}>
                <td>{toDate(date)}</td>
                <td className="number">{toDifference(difference, isRate)}</td>
                <td className="number">{toInterval(interval, isRate)}</td>
                <td className="number">{toCount(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}
