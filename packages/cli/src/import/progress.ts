import { Presets, SingleBar } from "cli-progress";

/** Shows the progress of an import. */
export interface Progress {
  update(rows: number): void;
  stop(): void;
}

const LINES = 10;

/** Creates the progress: a bar at a terminal, otherwise about ten lines. */
export function createProgress(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  if (stream.isTTY) {
    const bar = new SingleBar({ format: "{bar} {value} of {total} rows, {eta_formatted} left", stream }, Presets.rect);
    bar.start(total, 0);
    return { update: (rows) => bar.update(rows), stop: () => bar.stop() };
  }
  let shown = 0;
  return {
    update(rows) {
      const tenth = Math.floor((rows / total) * LINES);
      if (tenth <= shown) return;
      shown = tenth;
      stream.write(`${rows.toLocaleString("en")} of ${total.toLocaleString("en")} rows\n`);
    },
    stop() {},
  };
}
