import type { Proportion } from "@assay/core/stats";
import { FIVE, type Methods, plannedMethods } from "./deciding-methods.ts";
import { type Bound, type Finding, rateFinding } from "./finding.ts";
import type { Cell } from "./growing-arms.ts";
import type { Lab } from "./lab.ts";
import { byFirst, byProbit, priceFinding, type Rejections } from "./users-needed.ts";

/** The sizes at which power is simulated, as multiples of the users by the formula. */
const SIZES = [0.85, 0.95, 1.05, 1.15, 1.3];
/** The number of looks of a test at any time, up to `FARTHEST` times the users of one look. */
const LOOKS = 64;
const FARTHEST = 3.2;
/** The looks of a test at any time, as multiples of the users of one look. */
export const EVERY_LOOK = Array.from({ length: LOOKS }, (_, look) => (FARTHEST * (look + 1)) / LOOKS);

/**
 * A method: its number, its name, and the bound of its finding, which usually is about our users relative to its users.
 */
export type Rival = [number: number, name: string, bound: Bound];

/**
 * Returns our users relative to those of each rival, at one look. Pass other `multiples` of the users by the formula if that is
 * far from 80 % power.
 */
export function oneLook<Arm>(
  lab: Lab,
  cell: Cell<Arm>,
  methods: Methods<Arm>,
  rivals: readonly Rival[],
  full: number,
  multiples: readonly number[] = SIZES,
) {
  const random = lab.random(`price of ${cell.name}`);
  const sizes = multiples.map((size) => size * cell.users);
  const rejections: Rejections = Array.from({ length: lab.times(full) }, () => {
    const arms = cell.start(random);
    const found = sizes.map((users) => {
      arms.growTo(users);
      return methods.map((rejects) => rejects(arms.control, arms.treatment, 0));
    });
    return methods.map((_, method) => found.map((one) => one[method]!));
  });
  return rivals.map(([rival, name, bound]) =>
    priceFinding(`${cell.name}: one look, of ${name}`, { sizes, rejections, own: 0, rival, usersFor: byProbit }, bound),
  );
}

/** Returns our users relative to those of each rival, with a look at each of many sizes. */
export function anyTime<Arm>(lab: Lab, cell: Cell<Arm>, methods: Methods<Arm>, rivals: readonly Rival[], full: number) {
  const random = lab.random(`price at any time of ${cell.name}`);
  const sizes = Array.from({ length: LOOKS }, (_, look) => (FARTHEST * cell.users * (look + 1)) / LOOKS);
  const rejections: Rejections = Array.from({ length: lab.times(full) }, () => {
    const arms = cell.start(random);
    const found = methods.map(() => sizes.map(() => false));
    const open = new Set(methods.keys());
    for (const [look, users] of sizes.entries()) {
      if (open.size === 0) break;
      arms.growTo(users);
      for (const method of open) {
        if (!methods[method]!(arms.control, arms.treatment, look)) continue;
        found[method]!.fill(true, look);
        open.delete(method);
      }
    }
    return found;
  });
  return rivals.map(([rival, name, bound]) =>
    priceFinding(`${cell.name}: any time, of ${name}`, { sizes, rejections, own: 0, rival, usersFor: byFirst }, bound),
  );
}

/** Returns our users at five looks of O'Brien-Fleming, relative to those by the classic boundaries. */
export function plannedLooks(lab: Lab, cell: Cell<Proportion>, rivals: readonly Rival[]): Finding[] {
  const random = lab.random(`price at planned looks of ${cell.name}`);
  const sizes = SIZES.map((size) => size * cell.users);
  const rejections: Rejections = Array.from({ length: lab.times(10_000) }, () => {
    const found = sizes.map((planned) => {
      const arms = cell.start(random);
      const isFound = plannedMethods.map(() => false);
      for (const [look, share] of FIVE.entries()) {
        arms.growTo(share * planned);
        for (const [method, rejects] of plannedMethods.entries())
          isFound[method] ||= rejects(arms.control, arms.treatment, look);
      }
      return isFound;
    });
    return plannedMethods.map((_, method) => found.map((one) => one[method]!));
  });
  return rivals.map(([rival, name, bound]) =>
    priceFinding(
      `${cell.name}: five looks, of ${name}`,
      { sizes, rejections, own: 0, rival, usersFor: byProbit },
      bound,
    ),
  );
}

/** Returns how often methods reject without an effect, with looks at these multiples of the users by the formula. */
export function withoutEffect<Arm>(
  lab: Lab,
  cell: Cell<Arm>,
  { methods, looks, full, read = "" }: { methods: Methods<Arm>; looks: readonly number[]; full: number; read?: string },
  rivals: readonly Rival[],
): Finding[] {
  const random = lab.random(`price without an effect of ${cell.name}${read}`);
  const times = lab.times(full);
  const hits = methods.map(() => 0);
  for (let run = 0; run < times; run++) {
    const arms = cell.start(random, true);
    const found = methods.map(() => false);
    for (const [look, size] of looks.entries()) {
      arms.growTo(size * cell.users);
      for (const [method, rejects] of methods.entries()) found[method] ||= rejects(arms.control, arms.treatment, look);
    }
    for (const [method, isFound] of found.entries()) if (isFound) hits[method]!++;
  }
  return rivals.map(([method, name, bound]) =>
    rateFinding(`${cell.name}${read}, without an effect: ${name} rejects`, hits[method]!, times, bound),
  );
}
