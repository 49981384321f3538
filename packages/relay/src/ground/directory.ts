import { mkdir, open, readFile, rename, stat, unlink, utimes, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";

/** The directory of a relay, which no other running relay of this machine uses. */
export interface Directory {
  path: string;
  /** Returns the text of a file; undefined if there is none. */
  read(name: string): Promise<string | undefined>;
  /** Replaces a file, so that it is never half written, and waits until it is on the disk. */
  replace(name: string, text: string): Promise<void>;
  release(): Promise<void>;
}

const LOCK = "relay.pid";
/** How often the holder of a directory says so. */
const SIGN_MS = 5_000;
/** After this time without a sign, the process with the holder's id is another one, for example after a reboot. */
const SILENCE_MS = 20_000;

const heldHere = new Set<string>();

/**
 * Creates the directory if necessary, and takes it.
 * @throws Error if another relay holds it, or if it is not writable
 */
export async function takeDirectory(given: string): Promise<Directory> {
  const path = resolve(given);
  const lock = join(path, LOCK);
  await mkdir(path, { recursive: true, mode: 0o700 });
  if (heldHere.has(path) || (await isHeld(lock))) throw new Error(`The directory ${path} is in use by another relay`);
  await writeFile(lock, String(process.pid), { mode: 0o600 });
  heldHere.add(path);
  const signs = setInterval(() => void utimes(lock, new Date(), new Date()).catch(() => {}), SIGN_MS).unref();
  return {
    path,
    async read(name) {
      try {
        return await readFile(join(path, name), "utf8");
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    async replace(name, text) {
      const beside = join(path, `${name}.new`);
      const file = await open(beside, "w", 0o600);
      try {
        await file.writeFile(text);
        await file.datasync();
      } finally {
        await file.close();
      }
      await rename(beside, join(path, name));
    },
    async release() {
      clearInterval(signs);
      heldHere.delete(path);
      await unlink(lock).catch(() => {});
    },
  };
}

async function isHeld(lock: string): Promise<boolean> {
  try {
    const [text, { mtimeMs }] = await Promise.all([readFile(lock, "utf8"), stat(lock)]);
    return Date.now() - mtimeMs < SILENCE_MS && isRunning(Number(text));
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Whether another process has this id. Containers often give each process the same one. */
function isRunning(pid: number): boolean {
  if (!(pid > 0) || pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}

/** Waits until the entries of a directory are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
