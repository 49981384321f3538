import { batchCases } from "./batches.ts";
import type { StoreCase } from "./case.ts";
import { claimCases } from "./claims.ts";
import { durabilityCases } from "./durability.ts";
import { entryCases } from "./entries.ts";
import { journalCases } from "./journals.ts";
import { keyCases } from "./keys.ts";
import { leaseCases } from "./leases.ts";
import { listCases } from "./lists.ts";
import { processCases } from "./processes.ts";

export {
  type DamageTarget,
  isApplicable,
  runStoreCase,
  type StoreCase,
  type StoreHarness,
  type StoreNeed,
  type StorePlace,
} from "./case.ts";
export { answerParent, type StoreChild } from "./child.ts";
export { checkSequence } from "./sequence.ts";
export type { TaskName } from "./tasks.ts";

/**
 * The requirements of every store, as data for any test runner.
 * @example
 * for (const storeCase of storeCases.filter((one) => isApplicable(one, harness))) {
 *   test(storeCase.title, () => runStoreCase(storeCase, harness));
 * }
 */
export const storeCases: StoreCase[] = [
  ...keyCases,
  ...entryCases,
  ...listCases,
  ...batchCases,
  ...journalCases,
  ...claimCases,
  ...leaseCases,
  ...durabilityCases,
  ...processCases,
];
