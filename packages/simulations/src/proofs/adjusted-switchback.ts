import { adjustClusters, contributionsOf } from "@assay/analysis";
import {
  type AdjustedArms,
  type ArmEstimate,
  compareArms,
  momentsOf,
  type Slopes,
  varianceOf,
} from "@assay/core/stats";
import { estimateFinding, type Finding, rateFinding } from "../finding.ts";
import { count, type Lab } from "../lab.ts";
import type { Random } from "../random.ts";

const NOT_ABOVE = { kind: "notAbove", value: 0.05 } as const;
/** The people of a unit, and how many of them use it in an hour, so that each is in many hours. */
export const PEOPLE = 100;
export const USERS = 10;

interface Setting {
  units: number;
  hours: number;
  /** The correlation between the effects of a unit in two adjacent hours. */
  correlation: number;
  /** The share of hours in treatment: half by default. */
  treated?: number;
  /** What the treatment adds, as a share of a person's earlier spending: nothing by default. */
  effect?: number;
}

/**
 * Draws a switchback whose people spend as they did before it. The effects of hours are smaller than those of people,
 * and earlier spending differs between units as well. Returns what the hours of each arm contribute, and the effect on
 * the people who came.
 */
function draw(random: Random, { units, hours, correlation, treated = 0.5, effect: added = 0 }: Setting) {
  const cells = units * hours;
  const [values, users, earlier] = Array.from({ length: 3 }, () => new Float64Array(cells));
  const arms = new Uint8Array(cells);
  for (let unit = 0; unit < units; unit++) {
    const ofUnit = random.normal();
    const before = Float64Array.from({ length: PEOPLE }, () => Math.exp(random.normal()) + ofUnit);
    let effect = random.normal();
    for (let hour = 0; hour < hours; hour++) {
      const cell = unit * hours + hour;
      effect = correlation * effect + Math.sqrt(1 - correlation ** 2) * random.normal();
      arms[cell] = random.uniform() < 1 - treated ? 0 : 1;
      users![cell] = 1 + random.poisson(USERS);
      for (let user = 0; user < users![cell]!; user++) {
        const own = before[Math.floor(PEOPLE * random.uniform())]!;
        values![cell]! += (2 + added * arms[cell]!) * own + 0.3 * effect + random.normal();
        earlier![cell]! += own;
      }
    }
  }
  const [control, treatment] = contributionsOf({ columns: [values!, users!, users!, earlier!], arms }, 2);
  const total = (column: Float64Array) => column.reduce((sum, value) => sum + value, 0);
  return { control: control!, treatment: treatment!, effect: (added * total(earlier!)) / total(users!) };
}

const squaredError = ({ variance, n }: ArmEstimate) => variance! / n;
const squaredErrors = ({ control, treatment }: AdjustedArms) => squaredError(control) + squaredError(treatment);

/** Returns the mean of some values, with its standard error, as a finding. */
function meanFinding(claim: string, values: readonly number[], most: number): Finding {
  const moments = momentsOf(values);
  const error = Math.sqrt(varianceOf(moments)! / moments.n);
  return estimateFinding(claim, moments.mean, error, moments.n, { kind: "atMost", value: most });
}

/** Checks the level of switchbacks that are adjusted by earlier spending, and what the adjustment saves. */
function withoutEffect(lab: Lab): Finding[] {
  const settings: (Setting & { slopes: Slopes })[] = [
    { units: 1, hours: 48, correlation: 0, slopes: "COMMON" },
    { units: 1, hours: 48, correlation: 0.95, slopes: "COMMON" },
    { units: 4, hours: 168, correlation: 0, slopes: "COMMON" },
    { units: 4, hours: 168, correlation: 0.95, slopes: "COMMON" },
    { units: 4, hours: 48, correlation: 0, slopes: "PER_ARM" },
    { units: 4, hours: 168, correlation: 0.95, slopes: "PER_ARM" },
  ];
  return settings.flatMap(({ slopes, ...setting }) => {
    const { units, hours, correlation } = setting;
    const drawn = `${units} ${units === 1 ? "unit" : "units"}, ${hours} hours, correlation ${correlation}`;
    const name = slopes === "PER_ARM" ? `${drawn}, slopes per arm` : drawn;
    const random = lab.random(`adjusted switchback, ${name}`);
    const times = lab.times(units === 1 ? 5000 : 2000);
    const left: number[] = [];
    let hits = 0;
    for (let run = 0; run < times; run++) {
      const { control, treatment } = draw(random, setting);
      const arms = adjustClusters(control, treatment, { slopes });
      if (arms?.slopes !== slopes) continue;
      if (compareArms(arms.control, arms.treatment).significant) hits++;
      const plain = [control, treatment].reduce((total, { moments: { n, products } }) => {
        return total + products[0]![0]! / (n - 1) / n;
      }, 0);
      left.push(squaredErrors(arms) / plain);
    }
    if (left.length === 0) throw new Error(`No comparison was adjusted: ${name}`);
    return [
      rateFinding(`adjusted by earlier spending, ${name}`, hits, left.length, NOT_ABOVE),
      meanFinding(`variance left by the adjustment, ${name}`, left, 0.5),
    ];
  });
}

/** Checks slopes per arm where most hours are in control and the treatment has an effect on those who spent before. */
function withEffect(lab: Lab): Finding[] {
  const setting = { units: 4, hours: 168, correlation: 0.5, treated: 0.2, effect: 2 };
  const name = "4 units, 168 hours, 80/20, spending twice as much";
  const random = lab.random(`adjusted switchback, ${name}`);
  const left: number[] = [];
  const times = lab.times(2000);
  const held = count(times, () => {
    const { control, treatment, effect } = draw(random, setting);
    const [own, common] = [
      adjustClusters(control, treatment, { slopes: "PER_ARM" })!,
      adjustClusters(control, treatment)!,
    ];
    left.push(squaredErrors(own) / squaredErrors(common));
    const [lower, upper] = compareArms(own.control, own.treatment).confidenceInterval!;
    return lower <= effect && effect <= upper;
  });
  return [
    rateFinding(`interval with slopes per arm, ${name}`, held, times, { kind: "atLeast", value: 0.94 }),
    meanFinding(`variance with slopes per arm, of that with common slopes, ${name}`, left, 1),
  ];
}

/** Checks adjusted switchbacks without an effect, and with one. */
export function adjustedSwitchbacks(lab: Lab): Finding[] {
  return [...withoutEffect(lab), ...withEffect(lab)];
}
