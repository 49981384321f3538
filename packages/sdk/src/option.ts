/** The error of a missing or invalid option. */
export class OptionError extends TypeError {
  override readonly name = "OptionError";
  /** Name of the option. */
  readonly option: string;

  constructor(option: string, expected: string) {
    super(`${option} must be ${expected}`);
    this.option = option;
  }
}

/**
 * Returns the result of `read` for an option.
 * @throws OptionError if `read` throws or returns false
 */
export function readOption<T>(option: string, expected: string, read: () => T | false): T {
  try {
    const made = read();
    if (made) return made;
  } catch {
    // Rejected below, like a value of another type.
  }
  throw new OptionError(option, expected);
}

/** The description of valid values, and their check, which may throw for others. */
export type Kind = readonly [expected: string, isGood: (value: unknown) => boolean];

const oneType = (expected: string, type: string): Kind => [expected, (value) => typeof value === type];

export const TEXT = /* @__PURE__ */ oneType("a string", "string");
export const FUNCTION = /* @__PURE__ */ oneType("a function", "function");
export const SWITCH = /* @__PURE__ */ oneType("true or false", "boolean");
export const DURATION: Kind = ["a number of ms", (value) => typeof value === "number" && value >= 0];
export const COUNT: Kind = ["a positive integer", (value) => Number.isInteger(value) && (value as number) > 0];

/** Accepts only these strings. */
export function oneOf(...words: string[]): Kind {
  return [words.join(" or "), (value) => words.includes(value as string)];
}

/** Accepts objects with these methods. */
export function withMethods(...names: string[]): Kind {
  const isGood = (value: unknown) =>
    names.every((name) => typeof (value as Record<string, unknown>)[name] === "function");
  return [`an object with ${names.join(" and ")}`, isGood];
}

/**
 * Checks the given options.
 * @param within prefix of their names, if they are nested in another option
 * @throws OptionError if one is invalid
 */
export function checkOptions(options: object, kinds: Readonly<Record<string, Kind>>, within = ""): void {
  for (const [name, [expected, isGood]] of Object.entries(kinds)) {
    const value = (options as Record<string, unknown>)[name];
    readOption(within + name, expected, () => value === undefined || isGood(value));
  }
}
