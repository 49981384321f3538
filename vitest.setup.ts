import { vi } from "vitest";

/** A busy machine may need seconds for what takes a millisecond; `expect.poll` is told so in vitest.workspace.ts. */
const PATIENCE_MS = 20_000;

// Vitest has no setting for the second that `vi.waitFor` waits.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) });
