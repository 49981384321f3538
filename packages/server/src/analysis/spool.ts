import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where some bytes are in a spool. */
export interface Spooled {
  at: number;
  length: number;
}

/** Bytes in a temporary file, for work that must not hold them in memory. */
export interface Spool {
  add(bytes: Uint8Array): Promise<Spooled>;
  read(spooled: Spooled): Promise<Uint8Array>;
  /** Closes and removes the file. */
  close(): Promise<void>;
}

/**
 * Creates an empty spool. Its file has no name where the system allows that, so that events do not outlive a process that is
 * killed.
 */
export async function openSpool(): Promise<Spool> {
  const directory = await mkdtemp(join(tmpdir(), "assay-spool-"));
  const remove = () => rm(directory, { recursive: true, force: true });
  const file = await open(join(directory, "spool"), "wx+", 0o600).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  // Windows removes a file only once it is closed.
  await remove().catch(() => {});
  let end = 0;

  return {
    async add(bytes) {
      const spooled = { at: end, length: bytes.length };
      for (let written = 0; written < bytes.length; ) {
        const { bytesWritten } = await file.write(bytes, written, bytes.length - written, end + written);
        written += bytesWritten;
      }
      end += bytes.length;
      return spooled;
    },
    async read({ at, length }) {
      const bytes = new Uint8Array(length);
      const { bytesRead } = await file.read(bytes, 0, length, at);
      if (bytesRead < length) throw new Error("The temporary file of events is too short");
      return bytes;
    },
    async close() {
      await file.close();
      await remove();
    },
  };
}
