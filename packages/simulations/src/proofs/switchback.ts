import {
  addToMoments,
  clusterEstimate,
  compareArms,
  compareMeans,
  emptyMoments,
  type JointMoments,
  jointMomentsOf,
  type Moments,
} from "@assay/core/stats";
import { type Finding, rateFinding } from "../finding.ts";
import { count, type Lab, type Proof } from "../lab.ts";
import type { Random } from "../random.ts";
import { adjustedSwitchbacks, PEOPLE, USERS } from "./adjusted-switchback.ts";

const ALPHA = 0.05;
const NOT_ABOVE = { kind: "notAbove", value: ALPHA } as const;
/** The number of periods, of an hour, in a day. */
const DAY = 24;
/** The minimum number of users of a unit in an hour. More come by day than by night. */
const LEAST_USERS = 4;
const MORE_USERS = 12;

/** One unit in one period: its arm, its arm in the period before, and what its users spent. */
interface Cell {
  arm: number;
  before: number | null;
  values: number[];
}

interface Setting {
  units: number;
  hours: number;
  /** The correlation between the effects of a unit in two adjacent hours. */
  correlation: number;
}

/**
 * Draws an A/A switchback. Spending depends on the hour of the day, on effects that correlate from hour to hour, and on
 * the user.
 */
function drawCells(random: Random, { units, hours, correlation }: Setting): Cell[] {
  return Array.from({ length: units }, () => {
    let effect = random.normal();
    let before: number | null = null;
    return Array.from({ length: hours }, (_, hour): Cell => {
      effect = correlation * effect + Math.sqrt(1 - correlation ** 2) * random.normal();
      const daytime = 1 - Math.cos((2 * Math.PI * hour) / DAY);
      const users = LEAST_USERS + random.binomial(MORE_USERS, daytime / 2);
      const arm = random.uniform() < 0.5 ? 0 : 1;
      const values = Array.from({ length: users }, () => 10 + 2 * daytime + effect + 3 * random.normal());
      const cell = { arm, before, values };
      before = arm;
      return cell;
    });
  }).flat();
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Returns the joint moments of [sum, users] of some cells. */
const momentsOf = (cells: readonly Cell[]): JointMoments =>
  jointMomentsOf(
    cells.map(({ values }) => sum(values)),
    cells.map(({ values }) => values.length),
  );

function differ(one: readonly Cell[], other: readonly Cell[]): boolean {
  return compareArms(clusterEstimate(momentsOf(one)), clusterEstimate(momentsOf(other))).significant;
}

const inArm = (cells: readonly Cell[], arm: number) => cells.filter((cell) => cell.arm === arm);

function byCells(lab: Lab): Finding[] {
  const settings = [1, 4].flatMap((units) =>
    [48, 336].flatMap((hours) => [0, 0.5, 0.95].map((correlation) => ({ units, hours, correlation }))),
  );
  return settings.map((setting) => {
    const { units, hours, correlation } = setting;
    const claim = `${units} ${units === 1 ? "unit" : "units"}, ${hours} hours, correlation ${correlation}`;
    const random = lab.random(`switchback, ${claim}`);
    const times = lab.times(units * hours > 1000 ? 1000 : 5000);
    const rejects = () => {
      const cells = drawCells(random, setting);
      return differ(inArm(cells, 0), inArm(cells, 1));
    };
    return rateFinding(claim, count(times, rejects), times, NOT_ABOVE);
  });
}

function byUsers(lab: Lab): Finding[] {
  return [0, 0.95].map((correlation) => {
    const claim = `by users, 1 unit, 336 hours, correlation ${correlation}, for comparison`;
    const random = lab.random(`switchback, ${claim}`);
    const times = lab.times(2000);
    const rejects = () => {
      const arms: [Moments, Moments] = [emptyMoments(), emptyMoments()];
      for (const { arm, values } of drawCells(random, { units: 1, hours: 336, correlation })) {
        for (const value of values) addToMoments(arms[arm]!, value);
      }
      return compareMeans(...arms).significant;
    };
    return rateFinding(claim, count(times, rejects), times, { kind: "atLeast", value: 0.2 });
  });
}

/** Compares hours of one arm by the arm of the hour before, as the warning CARRY_OVER does. */
function byArmBefore(lab: Lab): Finding[] {
  return [0, 0.95].map((correlation) => {
    const claim = `hours of treatment by the arm before, 4 units, 168 hours, correlation ${correlation}`;
    const random = lab.random(`switchback, ${claim}`);
    const times = lab.times(2000);
    const rejects = () => {
      const own = inArm(drawCells(random, { units: 4, hours: 168, correlation }), 1);
      const after = (arm: number) => own.filter(({ before }) => before === arm);
      return differ(after(1), after(0));
    };
    return rateFinding(claim, count(times, rejects), times, NOT_ABOVE);
  });
}

/** The comparison of units that switch between the arms, by unit and period, has the level alpha. */
export const switchback: Proof = (lab) => ({
  title: "Switchbacks",
  setting:
    "A/A comparisons of clusterEstimate by compareArms, where every unit draws an arm each hour. Values and the number of users " +
    `(${LEAST_USERS} to ${LEAST_USERS + MORE_USERS}) depend on the hour of the day; the effects of a unit's hours follow an autoregression whose adjacent ` +
    "effects have the given correlation. Users are also compared as if each were drawn alone. Adjusted comparisons are those of " +
    `adjustClusters: an hour has about ${USERS} of the ${PEOPLE} people of its unit, who spend as they did before. The last rows have a ` +
    "treatment in a fifth of the hours that makes people spend twice as much. Their interval is for hours and people to come, so it holds " +
    "the effect on those who came more often than 95 %. The limit is alpha and three standard errors of the simulation.",
  findings: [...byCells(lab), ...byUsers(lab), ...byArmBefore(lab), ...adjustedSwitchbacks(lab)],
});
