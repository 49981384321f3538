import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type ExportFilter, startExporter } from "@assay/analysis";
import { EventsExportParameters } from "@assay/contract";
import type { Store } from "@assay/store";
import { LogChanged, readLog } from "../../../analysis/event-reader.ts";
import { invalid } from "../../../ground/errors.ts";
import { defineTask, type EtlTask, TaskFailure } from "./task.ts";

/** Location of exports. */
export interface ExportOptions {
  /** Folder on the server, created if missing. Requests cannot choose another. */
  directory: string;
}

/** Writes the events to a file in the exports directory, in a separate thread. The file gets its name once it is complete. */
export function createEventsExport(store: Store, options: ExportOptions | undefined): EtlTask {
  return defineTask<EventsExportParameters>({
    name: "events-export",
    description: "Write the events to a file of the server's exports directory, as NDJSON or Parquet",
    parameters: EventsExportParameters,
    check() {
      if (!options)
        throw invalid(["body"], "The server has no exports directory; set exports.directory", "no_directory");
    },
    async tidy(hasEnded) {
      if (!options || !existsSync(options.directory)) return;
      for (const name of await readdir(options.directory)) {
        const runId = /^events-(.+)\.(?:ndjson|parquet)\.part$/.exec(name)?.[1];
        if (runId !== undefined && (await hasEnded(runId))) await rm(join(options.directory, name), { force: true });
      }
    },
    async run({ parameters, runId, signal, log, report, addFile }) {
      const directory = options?.directory ?? "";
      const isParquet = parameters.format === "PARQUET";
      const name = `events-${runId}.${isParquet ? "parquet" : "ndjson"}`;
      const path = join(directory, name);
      const partial = `${path}.part`;
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const exporter = await startExporter();
      const stop = () => void exporter.close();
      signal.addEventListener("abort", stop, { once: true });
      try {
        await exporter.ask("open", partial, parameters.format, filterOf(parameters));
        let rows = 0;
        for await (const { part, progress } of readLog(store, signal)) {
          rows += await ("chunk" in part
            ? exporter.ask("chunk", part.chunk, part.details, part.range)
            : exporter.ask("records", part.records));
          report(rows, progress);
        }
        signal.throwIfAborted();
        const bytes = await exporter.ask("finish");
        await rename(partial, path);
        addFile({ name, rows, bytes });
        log("INFO", `Wrote ${rows} events to ${name}`);
      } catch (error) {
        if (error instanceof LogChanged) throw new TaskFailure("Events were erased while the job ran; run it again");
        // What the thread says after it was stopped is not the reason.
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener("abort", stop);
        await exporter.ask("abandon").catch(() => {});
        await exporter.close();
        await rm(partial, { force: true });
      }
    },
  });
}

function filterOf({ start_date, end_date, experiment_id }: EventsExportParameters): ExportFilter {
  return {
    from: start_date === undefined ? null : Date.parse(start_date),
    to: end_date === undefined ? null : Date.parse(end_date),
    experimentId: experiment_id ?? null,
  };
}
