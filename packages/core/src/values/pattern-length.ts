/** The maximum length of texts that patterns are matched against, in UTF-16 code units; longer ones do not match. */
export const MAX_MATCHED = 4_096;
