/** A user with the attributes that rules ask for. */
export interface User {
  id: string;
  country: string;
  age: number;
  plan: string;
}

/** A flag: `half` is on for half of the users; `ruled` has three conditions and four variants of equal weight. */
export interface Flag {
  key: string;
  kind: "half" | "ruled";
}

/** Flags that are evaluated for one user in each call. */
export interface Scenario {
  name: string;
  flags: readonly Flag[];
  isBulk: boolean;
}

export const COUNTRIES = ["DE", "FR", "IT"];
export const MIN_AGE = 18;
export const EXCLUDED_PLAN = "free";
export const VARIANTS = ["a", "b", "c", "d"];
/** The answer to a user who does not meet the conditions. */
export const NONE = "none";

export const HALF: Scenario = {
  name: "one flag, on for 50 %",
  flags: [{ key: "half", kind: "half" }],
  isBulk: false,
};
export const RULED: Scenario = {
  name: "one flag, 3 conditions and 4 variants",
  flags: [{ key: "ruled", kind: "ruled" }],
  isBulk: false,
};
export const HUNDRED = bulk(100);
export const THOUSAND = bulk(1_000);
export const SCENARIOS = [HALF, RULED, HUNDRED, THOUSAND];

/** Returns the scenario of all of so many flags, each on for half of the users. */
export function bulk(count: number): Scenario {
  const flags = Array.from({ length: count }, (_, index) => ({ key: `flag-${index}`, kind: "half" as const }));
  return { name: `all of ${count.toLocaleString("en-GB")} flags`, flags, isBulk: true };
}

/** Returns users with ids like UUIDs. All of them meet the conditions. */
export function matchingUsers(count: number): User[] {
  return Array.from({ length: count }, (_, number) => ({ id: idOf(number), country: "FR", age: 30, plan: "pro" }));
}

/** Returns users of whom some miss each condition. */
export function mixedUsers(count: number): User[] {
  return Array.from({ length: count }, (_, number) => ({
    id: idOf(number),
    country: number % 5 === 0 ? "US" : COUNTRIES[number % 3]!,
    age: number % 7 === 0 ? MIN_AGE : 19 + (number % 50),
    plan: number % 11 === 0 ? EXCLUDED_PLAN : "pro",
  }));
}

/** Returns whether a user meets the three conditions. */
export function isTargeted({ country, age, plan }: User): boolean {
  return COUNTRIES.includes(country) && age > MIN_AGE && plan !== EXCLUDED_PLAN;
}

function idOf(number: number): string {
  const digits = Math.imul(number + 1, 0x9e3779b1) >>> 0;
  return `${digits.toString(16).padStart(8, "0")}-7c1e-4f5a-9b3d-${number.toString(16).padStart(12, "0")}`;
}
