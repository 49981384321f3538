import { adjustClusters, contributionsOf } from "@assay/analysis";
import { type ArmEstimate, compareArms } from "@assay/core/stats";
import { estimateFinding, type Finding, rateFinding } from "../finding.ts";
import type { Lab } from "../lab.ts";
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
}

/**
 * Draws an A/A switchback whose people spend as they did before it, and returns its adjusted arms. The effects of hours
 * are smaller than those of people, and earlier spending differs between units as well.
 */
function drawAdjusted(random: Random, { units, hours, correlation }: Setting) {
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
      arms[cell] = random.uniform() < 0.5 ? 0 : 1;
      users![cell] = 1 + random.poisson(USERS);
      for (let user = 0; user < users![cell]!; user++) {
        const own = before[Math.floor(PEOPLE * random.uniform())]!;
        values![cell]! += 2 * own + 0.3 * effect + random.normal();
        earlier![cell]! += own;
      }
    }
  }
  const [control, treatment] = contributionsOf({ columns: [values!, users!, users!, earlier!], arms }, 2);
  return { control: control!, treatment: treatment!, arms: adjustClusters(control!, treatment!) };
}

const squaredError = ({ variance, n }: ArmEstimate) => variance! / n;

/** Checks the level of switchbacks that are adjusted by earlier spending, and what the adjustment saves. */
export function adjustedSwitchbacks(lab: Lab): Finding[] {
  const settings = [
    { units: 1, hours: 48, correlation: 0 },
    { units: 1, hours: 48, correlation: 0.95 },
    { units: 4, hours: 168, correlation: 0 },
    { units: 4, hours: 168, correlation: 0.95 },
  ];
  return settings.flatMap((setting) => {
    const { units, hours, correlation } = setting;
    const name = `${units} ${units === 1 ? "unit" : "units"}, ${hours} hours, correlation ${correlation}`;
    const random = lab.random(`adjusted switchback, ${name}`);
    const times = lab.times(units === 1 ? 5000 : 2000);
    let [answers, hits, sum, squares] = [0, 0, 0, 0];
    for (let run = 0; run < times; run++) {
      const { arms, control, treatment } = drawAdjusted(random, setting);
      if (!arms) continue;
      answers++;
      if (compareArms(arms.control, arms.treatment).significant) hits++;
      const plain = [control, treatment].reduce((total, { moments: { n, products } }) => {
        return total + products[0]![0]! / (n - 1) / n;
      }, 0);
      const left = (squaredError(arms.control) + squaredError(arms.treatment)) / plain;
      sum += left;
      squares += left * left;
    }
    if (answers === 0) throw new Error(`No comparison was adjusted: ${name}`);
    const mean = sum / answers;
    const error = Math.sqrt((squares / answers - mean * mean) / answers);
    return [
      rateFinding(`adjusted by earlier spending, ${name}`, hits, answers, NOT_ABOVE),
      estimateFinding(`variance left by the adjustment, ${name}`, mean, error, answers, { kind: "atMost", value: 0.5 }),
    ];
  });
}
