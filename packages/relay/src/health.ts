import type { EventBuffer } from "./buffer/buffer.ts";
import type { Delivery } from "./buffer/delivery.ts";
import type { Streams } from "./stream.ts";
import type { View } from "./view.ts";

export interface HealthDeps {
  server: View;
  client: View | undefined;
  streams: Streams;
  buffer: EventBuffer;
  delivery: Delivery;
  now: () => number;
}

/** What `/readyz` reports. It contains no addresses, because everyone may read it. */
export function healthOf({ server, client, streams, buffer, delivery, now }: HealthDeps) {
  const secondsSince = (time: number | null) => (time === null ? null : Math.max(0, Math.round((now() - time) / 1000)));
  const programOf = ({ version, confirmedAt }: View) => ({
    version,
    /** Seconds since the upstream last confirmed it; null if it has not since the start. */
    age_seconds: secondsSince(confirmedAt),
  });
  const { oldestAt, isBroken, ...events } = buffer.status;
  return {
    status: "ready",
    upstream: { reachable: server.failure === null, failed_with: server.failure },
    program: programOf(server),
    client_program: client ? programOf(client) : null,
    events: {
      ...events,
      /** The age of the oldest event that the upstream does not have. */
      lag_seconds: secondsSince(oldestAt) ?? 0,
      rejected: delivery.rejected,
      writable: !isBroken,
    },
    streams: streams.count,
  };
}
