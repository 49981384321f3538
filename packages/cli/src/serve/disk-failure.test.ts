import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSmallDisk, noSmallDisk, type SmallDisk } from "../../../lmdb/src/small-disk.fixture.ts";
import { type Serving, serve, stopAll } from "../cli.fixture.ts";
import { createWitness, missing } from "./disk-failure.fixture.ts";
import { createFailingDisk, type DiskFailure, noFailingDisk } from "./failing-disk.fixture.ts";

let directory: string;
let disk: SmallDisk | undefined;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "assay-disk-failure-"));
});
afterEach(async () => {
  await stopAll();
  disk?.remove();
  disk = undefined;
  rmSync(directory, { recursive: true });
});

const REFUSED = { flag: 503, event: 503, retryAfter: "5" };
const TAKEN = { flag: 201, event: 201, retryAfter: null };

async function stop({ child, exit, output }: Serving): Promise<void> {
  child.kill("SIGTERM");
  expect([await exit, output()]).toEqual([0, expect.not.stringMatching(/Unexpected error|unhandled/i)]);
}

test.skipIf(noSmallDisk).each([
  ["lmdb", "LMDB could not commit: No space left on device"],
  ["fs", "The storage could not write: No space left on device"],
])(
  "on a full disk, serve with %s keeps evaluating, reports why, and writes again once there is space",
  async (kind, reason) => {
    disk = createSmallDisk(16 * 2 ** 20);
    const place = ["--data", directory, "--storage", `${kind}:${join(disk.path, "data")}`];
    const server = await serve(place);
    const witness = await createWitness(server);
    for (let round = 0; round < 2; round++) {
      expect(await witness.write()).toEqual(TAKEN);
      disk.fill();
      // The rest of a page or of the file has room for a few more writes.
      await expect.poll(() => witness.write("x".repeat(5_000))).toEqual(REFUSED);
      await expect.poll(witness.readyz).toEqual({ status: 503, reason });
      expect(await witness.evaluate()).toBe(true);
      // Jobs, probes, leases and the audit trail write every second.
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect([server.child.exitCode, await witness.evaluate(), await witness.write("x".repeat(5_000))]).toEqual([
        null,
        true,
        REFUSED,
      ]);
      disk.free();
      await expect.poll(witness.readyz).toEqual({ status: 200, reason: undefined });
    }
    expect(await witness.write()).toEqual(TAKEN);
    await stop(server);
    const again = await serve(place);
    expect(await missing(again, witness)).toEqual([]);
  },
  180_000,
);

test.skipIf(noSmallDisk)(
  "serve starts on a full disk and evaluates the stored flags",
  async () => {
    disk = createSmallDisk(16 * 2 ** 20);
    const place = ["--data", join(disk.path, "data")];
    const first = await serve(place);
    const witness = await createWitness(first);
    first.child.kill("SIGKILL");
    await first.exit;
    disk.fill();
    const second = await serve(place);
    const witnessed = await createWitness(second, witness);
    expect(await witnessed.evaluate()).toBe(true);
    await expect.poll(() => witnessed.write("x".repeat(5_000))).toEqual(REFUSED);
    disk.free();
    await expect.poll(witnessed.readyz).toEqual({ status: 200, reason: undefined });
    expect(await missing(second, witnessed)).toEqual([]);
  },
  120_000,
);

test.skipIf(noFailingDisk).each<[DiskFailure]>([["write"], ["sync"], ["head"]])(
  "serve survives I/O errors at each %s, and writes again after them",
  async (failure) => {
    const failing = createFailingDisk(directory, join(realpathSync(directory), "data"));
    const place = ["--data", join(directory, "data")];
    const server = await serve(place, failing.environment);
    const witness = await createWitness(server);
    for (let round = 0; round < 2; round++) {
      expect(await witness.write()).toEqual(TAKEN);
      failing.fail(failure);
      for (let again = 0; again < 3; again++) expect(await witness.write()).toEqual(REFUSED);
      expect(await witness.readyz()).toEqual({ status: 503, reason: "LMDB could not commit: I/O error" });
      await new Promise((resolve) => setTimeout(resolve, 2_500));
      expect([server.child.exitCode, await witness.evaluate()]).toEqual([null, true]);
      failing.mend();
      await expect.poll(witness.readyz).toEqual({ status: 200, reason: undefined });
    }
    expect(await witness.write()).toEqual(TAKEN);
    failing.fail(failure);
    expect(await witness.write()).toEqual(REFUSED);
    server.child.kill("SIGKILL");
    await server.exit;
    const again = await serve(place);
    expect(await missing(again, witness)).toEqual([]);
  },
  180_000,
);
