import type { NotificationDelivery } from "@assay/contract";
import type { JsonValue } from "@assay/core";

/** An event, as text for people and as data for machines. */
export interface Notice {
  event: NotificationDelivery["event"];
  title: string;
  text: string;
  /** Ids, keys and values, without secrets. */
  data: Record<string, JsonValue>;
  occurred_at: string;
}
