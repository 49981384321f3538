import { batchOf } from "../http/cases.ts";
import { load } from "../http/load.ts";
import { startAssay } from "../http/server-process.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf } from "../measure/statistics.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";

const REQUESTS = 100;

export const experiments: Growth = {
  name: "experiments",
  title: "Experiments",
  setting: "Batches of 100 events, spread over more and more active experiments, are sent to a server in memory.",
  x: "experiments",
  y: "microseconds of CPU a batch",
  async run({ isQuick, say }): Promise<Curve[]> {
    const curves: Curve[] = [];
    for (const size of powersOfTen(1, 1_000)) {
      say(`${size} experiments`);
      const server = await startAssay("Assay", { experiments: size });
      const batch = batchOf(size);
      await load(server, batch, 3 * REQUESTS);
      const measure = async () => {
        const before = await server.cpu();
        await load(server, batch, REQUESTS);
        return ((await server.cpu()) - before) / REQUESTS;
      };
      const figures = await interleave([{ name: server.name, measure }], isQuick ? 5 : 15);
      addPoints(curves, size, new Map([[server.name, medianOf(figures.get(server.name)!)]]));
      await server.close();
    }
    return curves;
  },
};
