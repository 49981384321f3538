import type { Emit } from "./provider.ts";
import type { ErrorCodes } from "./resolution.ts";
import { createTimer } from "./timer.ts";

/** Options of a provider that fetches its flags. */
export interface OutageOptions {
  /**
   * Milliseconds of an outage after which the provider emits PROVIDER_ERROR, after its PROVIDER_STALE: its status is
   * then ERROR instead of STALE. It still evaluates flags, and is READY once the server responds.
   * @default never
   */
  errorAfterMs?: number;
}

/**
 * Makes a long outage an error: emits `Error` some time after `Stale`, unless `Ready` comes first. The error is not
 * fatal, because the SDK would no longer ask the provider.
 */
export function withErrorAfter<Code>(
  emit: Emit<Code>,
  { errorAfterMs }: OutageOptions,
  codes: Pick<ErrorCodes<Code>, "GENERAL">,
): { emit: Emit<Code>; close(): void } {
  const timer = createTimer();
  return {
    emit(event, details) {
      emit(event, details);
      if (event === "Ready") timer.clear();
      if (event === "Stale" && errorAfterMs !== undefined) {
        timer.set(errorAfterMs, () => emit("Error", { ...details, errorCode: codes.GENERAL }));
      }
    },
    close: timer.clear,
  };
}
