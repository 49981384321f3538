/** The longest text that patterns are tried on, in UTF-16 code units, as `length` counts them; longer ones match none. */
export const MAX_MATCHED = 4_096;
