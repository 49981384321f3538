import { stat } from "node:fs/promises";
import { configFile, readProfiles } from "../configuration.ts";
import { reasonOf } from "../failure.ts";
import { engines } from "../manifest.ts";
import type { Finding } from "./command.ts";

/** Compares the version of Node with `engines`: alternatives such as `^20.19.0` and `>=24.0.0`. */
export function checkNode(version: string): Finding {
  const ok = engines.node.split("||").some((range) => isWithin(version, range.trim()));
  const advice = ok ? null : `Install Node ${engines.node}`;
  return { check: "Node", ok, detail: version, advice };
}

function isWithin(version: string, range: string): boolean {
  const [, operator, ...minimum] = /^(\^|>=)(\d+)\.(\d+)\.(\d+)$/.exec(range)!;
  const [actual, least] = [version.split("."), minimum].map((parts) => parts.map((part) => Number.parseInt(part, 10)));
  if (operator === "^" && actual![0] !== least![0]) return false;
  const different = [0, 1, 2].find((part) => actual![part] !== least![part]);
  return different === undefined || actual![different]! > least![different]!;
}

/** Checks that the configuration can be read, and only by its owner. */
export async function checkConfiguration(environment: Record<string, string | undefined>): Promise<Finding> {
  const [check, file] = ["Configuration", configFile(environment)];
  try {
    const { current, profiles } = await readProfiles(environment);
    const mode = await stat(file).then(
      (found) => found.mode & 0o777,
      () => undefined,
    );
    if (mode === undefined) return { check, ok: true, detail: `none (${file})`, advice: null };
    if (process.platform !== "win32" && (mode & 0o077) !== 0)
      return { check, ok: false, detail: `other users can read ${file}`, advice: `Run: chmod 600 ${file}` };
    const count = Object.keys(profiles).length;
    return {
      check,
      ok: true,
      detail: `${count} ${count === 1 ? "profile" : "profiles"}, current: ${current ?? "none"}`,
      advice: null,
    };
  } catch (error) {
    return { check, ok: false, detail: reasonOf(error), advice: "Correct the file, or delete it and run: assay init" };
  }
}
