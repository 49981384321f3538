import { invalid } from "../../ground/errors.ts";
import type { ExperimentRecord } from "../../model/experiment.ts";

/**
 * Requires that each covariate is a metric of the experiment with one value per user, and that the weights are fixed. A
 * bandit weights its users by period, and would have to weight covariates as well.
 * @throws ApiError 422
 */
export function requireCovariates({
  metrics,
  allocation,
  variance_reduction: reduction,
}: Pick<ExperimentRecord, "metrics" | "allocation" | "variance_reduction">): void {
  if (!reduction || reduction.method === "NONE") return;
  if (allocation !== "FIXED") {
    throw invalid(["body", "variance_reduction"], "An experiment whose weights change cannot reduce variance");
  }
  for (const [index, id] of (reduction.covariates ?? []).entries()) {
    const metric = metrics.find((one) => one.id === id);
    const at = ["body", "variance_reduction", "covariates", index];
    if (!metric) throw invalid(at, `The experiment has no metric "${id}"`, "unknown_metric");
    if (metric.kind === "QUANTILE") throw invalid(at, `A quantile has no value per user: "${id}"`);
  }
}
