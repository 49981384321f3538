/** An option that is missing or not of its kind. */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
  /** Name of the option. */
  readonly option: string;

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}`);
    this.option = option;
  }
}

/** Checks an option. @throws OptionError where it is not good */
export function requireOption(isGood: boolean, option: string, expected: string): void {
  if (!isGood) throw new OptionError(option, expected);
}

/** What `read` makes of an option. @throws OptionError where it throws, or makes nothing of it */
export function readOption<T>(option: string, expected: string, read: () => T | false): T {
  try {
    const made = read();
    if (made) return made;
  } catch {
    // It is no better than one that is of another kind.
  }
  throw new OptionError(option, expected);
}

/** Kinds of options, by what is said of one that is of another. */
const KINDS = {
  "a string": (value: unknown) => typeof value === "string",
  "a function": (value: unknown) => typeof value === "function",
  "true or false": (value: unknown) => typeof value === "boolean",
  "a number of ms": (value: unknown) => Number(value) >= 0 && typeof value === "number",
  "a whole number above 0": (value: unknown) => Number.isInteger(value) && Number(value) > 0,
  "a list of names": (value: unknown) => Array.isArray(value) && value.every(KINDS["a string"]),
};

/**
 * Checks those of the options named that are given.
 * @param names with what goes before them where they are parts of another option: `tracking.capacity`
 * @throws OptionError where one is not of this kind.
 */
export function requireKind(options: object, expected: keyof typeof KINDS, ...names: string[]): void {
  for (const name of names) {
    const value = (options as Record<string, unknown>)[name.replace(/.*\./, "")];
    requireOption(value === undefined || KINDS[expected](value), name, expected);
  }
}

/** Checks an option that is one of a few words, if it is given. @throws OptionError where it is none of them */
export function requireOneOf(options: object, name: string, ...words: string[]): void {
  const value = (options as Record<string, unknown>)[name];
  requireOption([undefined, ...words].includes(value as string), name, words.join(" or "));
}

/** Checks a number of milliseconds. @throws OptionError where it is none, or negative */
export function requireDuration(value: unknown, option: string): void {
  requireKind({ [option]: value }, "a number of ms", option);
}
