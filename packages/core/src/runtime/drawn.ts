/**
 * The hash that decided the evaluation under way, negative where none did. It travels beside the answer and not in it:
 * answers are shared frozen objects made when a program is linked, and a typed array keeps a number without allocating
 * one. The second number is that of the steps taken, see `step-limit.ts`.
 */
export const drawn = /* @__PURE__ */ new Float64Array([-1, 0]);
