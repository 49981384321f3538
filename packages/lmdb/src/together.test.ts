import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { RUN_TYPESCRIPT } from "../../workspace/src/typescript.fixture.ts";
import { lmdbStore } from "./lmdb-store.ts";

const CHILD = fileURLToPath(new URL("./together.child.ts", import.meta.url));
/** Before transactions checked what they build on, about one round in a thousand lost a hundred records. */
const ROUNDS = process.env.TORTURE ? 2_000 : 20;
const PROCESSES = 4;

/** Starts a process. Returns a function that lets it append to a directory, and resolves to the positions. */
function startWriter() {
  const child = fork(CHILD, { execArgv: [...RUN_TYPESCRIPT] });
  const ended = once(child, "exit").then(([code, signal]) => Promise.reject(new Error(`It ended: ${code ?? signal}`)));
  ended.catch(() => {});
  return {
    child,
    async append(path: string): Promise<number[]> {
      child.send(path);
      const [positions] = await Promise.race([once(child, "message"), ended]);
      return positions;
    },
  };
}

test(`processes that open a new directory at once lose no record and share no position, ${ROUNDS} times`, {
  timeout: 60_000 + ROUNDS * 1_000,
}, async () => {
  const writers = Array.from({ length: PROCESSES }, startWriter);
  try {
    for (let round = 0; round < ROUNDS; round++) {
      const path = await mkdtemp(join(tmpdir(), "assay-together-"));
      const store = lmdbStore({ path });
      await store.get("any");
      const positions = (await Promise.all(writers.map(({ append }) => append(path)))).flat();
      expect(positions.sort((a, b) => a - b)).toEqual(Array.from({ length: PROCESSES * 100 }, (_, at) => at + 1));
      expect(await store.head("log")).toBe(PROCESSES * 100);
      await store.close();
      await rm(path, { recursive: true });
    }
  } finally {
    for (const { child } of writers) child.kill();
  }
});
