import type { Proof } from "./lab.ts";
import { adjusted } from "./proofs/adjusted.ts";
import { assignment } from "./proofs/assignment.ts";
import { bandit } from "./proofs/bandit.ts";
import { bayes } from "./proofs/bayes.ts";
import { boundaries } from "./proofs/boundaries.ts";
import { clusters } from "./proofs/clusters.ts";
import { coverage } from "./proofs/coverage.ts";
import { cuped } from "./proofs/cuped.ts";
import { dailyLooks } from "./proofs/daily-looks.ts";
import { falsePositives } from "./proofs/false-positives.ts";
import { falseRollback } from "./proofs/false-rollback.ts";
import { falseShip } from "./proofs/false-ship.ts";
import { multipleComparisons } from "./proofs/multiple-comparisons.ts";
import { nonInferiority } from "./proofs/non-inferiority.ts";
import { novelty } from "./proofs/novelty.ts";
import { oneLook } from "./proofs/one-look.ts";
import { peeking } from "./proofs/peeking.ts";
import { plannedLooks } from "./proofs/planned-looks.ts";
import { power } from "./proofs/power.ts";
import { price } from "./proofs/price.ts";
import { rollouts } from "./proofs/rollouts.ts";
import { shrinkage } from "./proofs/shrinkage.ts";
import { switchback } from "./proofs/switchback.ts";

/** Every proof, in the order of the report. */
export const proofs: Readonly<Record<string, Proof>> = {
  "one look": oneLook,
  "daily looks": dailyLooks,
  "planned looks": plannedLooks,
  "non-inferiority": nonInferiority,
  adjusted,
  clusters,
  switchback,
  "false positives": falsePositives,
  assignment,
  novelty,
  peeking,
  "false ship": falseShip,
  rollouts,
  "false rollback": falseRollback,
  boundaries,
  coverage,
  power,
  "price of validity": price,
  cuped,
  bayes,
  bandit,
  shrinkage,
  "multiple comparisons": multipleComparisons,
};
