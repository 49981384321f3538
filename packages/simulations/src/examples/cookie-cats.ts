import { readFileSync } from "node:fs";

/** The players of one gate in the order of their ids, with a column per measure. */
export interface Players {
  key: "gate_30" | "gate_40";
  userId: Float64Array;
  rounds: Float64Array;
  retention1: Float64Array;
  retention7: Float64Array;
}

/** The Cookie Cats experiment: the gate at level 30 (control) and at level 40. */
export interface CookieCats {
  control: Players;
  treatment: Players;
}

const FILE = new URL("../../../../examples/cookie-cats/cookie_cats.csv", import.meta.url);

/** Reads the experiment from the repository's file. */
export function readCookieCats(): CookieCats {
  const rows = readFileSync(FILE, "utf8")
    .trim()
    .split(/\r?\n/)
    .slice(1)
    .map((line) => line.split(","))
    .sort((a, b) => Number(a[0]) - Number(b[0]));
  const players = (key: Players["key"]): Players => {
    const own = rows.filter((row) => row[1] === key);
    const flag = (column: number) => Float64Array.from(own, (row) => (row[column] === "TRUE" ? 1 : 0));
    return {
      key,
      userId: Float64Array.from(own, (row) => Number(row[0])),
      rounds: Float64Array.from(own, (row) => Number(row[2])),
      retention1: flag(3),
      retention7: flag(4),
    };
  };
  return { control: players("gate_30"), treatment: players("gate_40") };
}

/** Returns the ids that divide the players of both gates, in the order of their ids, into ten equal parts. */
export function tenths({ control, treatment }: CookieCats): number[] {
  const ids = Float64Array.from([...control.userId, ...treatment.userId]).sort();
  return Array.from({ length: 10 }, (_, i) => ids[Math.floor((ids.length * (i + 1)) / 10) - 1]!);
}

/** Returns the values of a column for the players whose id `keep` accepts. */
export function where(players: Players, column: Float64Array, keep: (userId: number) => boolean): Float64Array {
  return column.filter((_, i) => keep(players.userId[i]!));
}

/** Returns how many players have the flag, and how many there are. */
export function proportionOf(flags: Float64Array): { successes: number; n: number } {
  return { successes: flags.reduce((sum, flag) => sum + flag, 0), n: flags.length };
}
