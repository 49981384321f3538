import type { NotificationDelivery } from "@assay/contract";
import type { JsonValue } from "@assay/core";

/** Something that happened, in words for people and as data for machines. */
export interface Notice {
  event: NotificationDelivery["event"];
  title: string;
  text: string;
  /** Ids, keys and values; never a secret. */
  data: Record<string, JsonValue>;
  occurred_at: string;
}
