import { createBucketer, createPicker, normalizeWeights } from "@assay/core";
import {
  addToMoments,
  assignmentDependenceTest,
  emptyMoments,
  interactionTest,
  interactionWaldTest,
  type Moments,
  sampleRatioTest,
} from "@assay/core/stats";
import { rateFinding } from "../finding.ts";
import type { Proof } from "../lab.ts";
import { spend } from "../population.ts";

/** Returns the assignment of users `u0`, `u1` ... by the product's own hash, for one experiment key. */
function createAssignment(key: string, weights: readonly number[]): (user: number) => number {
  const bucket = createBucketer(key);
  const { pick } = createPicker(normalizeWeights(weights), 100);
  return (user) => pick(bucket(`u${user}`));
}

function cellsOf(rows: number, columns: number): Moments[][] {
  return Array.from({ length: rows }, () => Array.from({ length: columns }, emptyMoments));
}

/** Assignment by hash is as random as the tests assume: sample ratio, independence, and no false interactions. */
export const assignment: Proof = (lab) => {
  const splits = lab.times(10_000);
  const weights = [0.5, 0.3, 0.2];
  let unbalanced = 0;
  let warnings = 0;
  for (let i = 0; i < splits; i++) {
    const armOf = createAssignment(`split-${i}`, weights);
    const users = [0, 0, 0];
    for (let user = 0; user < 3000; user++) users[armOf(user)]! += 1;
    const test = sampleRatioTest(users, weights);
    if (test.pValue < 0.05) unbalanced++;
    if (test.warning) warnings++;
  }

  const pairs = lab.times(20_000);
  const random = lab.random("interactions");
  const found = { dependence: 0, interaction: 0, wald: 0 };
  for (let i = 0; i < pairs; i++) {
    const a = createAssignment(`first-${i}`, [1 / 3, 1 / 3, 1 / 3]);
    const b = createAssignment(`second-${i}`, [0.5, 0.5]);
    const cells = cellsOf(3, 2);
    for (let user = 0; user < 1800; user++) {
      // Each experiment has an effect of 0.1, but neither changes that of the other.
      const [row, column] = [a(user), b(user)];
      addToMoments(cells[row]![column]!, spend(random) + 0.1 * (row + column));
    }
    if (assignmentDependenceTest(cells.map((row) => row.map(({ n }) => n))).significant) found.dependence++;
    if (interactionTest(cells.slice(0, 2)).significant) found.interaction++;
    if (interactionWaldTest(cells).significant) found.wald++;
  }
  const alpha = { kind: "equals", value: 0.05 } as const;
  return {
    title: "Sample ratio, independence of experiments, interactions",
    setting:
      "Users are assigned by the product's own hash, a new experiment key each time: 3,000 users to three arms of " +
      "50, 30 and 20 %; 1,800 users to two experiments of three and two arms that both have an effect on revenue, " +
      "but no interaction. p < 0.05, and for the warning p < 0.001.",
    findings: [
      rateFinding("sample ratio of a split by hash", unbalanced, splits, alpha),
      rateFinding("sample-ratio warning", warnings, splits, { kind: "equals", value: 0.001 }),
      rateFinding("dependence of two experiments' assignments", found.dependence, pairs, alpha),
      rateFinding("interaction of two by two arms (Welch)", found.interaction, pairs, alpha),
      rateFinding("interaction of three by two arms (Wald)", found.wald, pairs, alpha),
    ],
  };
};
