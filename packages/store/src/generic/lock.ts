import { randomUUID } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { StoreRefused, StoreUnavailable } from "../store.ts";
import type { Items } from "./items.ts";

const LOCK = "lock";
const START = "lock ";
const BEAT_MS = 2_000;
/** A holder elsewhere is dead if it has not renewed its lock for this long. */
const SILENCE_MS = 3 * BEAT_MS;
/** A lock whose last renewal is this old needs no watching, however wrong the clocks are. */
const LONG_DEAD_MS = 600_000;

const ADVICE =
  "Several instances at once need a store made for it, such as lmdbStore() of @assay/lmdb for processes on one machine; otherwise close the other instance first";

/** The exclusive right to write. */
export interface Lock {
  /** @throws {StoreUnavailable} if another instance has taken over */
  assertHeld(): void;
  release(): Promise<void>;
}

interface Holder {
  instance: string;
  /** The machine and its process namespace. Process ids are only valid within it. */
  host: string;
  pid: number;
  /** The start time of that process, as its system counts; null if unknown. */
  started: string | null;
  beat: number;
}

/** The instances of this thread. */
const live = new Set<string>();

/**
 * Takes the lock of a storage. A holder that is dead (its process on this host is gone) loses it at once. A holder that
 * cannot be checked (another host, another thread) loses it if it does not renew while it is watched.
 * @throws {StoreRefused} if the holder is alive
 */
export async function takeLock(items: Items): Promise<Lock> {
  const holder = await readHolder(items);
  if (holder && (await isAlive(items, holder))) {
    throw new StoreRefused(`This storage is in use by process ${holder.pid} on ${holder.host}. ${ADVICE}`);
  }
  const instance = randomUUID();
  const beat = () => {
    const self: Holder = {
      instance,
      host: thisHost(),
      pid: process.pid,
      started: startOf(process.pid),
      beat: Date.now(),
    };
    return items.write(LOCK, START + JSON.stringify(self));
  };
  let lost = false;
  await beat();
  // If two take it at once, the last writer has it.
  await new Promise((resolve) => setTimeout(resolve, 5));
  const now = await readHolder(items);
  if (now?.instance !== instance) {
    throw new StoreRefused(
      now
        ? `Another instance opened this storage at the same time. ${ADVICE}`
        : "This storage does not keep what is written to it (is it read-only, or eventually consistent?). Use lmdbStore() of @assay/lmdb instead",
    );
  }
  if (!(await items.ids()).includes(LOCK)) {
    await items.remove(LOCK);
    throw new StoreRefused(
      "This storage does not list the keys that it holds (unstorage's fs driver does not below node_modules). Use another place, or lmdbStore() of @assay/lmdb",
    );
  }
  live.add(instance);
  const timer = setInterval(async () => {
    try {
      const current = await readHolder(items);
      if (current && current.instance !== instance) lost = true;
      else await beat();
    } catch {
      // Callers learn from their own requests that the storage is unreachable.
    }
    if (lost) clearInterval(timer);
  }, BEAT_MS);
  timer.unref();
  return {
    assertHeld() {
      if (lost) throw new StoreUnavailable("Another instance has taken this storage over");
    },
    async release() {
      clearInterval(timer);
      live.delete(instance);
      if ((await readHolder(items))?.instance === instance) await items.remove(LOCK);
    },
  };
}

async function readHolder(items: Items): Promise<Holder | null> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const text = await items.read(LOCK);
    if (text === null) return null;
    try {
      const holder: Holder = JSON.parse(text.slice(START.length));
      return holder;
    } catch {
      // Another instance may be writing the lock now. One that died while writing leaves it in this state.
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
  return null;
}

async function isAlive(items: Items, holder: Holder): Promise<boolean> {
  if (live.has(holder.instance)) return true;
  if (holder.host === thisHost()) {
    if (!exists(holder.pid)) return false;
    const started = startOf(holder.pid);
    if (started !== null && started !== holder.started) return false;
    if (started !== null && holder.pid !== process.pid) return true;
  } else if (Date.now() - holder.beat > LONG_DEAD_MS) return false;
  for (const end = Date.now() + SILENCE_MS; Date.now() < end; ) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    const current = await readHolder(items);
    if (current === null) return false;
    if (current.instance !== holder.instance || current.beat !== holder.beat) return true;
  }
  return false;
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // An EPERM for a signal proves that the process exists.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function thisHost(): string {
  try {
    return `${hostname()} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return hostname();
  }
}

/** Returns the start of a process in clock ticks since the boot, on systems with `/proc`; null on others. */
function startOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The name of the program, in parentheses, may contain spaces. The start is the 22nd field.
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? null;
  } catch {
    return null;
  }
}
