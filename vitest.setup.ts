import fc from "fast-check";
import { inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** What the values of properties are drawn by. */
    seed: number;
  }
}

// Who sees a property fail sees it fail again: all runs of a commit draw the same values, and the next commit others.
fc.configureGlobal({ seed: inject("seed") });

/** A busy machine may need seconds for what takes a millisecond; `expect.poll` is told so in vitest.workspace.ts. */
const PATIENCE_MS = 20_000;

// Vitest has no setting for the second that `vi.waitFor` waits.
const { waitFor } = vi;
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { timeout: PATIENCE_MS, ...(typeof options === "number" ? { timeout: options } : options) });
