import { type Decision, isSignificant } from "@assay/core/stats";
import { achievedPower } from "@assay/core/stats/planning";

/** The values of a metric in both arms. */
export interface ArmValues {
  control: { n: number; value: number };
  treatment: { n: number; value: number };
}

/** Returns a row of `metrics` for gate_40, as `GET /results/{experiment_id}` answers it. */
export function toRow(
  name: string,
  kind: string,
  test: string,
  { control, treatment }: ArmValues,
  compared: Decision,
  adjustedPValue: number | null = compared.pValue,
) {
  return {
    name,
    metric_id: name,
    kind,
    role: "PRIMARY",
    variant: "gate_40",
    control_value: control.value,
    treatment_value: treatment.value,
    difference: compared.difference,
    p_value: compared.pValue,
    adjusted_p_value: adjustedPValue,
    is_significant: isSignificant(compared.pValue, 0.05),
    confidence_interval: compared.confidenceInterval,
    newcombe_interval: null,
    relative_difference: compared.relativeDifference,
    relative_confidence_interval: compared.relativeConfidenceInterval,
    n: { control: control.n, treatment: treatment.n },
    mean: { control: control.value, treatment: treatment.value },
    standard_error: compared.standardError,
    power: achievedPower(compared.difference, compared.standardError),
    test,
    assumption: compared.assumption,
    status: compared.status,
  };
}
