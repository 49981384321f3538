/** The tabs of an experiment's page. */
export const EXPERIMENT_TABS = ["results", "segments", "cuped", "interactions", "holdout"] as const;
export type ExperimentTab = (typeof EXPERIMENT_TABS)[number];
export const toTab = (value: unknown) => EXPERIMENT_TABS.find((tab) => tab === value);
