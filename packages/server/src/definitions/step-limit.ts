import { createStepLimit } from "@assay/core/server";

/** Bounds the steps of each evaluation, for any definitions and any context. */
export const stepLimit = createStepLimit();
