import type { Refuse } from "@assay/client/definitions";

/** The definition of a running or finished experiment says what its results mean, so only a DRAFT changes. */
export const refuse: Refuse = ({ kind, status }) =>
  kind === "experiment" && status !== "DRAFT" ? `it is ${status} there, and only a DRAFT is changed` : null;
