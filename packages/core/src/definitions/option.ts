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

const isText = (value: unknown) => typeof value === "string";

/** Kinds of options, by what is said of one that is of another. */
const KINDS = {
  "a string": isText,
  "a function": (value: unknown) => typeof value === "function",
  "true or false": (value: unknown) => typeof value === "boolean",
  "a number of ms": (value: unknown) => typeof value === "number" && value >= 0,
  "a whole number above 0": (value: unknown) => Number.isInteger(value) && Number(value) > 0,
  "a list of names": (value: unknown) => Array.isArray(value) && value.every(isText),
};

/**
 * Checks options, where they are given.
 * @param kinds names of options by what they have to be: `{ "a function": ["fetch"] }`
 * @param within what goes before their names where they are parts of another option
 * @throws OptionError where one is not of its kind.
 */
export function requireKinds(
  options: object,
  kinds: { [Kind in keyof typeof KINDS]?: readonly string[] },
  within = "",
): void {
  for (const [name, value] of Object.entries(options)) {
    for (const [kind, isGood] of Object.entries(KINDS)) {
      const isMeant = kinds[kind as keyof typeof KINDS]?.includes(name);
      requireOption(!isMeant || value === undefined || isGood(value), within + name, kind);
    }
  }
}

/** Checks an option that is one of a few words, if it is given. @throws OptionError where it is none of them */
export function requireOneOf(options: object, name: string, ...words: string[]): void {
  const value = (options as Record<string, unknown>)[name];
  requireOption([undefined, ...words].includes(value as string), name, words.join(" or "));
}

/** Checks a number of milliseconds. @throws OptionError where it is none, or negative */
export function requireDuration(value: unknown, option: string): void {
  requireKinds({ [option]: value }, { "a number of ms": [option] });
}
