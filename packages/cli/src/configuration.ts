import { chmod, mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { failure, reasonOf, usageFailure } from "./failure.ts";

type Environment = Record<string, string | undefined>;

/** A server that commands talk to, and what they show it. */
export interface Profile {
  url: string;
  api_key?: string;
  /** The user for commands that need one. The password is in ASSAY_PASSWORD. */
  username?: string;
  /** The environment for requests of the user. The API key belongs to one. */
  environment?: string;
}

/** The configuration of a user: profiles by name. */
export interface Profiles {
  current: string | null;
  profiles: Record<string, Profile>;
}

const NAME = /^[\w.-]{1,50}$/;

/** Returns the file of the configuration: ASSAY_CONFIG, or else `assay/config.json` in the user's configuration folder. */
export function configFile({ ASSAY_CONFIG, XDG_CONFIG_HOME }: Environment): string {
  return ASSAY_CONFIG || join(XDG_CONFIG_HOME || join(homedir(), ".config"), "assay", "config.json");
}

/** Reads the configuration; an absent one is empty. @throws {CommandFailure} if it is not valid */
export async function readProfiles(environment: Environment): Promise<Profiles> {
  const file = configFile(environment);
  try {
    const { current, profiles } = JSON.parse(await readFile(file, "utf8")) as Partial<Profiles>;
    const isValid = Object.values(profiles ?? {}).every((profile) => typeof profile?.url === "string");
    if (!profiles || !isValid) throw new Error("it has no profiles with a url");
    return { current: current ?? null, profiles };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { current: null, profiles: {} };
    throw failure(`Cannot read the configuration ${file}: ${reasonOf(error)}`, error);
  }
}

/** Writes the configuration as a whole, for its owner only. @throws {CommandFailure} if it cannot be written */
export async function writeProfiles(profiles: Profiles, environment: Environment): Promise<void> {
  const file = configFile(environment);
  const part = `${file}.${process.pid}.part`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeFile(part, `${JSON.stringify(profiles, null, 2)}\n`, { mode: 0o600 });
    await chmod(part, 0o600);
    await rename(part, file);
  } catch (error) {
    throw failure(`Cannot write the configuration ${file}: ${reasonOf(error)}`, error);
  }
}

/**
 * Returns the named profile, or else the current one; undefined if there is no current one.
 * @throws {CommandFailure} if there is no profile of this name
 */
export async function findProfile(name: string | undefined, environment: Environment): Promise<Profile | undefined> {
  const { current, profiles } = await readProfiles(environment);
  const wanted = name ?? current;
  if (wanted === null) return undefined;
  if (Object.hasOwn(profiles, wanted)) return profiles[wanted];
  const known = Object.keys(profiles).join(", ") || "none";
  throw usageFailure(`There is no profile "${wanted}"; profiles: ${known} (assay init --profile ${wanted})`);
}

/** @throws {CommandFailure} unless it can name a profile */
export function requireProfileName(name: string): string {
  if (NAME.test(name)) return name;
  throw usageFailure(`A profile's name has 1 to 50 letters, digits and . _ -, not "${name}"`);
}
