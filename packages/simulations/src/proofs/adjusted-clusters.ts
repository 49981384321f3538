import { adjustClusters, type Contributions, contributionsOf } from "@assay/analysis";
import { compareArms, type Slopes } from "@assay/core/stats";
import { type Finding, rateFinding } from "../finding.ts";
import { count, type Lab } from "../lab.ts";
import type { Random } from "../random.ts";
import { SIZES, type Size } from "./cluster-sizes.ts";

const NOT_ABOVE = { kind: "notAbove", value: 0.05 } as const;

interface Setting {
  clusters: number;
  size: Size;
  split: number;
  slopes?: Slopes;
}

/** The adjusted comparisons: numbers of clusters, their sizes, splits, and slopes, COMMON by default. */
const ADJUSTED: readonly Setting[] = [
  { clusters: 60, size: "equal", split: 50 },
  { clusters: 160, size: "geometric", split: 50 },
  { clusters: 160, size: "geometric", split: 90 },
  { clusters: 1000, size: "geometric", split: 50 },
  { clusters: 1000, size: "geometric", split: 90 },
  { clusters: 160, size: "equal", split: 50, slopes: "PER_ARM" },
  { clusters: 400, size: "geometric", split: 50, slopes: "PER_ARM" },
  { clusters: 1000, size: "equal", split: 90, slopes: "PER_ARM" },
  { clusters: 2000, size: "geometric", split: 90, slopes: "PER_ARM" },
];

/** Draws an arm of clusters that spend before and after by the same effect; the second covariate is unrelated. */
function drawBefore(random: Random, clusters: number, size: Size, effect = 0): Contributions {
  const [values, users, earlier, other] = Array.from({ length: 4 }, () => new Float64Array(clusters));
  for (let cluster = 0; cluster < clusters; cluster++) {
    const own = Math.sqrt(0.3) * random.normal();
    users![cluster] = SIZES[size](random);
    for (let user = 0; user < users![cluster]!; user++) {
      values![cluster]! += effect + Math.exp(own + Math.sqrt(0.7) * random.normal());
      earlier![cluster]! += Math.exp(own + Math.sqrt(0.7) * random.normal());
      other![cluster]! += Number(random.uniform() < 0.3);
    }
  }
  const columns = [values!, users!, users!, earlier!, other!];
  return contributionsOf({ columns, arms: new Uint8Array(clusters) }, 1)[0]!;
}

/** Checks the level of decisions that are adjusted by earlier spending and by an unrelated covariate. */
export function adjustedClusters(lab: Lab): Finding[] {
  return ADJUSTED.map(({ clusters, size, split, slopes = "COMMON" }) => {
    const name = `log-normal spending adjusted by two covariates, ${clusters} clusters of ${size} size, ${split}/${100 - split}`;
    const claim = slopes === "PER_ARM" ? `${name}, slopes per arm` : name;
    const random = lab.random(claim);
    const times = lab.times(clusters >= 1000 ? 2000 : 10_000);
    const control = Math.round((clusters * split) / 100);
    let answers = 0;
    const hits = count(times, () => {
      const drawn = [drawBefore(random, control, size), drawBefore(random, clusters - control, size)] as const;
      const arms = adjustClusters(...drawn, { slopes });
      if (arms?.slopes !== slopes) return false;
      answers++;
      return compareArms(arms.control, arms.treatment).significant;
    });
    if (answers === 0) throw new Error(`No comparison was adjusted: ${claim}`);
    return rateFinding(claim, hits, answers, NOT_ABOVE);
  });
}
