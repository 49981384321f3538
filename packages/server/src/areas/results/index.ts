import type { AreaInput } from "../../area.ts";
import type { WarehouseQuestions } from "../warehouse/asking.ts";
import { comparePair } from "./comparison.ts";
import { createPastLifts } from "./past-lifts.ts";
import { toRows } from "./rows.ts";
import { createResultsService, type ResultsService } from "./service.ts";
import { createWinnersCurse } from "./winners-curse.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({
  runtime,
  records,
  analysis,
  services,
}: AreaInput<{ warehouseQuestions: WarehouseQuestions }>) {
  const { experiments, flags, syncs } = records;
  const plain = createResultsService({
    runtime,
    experiments,
    analysis,
    flagOf: ({ feature_flag_key: key }) => (key === null ? undefined : flags.findBy("key", key)),
    synced: (id) => syncs.get(id),
    askWarehouse: services.warehouseQuestions.answer,
  });
  const resultsOf: ResultsService["get"] = (id, caller) => plain.get(id, caller);
  const pastLifts = createPastLifts({ runtime, experiments, resultsOf });
  const winnersCurse = createWinnersCurse(pastLifts);
  const results: ResultsService = {
    ...plain,
    async get(idOrKey, caller, source) {
      const answer = await plain.get(idOrKey, caller, source);
      return winnersCurse.mark(experiments.require(answer.experiment_id), answer, caller);
    },
  };
  return { services: { results, pastLifts, winnersCurse, comparisons: { comparePair, toRows } } };
}
