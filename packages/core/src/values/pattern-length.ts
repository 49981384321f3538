/** The maximum length of a text to match, in UTF-16 code units. Longer texts do not match. */
export const MAX_MATCHED = 4_096;
