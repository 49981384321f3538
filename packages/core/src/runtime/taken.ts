/**
 * The steps that the evaluation under way has taken, see `step-limit.ts`; `evaluate`, `assign` and `isMember` set them to
 * zero.
 */
export const taken = /* @__PURE__ */ new Float64Array(1);
