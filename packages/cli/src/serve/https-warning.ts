import { isLoopback } from "./loopback.ts";
import type { ServeSettings } from "./settings.ts";

/** Returns the warning at start if keys and tokens could be sent unencrypted, otherwise undefined. */
export function httpsWarning(
  { host, requireHttps }: Pick<ServeSettings, "host" | "requireHttps">,
  environment: Record<string, string | undefined>,
): string | undefined {
  if (requireHttps || environment.NODE_ENV !== "production" || isLoopback(host)) return undefined;
  return (
    `Warning: listening on ${host} without HTTPS required. ` +
    "Put a proxy with TLS in front and set ASSAY_TRUST_PROXY and ASSAY_REQUIRE_HTTPS=on"
  );
}
