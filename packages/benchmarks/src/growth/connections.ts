import { OFREP } from "../http/cases.ts";
import type { Samples } from "../http/floor.child.ts";
import { load } from "../http/load.ts";
import { startAssay, startFloor } from "../http/server-process.ts";
import { interleave } from "../measure/interleave.ts";
import { medianOf } from "../measure/statistics.ts";
import { addPoints, type Curve, type Growth, powersOfTen } from "./growth.ts";

export const connections: Growth = {
  name: "connections",
  title: "Connections",
  setting: "One flag is evaluated over OFREP, with one request under way on each of more and more connections.",
  x: "connections",
  y: "microseconds of CPU a request",
  async run({ isQuick, say }): Promise<Curve[]> {
    const assay = await startAssay("Assay");
    const samples: Samples = { [OFREP.name]: await assay.sample(OFREP) };
    const servers = [await startFloor("node:http", "node:http", samples), assay];
    const curves: Curve[] = [];
    for (const size of powersOfTen(1, 1_000)) {
      say(`${size} connections`);
      const requests = Math.max(4 * size, 1_000);
      for (const server of servers) await load(server, OFREP, requests, size);
      const subjects = servers.map((server) => ({
        name: server.name,
        async measure() {
          const before = await server.cpu();
          await load(server, OFREP, requests, size);
          return ((await server.cpu()) - before) / requests;
        },
      }));
      const figures = await interleave(subjects, isQuick ? 3 : 9);
      addPoints(curves, size, new Map([...figures].map(([subject, rounds]) => [subject, medianOf(rounds)])));
    }
    for (const server of servers) await server.close();
    return curves;
  },
};
