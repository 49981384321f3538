export {
  type Judgement,
  judgeRollout,
  type RolloutClaim,
  type RolloutComparison,
  type Verdict,
} from "./analysis/rollout-judgement.ts";
export { ABSENT, createRolloutSum, IN, OUT, type RolloutEstimate, type RolloutSum } from "./analysis/rollout-sum.ts";
