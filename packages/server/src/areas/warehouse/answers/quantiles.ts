import type { Metric } from "@assay/contract";
import {
  estimateQuantile,
  jointMomentsFromSums,
  type ObservedQuantile,
  type QuantileEstimate,
  quantileEstimate,
} from "@assay/core/stats";
import type { Row } from "../engines/engine.ts";
import type { Grouping } from "../sql/subject.ts";
import { numberOf, numberOrNull, type Reading } from "./reading.ts";

/** A group and arm, and what is known of its quantile. */
interface Observed {
  grp: number;
  arm: number;
  quantile: Omit<ObservedQuantile, "at">;
}

/** The intervals of estimates have 95 %, as those of events. */
const ALPHA = 0.05;

/** Reads a quantile by group and arm. @throws WarehouseFailure */
export async function readQuantile(
  { session, queries }: Reading,
  metric: Metric,
  grouping: Grouping,
): Promise<(grp: number, arm: number) => QuantileEstimate> {
  const options = { quantile: metric.quantile ?? 0.5, alpha: ALPHA };
  const rows = await session.query(queries.quantile(metric, grouping));
  const observed = rows.map(
    (row): Observed => ({ grp: numberOf(row, "grp"), arm: numberOf(row, "arm"), quantile: toObserved(row) }),
  );
  const wanted = observed.flatMap(({ grp, arm, quantile }) => {
    const places = new Set(sharesOf(quantile, options).flatMap((share) => placesOf(share, quantile.n)));
    return places.size > 0 ? [{ grp, arm, places: [...places] }] : [];
  });
  const found = wanted.length > 0 ? await session.query(queries.places(metric, grouping, wanted)) : [];
  const amounts = new Map(found.map((row) => [`${row.grp} ${row.arm} ${row.place}`, row]));
  const estimates = new Map(
    observed.map(({ grp, arm, quantile }) => {
      const at = (share: number) => {
        const [low, high] = placesOf(share, quantile.n).map((place) =>
          numberOf(amounts.get(`${grp} ${arm} ${place}`) ?? {}, "amount"),
        );
        const position = share * (quantile.n - 1);
        return low! + (position - Math.floor(position)) * (high! - low!);
      };
      return [`${grp} ${arm}`, estimateQuantile({ ...quantile, at }, options)];
    }),
  );
  return (grp, arm) => estimates.get(`${grp} ${arm}`) ?? quantileEstimate({ values: [] }, options);
}

/** Returns the shares at which the interval of a quantile ends; none without an interval. */
function sharesOf(quantile: Observed["quantile"], options: { quantile: number; alpha: number }): number[] {
  const shares: number[] = [];
  const at = (share: number) => shares.push(share);
  estimateQuantile({ ...quantile, at }, options);
  return shares;
}

/** The places between which a quantile is interpolated. */
function placesOf(share: number, n: number): [number, number] {
  const below = Math.floor(share * (n - 1));
  return [below, Math.min(below + 1, n - 1)];
}

function toObserved(row: Row): Observed["quantile"] {
  const value = numberOf(row, "quantile");
  const [x, y] = [numberOf(row, "x"), numberOf(row, "y")];
  const squares = [[numberOf(row, "xx")], [numberOf(row, "xy"), numberOf(row, "yy")]];
  const isTied = numberOf(row, "ties") > 1;
  const neighbour = (name: string) => (isTied ? (numberOrNull(row, name) ?? value) : value);
  return {
    n: y,
    value,
    shares: jointMomentsFromSums(numberOf(row, "users"), [x, y], squares),
    below: neighbour("smaller"),
    above: neighbour("greater"),
  };
}
