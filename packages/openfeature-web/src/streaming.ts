import type { ProviderLogger } from "@assay/sdk";
import type { SourceParts } from "@assay/sdk/internal";

/**
 * Follows the server's announcements by code that is loaded once there is something to follow them with; where it cannot
 * be had, changes come with the next fetch.
 */
export function loadStreaming(logger: ProviderLogger | undefined): SourceParts<never, never>["followChanges"] {
  return async (follower, signal) => {
    try {
      const { followChanges } = await import("@assay/sdk/stream");
      followChanges(follower, signal);
    } catch (error) {
      logger?.warn("Streaming failed", error);
    }
  };
}
