/**
 * The hash that decided the current evaluation, negative if none did. It is not in the answer: answers are shared
 * frozen objects that are created when a program is linked, and a typed array stores a number without allocating. The
 * second number is that of the steps taken, see `step-limit.ts`.
 */
export const evaluationState = /* @__PURE__ */ new Float64Array(2);
