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

/** What `read` makes of an option. @throws OptionError where it throws */
export function readOption<T>(option: string, expected: string, read: () => T): T {
  try {
    return read();
  } catch {
    throw new OptionError(option, expected);
  }
}

/** Checks a number of milliseconds. @throws OptionError where it is none, or negative */
export function requireDuration(value: unknown, option: string): void {
  requireOption(typeof value === "number" && value >= 0, option, "a number of ms");
}

/** Checks how many of something there are to be. @throws OptionError where it is not a whole number, or below 1 */
export function requireCount(value: unknown, option: string): void {
  requireOption(Number.isInteger(value) && Number(value) > 0, option, "a whole number above 0");
}
