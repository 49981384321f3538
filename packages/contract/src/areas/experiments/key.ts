import * as z from "zod";

/** Flag and experiment keys. */
export const Key = z
  .string()
  .regex(
    /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/,
    "Letters, digits, . _ - only, not starting with . or -, at most 255",
  )
  .meta({ examples: ["checkout-button"] });
