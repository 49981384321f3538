import type { ProviderLogger } from "@assay/sdk";
import type { PollerParts } from "@assay/sdk/internal";

/**
 * Follows the server's announcements with code that is loaded on first use. If loading fails, changes arrive with the
 * next fetch.
 */
export function loadStreaming(logger: ProviderLogger | undefined): PollerParts<never, never>["followChanges"] {
  return async (follower, signal) => {
    try {
      const { followChanges } = await import("@assay/sdk/stream");
      followChanges(follower, signal);
    } catch (error) {
      logger?.warn("Streaming failed", error);
    }
  };
}
