import { createStepLimit } from "@assay/core/server";

/** Bounds what each evaluation here takes, whoever wrote the definitions and whoever sent the context. */
export const stepLimit = createStepLimit();
