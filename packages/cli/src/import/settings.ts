import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { readServerWithKey } from "../server-address.ts";

/** A metric to import: the event type and the column. */
export interface MetricColumn {
  name: string;
  column: string;
}

/** All settings of an import. */
export interface ImportSettings {
  file: string;
  /** Key or id of the experiment. */
  experiment: string;
  /** Column of the user ids. */
  user: string;
  /** Column of the arms. */
  arm: string;
  metrics: MetricColumn[];
  /** Maps values of the arm column to keys of variants. */
  arms: Map<string, string>;
  url: string;
  apiKey: string;
  /** The number of concurrent batches. */
  concurrency: number;
  /** The character between two cells. */
  delimiter: string;
}

/** The required kind of API key, for error messages. */
export const KEY_KIND = "key with the scopes read and write";

/** The event type of exposures, which is not available to metrics. */
export const EXPOSURE = "exposure";

/**
 * Reads settings from flags and environment; flags take precedence.
 * @throws {CommandFailure} naming the missing or invalid setting
 */
export async function readImportSettings(
  flags: Flags,
  environment: Record<string, string | undefined>,
): Promise<ImportSettings> {
  const required = (name: string) => {
    const value = flags.one(name);
    if (value) return value;
    throw usageFailure(`--${name} is missing`);
  };
  const [file] = flags.positionals;
  if (!file) throw usageFailure("Specify the CSV file to import");
  const settings = {
    file,
    experiment: required("experiment"),
    user: required("user"),
    arm: required("arm"),
    metrics: flags.all("metric").map((text) => toMetric(text)),
    arms: new Map(flags.all("map-arm").map((text) => toPair(text, "--map-arm", "VALUE=VARIANT"))),
    concurrency: toConcurrency(flags.one("concurrency") ?? "4"),
    delimiter: toDelimiter(flags.one("delimiter") ?? ","),
  };
  if (settings.metrics.length === 0) throw usageFailure("--metric NAME=COLUMN is missing");
  const names = settings.metrics.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  if (repeated !== undefined) throw usageFailure(`--metric ${repeated} is given twice`);
  const { url, apiKey } = await readServerWithKey(flags, environment, KEY_KIND);
  return { ...settings, url, apiKey };
}

function toMetric(text: string): MetricColumn {
  const [name, column] = toPair(text, "--metric", "NAME=COLUMN");
  if (name === EXPOSURE) throw usageFailure(`--metric cannot be named ${EXPOSURE}; every row is already an exposure`);
  return { name, column };
}

/** Splits a pair at its last `=`, so that a value of the arm column may contain one. */
function toPair(text: string, flag: string, shape: string): [string, string] {
  const at = text.lastIndexOf("=");
  if (at > 0 && at < text.length - 1) return [text.slice(0, at), text.slice(at + 1)];
  throw usageFailure(`${flag} takes ${shape}, not "${text}"`);
}

function toDelimiter(text: string): string {
  if (text === "tab" || text === "\\t") return "\t";
  if (text.length === 1 && !/["\r\n]/.test(text)) return text;
  throw usageFailure(`--delimiter must be one character or tab, not "${text}"`);
}

function toConcurrency(text: string): number {
  const number = Number(text);
  if (/^\d{1,2}$/.test(text) && number >= 1 && number <= 32) return number;
  throw usageFailure(`--concurrency must be a whole number from 1 to 32, not "${text}"`);
}
