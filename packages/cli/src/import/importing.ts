import { type Client, createClient, type Experiment, isAssayError } from "@assay/client";
import { type CommandFailure, failure, reasonOf } from "../failure.ts";
import { toBatches } from "./batch.ts";
import { deliver, type Tally } from "./delivery.ts";
import { createRowReader, RowError, type RowReader } from "./event.ts";
import { createProgress } from "./progress.ts";
import { createUserCheck } from "./repeated-users.ts";
import { type Row, readRows } from "./row.ts";
import type { ImportSettings } from "./settings.ts";

/** The maximum number of invalid rows to report. */
const MAX_PROBLEMS = 5;

/** A finished import. */
export interface ImportSummary extends Tally {
  seconds: number;
}

/**
 * Imports a CSV file of exposures and outcomes. It validates the whole file first, so that nothing is sent from a file
 * with an invalid row, then sends it. Importing it again changes nothing.
 * @throws {CommandFailure} if the file or the experiment is invalid, or the server fails
 */
export async function importFile(settings: ImportSettings): Promise<ImportSummary> {
  const started = performance.now();
  const client = createClient({ baseUrl: settings.url, apiKey: settings.apiKey });
  const header = await readHeader(settings);
  const experiment = await findExperiment(client, settings);
  const total = await check(settings, createRowReader(header, settings, experiment, false));
  const reader = createRowReader(header, settings, experiment);
  const progress = createProgress(total);
  let sent = 0;
  try {
    const tally = await deliver(client, toBatches(eventsOf(settings, reader)), settings.concurrency, ({ rows }) => {
      sent = rows;
      progress.update(rows);
    });
    return { ...tally, seconds: (performance.now() - started) / 1000 };
  } catch (error) {
    if (!isAssayError(error)) throw error;
    progress.stop();
    const where = `${sent.toLocaleString("en")} of ${total.toLocaleString("en")} rows were imported`;
    throw failure(`Import stopped: ${error.message}. ${where}; run the command again, it counts no row twice`, error);
  } finally {
    progress.stop();
  }
}

/** The file, and how it is read. */
type CsvFile = Pick<ImportSettings, "file" | "delimiter">;

async function readHeader({ file, delimiter }: CsvFile): Promise<string[]> {
  for await (const { cells } of readRows(file, delimiter)) return cells;
  return [];
}

async function* dataRows({ file, delimiter }: CsvFile): AsyncGenerator<Row> {
  for await (const row of readRows(file, delimiter)) if (row.number > 1) yield row;
}

async function* eventsOf(csv: CsvFile, read: RowReader) {
  for await (const row of dataRows(csv)) {
    try {
      yield { number: row.number, events: read(row) };
    } catch (error) {
      throw error instanceof RowError
        ? failure(`${csv.file} changed during the import, row ${row.number}: ${error.message}`)
        : error;
    }
  }
}

/** Validates all rows of a file and counts them. */
async function check(csv: CsvFile, read: RowReader): Promise<number> {
  const { file } = csv;
  const problems: string[] = [];
  const checkUser = createUserCheck();
  let count = 0;
  for await (const row of dataRows(csv)) {
    count++;
    try {
      checkUser(row.number, read(row));
    } catch (error) {
      if (!(error instanceof RowError)) throw error;
      problems.push(`${file}, row ${row.number}: ${error.message}`);
      if (problems.length === MAX_PROBLEMS) break;
    }
  }
  if (problems.length > 0) throw failure([...problems, "Nothing was sent"].join("\n"));
  if (count === 0) throw failure(`${file} has no rows below its header`);
  return count;
}

async function findExperiment(client: Client, { experiment: key, url }: ImportSettings): Promise<Experiment> {
  try {
    const experiment = await client.request("GET /experiments/{experiment_id}", { params: { experiment_id: key } });
    if (experiment.status === "ACTIVE") return experiment;
    throw failure(`Experiment ${key} is ${experiment.status}; only an ACTIVE experiment accepts exposures`);
  } catch (error) {
    throw isAssayError(error) ? explain(error.status, key, url, error) : error;
  }
}

function explain(status: number, key: string, url: string, error: Error): CommandFailure {
  if (status === 404) return failure(`${url} has no experiment "${key}"`, error);
  if (status === 401) return failure(`${url} does not accept this API key`, error);
  if (status === 403) return failure("The API key needs the scopes read and write", error);
  return failure(reasonOf(error), error);
}
