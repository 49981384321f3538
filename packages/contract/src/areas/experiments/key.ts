import * as z from "zod";

/** Flag and experiment keys. */
export const Key = z
  .string()
  .regex(
    /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/,
    'A key is 1 to 255 of A-Z a-z 0-9 . _ - and starts with neither . nor -; "__proto__" is none',
  )
  .meta({ examples: ["checkout-button"] });
