import { noCounterpart } from "./no-counterpart.ts";

/** The keys of flags, variants and experiments that the API accepts. */
const KEY = /^(?!__proto__$)[A-Za-z0-9_][A-Za-z0-9._-]{0,254}$/;

/** Returns a key that applications use, which therefore cannot change. @throws {NoCounterpart} if Assay refuses it */
export function requireKey(key: string): string {
  return KEY.test(key)
    ? key
    : noCounterpart(`Assay accepts no key ${JSON.stringify(key)}: keys are 1 to 255 of A-Z a-z 0-9 . _ -`);
}

/** Returns whether a text can be a key. */
export function isKey(text: string): boolean {
  return KEY.test(text);
}

/** Returns the name of an attribute. @throws {NoCounterpart} for the names that Assay gives to the user id */
export function requireAttribute(name: string): string {
  if (name === "user_id" || name === "targetingKey" || name === "user_segments")
    return noCounterpart(`Assay has its own meaning for the attribute ${name}`);
  return name === "" || name.length > 255
    ? noCounterpart(`Assay accepts no attribute named ${JSON.stringify(name)}`)
    : name;
}
