import { Agent, get, type IncomingMessage } from "node:http";
import { createClient } from "@assay/client";
import { ADMIN, FLAG } from "../http/cases.ts";
import { type ServerProcess, startAssay } from "../http/server-process.ts";
import { medianOf } from "../measure/statistics.ts";
import { addPoints, type Curve, type Growth } from "./growth.ts";

const SIZES = [1, 10, 100, 1_000, 5_000];

/** Readers of the stream of changes. */
interface Readers {
  /** Resolves once each reader has been told something more. */
  next(): Promise<void>;
  close(): void;
}

async function openReaders({ port, headers }: ServerProcess, count: number): Promise<Readers> {
  const agent = new Agent({ maxSockets: count });
  const path = "/api/v1/openfeature/stream";
  let waiting = new Set<number>();
  let done = () => {};
  const open = (number: number) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get({ agent, host: "127.0.0.1", port, path, headers }, (answer) => {
        if (answer.statusCode !== 200) return reject(new Error(`The stream was answered with ${answer.statusCode}`));
        answer.on("data", (chunk: Buffer) => {
          if (!chunk.includes("data:")) return;
          waiting.delete(number);
          if (waiting.size === 0) done();
        });
        // The server closes streams at the end, and agents their sockets.
        answer.on("error", () => {});
        resolve(answer);
      }).on("error", reject);
    });
  const next = () =>
    new Promise<void>((resolve) => {
      waiting = new Set(Array.from({ length: count }, (_, number) => number));
      done = resolve;
    });
  const answers: IncomingMessage[] = [];
  for (let number = 0; number < count; number++) answers.push(await open(number));
  return {
    next,
    close() {
      for (const answer of answers) answer.destroy();
      agent.destroy();
    },
  };
}

export const readers: Growth = {
  name: "readers",
  title: "Readers of the stream",
  setting:
    "A flag is changed while more and more clients read the stream of changes: the time from the request until the last of them has been told.",
  x: "readers",
  y: "milliseconds",
  async run({ isQuick, say }): Promise<Curve[]> {
    const server = await startAssay("Assay");
    const admin = createClient({ baseUrl: `http://127.0.0.1:${server.port}`, ...ADMIN });
    let percentage = 0;
    const change = async () => {
      percentage = (percentage + 1) % 100;
      const body = { rollout_percentage: percentage };
      await admin.request("PUT /feature-flags/{id}", { params: { id: FLAG }, body });
    };
    await change();
    const curves: Curve[] = [];
    for (const size of SIZES) {
      say(`${size} readers`);
      const open = await openReaders(server, size);
      const greeted = open.next();
      await change();
      await greeted;
      const times: number[] = [];
      for (let round = 0; round < (isQuick ? 5 : 15); round++) {
        const start = performance.now();
        const told = open.next();
        await change();
        await told;
        times.push(performance.now() - start);
      }
      open.close();
      addPoints(curves, size, new Map([["Assay", medianOf(times)]]));
    }
    await server.close();
    return curves;
  },
};
