import { cpuOf } from "../measure/cpu.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf } from "../measure/statistics.ts";
import { loadAnalyst } from "../results/analyst.ts";
import { openDuckDb, warehouseSql } from "../results/duckdb.ts";
import { writeParquet } from "../results/parquet.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";

function growthOf(name: string, title: string, x: string, setting: string, eventsOfUser: number): Growth {
  return {
    name,
    title,
    setting,
    x,
    y: "milliseconds of CPU",
    async run({ isQuick, say }): Promise<Curve[]> {
      const curves: Curve[] = [];
      for (const size of powersOfTen(10_000, isQuick ? 1_000_000 : 10_000_000)) {
        say(`${size} ${x}`);
        const users = x === "users" ? size : size / eventsOfUser;
        const folder = await writeParquet(users * eventsOfUser, users);
        const { statements } = await warehouseSql(folder);
        const { recompute, close } = await loadAnalyst(folder, 1);
        const duckDb = await openDuckDb(folder, 1);
        const subjects = [
          { name: "Assay, 1 thread", measure: () => cpuOf(recompute) },
          { name: "DuckDB, 1 thread", measure: () => cpuOf(() => duckDb.run(statements)) },
        ];
        for (const { measure } of subjects) await measure();
        const figures = await interleave(subjects, isQuick ? 3 : 7);
        addPoints(curves, size, new Map([...figures].map(([subject, rounds]) => [subject, medianOf(rounds)])));
        duckDb.close();
        await close();
        await folder.remove();
      }
      return curves;
    },
  };
}

export const events: Growth = growthOf(
  "events",
  "Events",
  "events",
  "Five metrics of an experiment are computed from more and more events; a tenth of them are the exposures of a user each.",
  10,
);

export const users: Growth = growthOf(
  "users",
  "Users",
  "users",
  "The same, with two events for each of more and more users: an exposure, and an outcome on average.",
  2,
);
