import type { RunOptions } from "../measure/group.ts";

/** How the cost of a subject grows: its median at each size. */
export interface Curve {
  subject: string;
  points: [size: number, cost: number][];
}

/** A question about growth: what grows along x, and what it costs along y. */
export interface Growth {
  name: string;
  title: string;
  /** What is measured and how, in Markdown. */
  setting: string;
  x: string;
  y: string;
  /** Whether it needs the peers to be installed. */
  comparesPeers?: true;
  /** The environment variable that has the address of the database that it needs. */
  needs?: string;
  run(options: Pick<RunOptions, "isQuick" | "say">): Promise<Curve[]>;
}

/** Returns the powers of ten from one to another, both included. */
export function powersOfTen(first: number, last: number): number[] {
  const sizes = [];
  for (let size = first; size <= last; size *= 10) sizes.push(size);
  return sizes;
}

/** Adds the medians of one size to curves, by subject. */
export function addPoints(curves: Curve[], size: number, costs: ReadonlyMap<string, number>): void {
  for (const [subject, cost] of costs) {
    const curve = curves.find((one) => one.subject === subject);
    if (curve) curve.points.push([size, cost]);
    else curves.push({ subject, points: [[size, cost]] });
  }
}
