import { createHmac } from "node:crypto";
import { type Runtime, timestampOf } from "../../../ground/runtime.ts";
import type { Outbound } from "../../../outbound/outbound.ts";
import { type Channel, requireTaken } from "./channel.ts";

/**
 * Creates the channel for webhooks: a signed POST to an address that the user chose. The signature covers the time of
 * sending, which is in the body.
 */
export function createWebhookChannel({ outbound, runtime }: { outbound: Outbound; runtime: Runtime }): Channel {
  return {
    name: "WEBHOOK",
    recipient: ({ webhook }) => webhook && new URL(webhook.url).host,
    async send(notice, { webhook }, { id, signal }) {
      const { url, secret } = webhook!;
      const body = JSON.stringify({ id, sent_at: timestampOf(runtime.now()), ...notice });
      const headers = {
        "content-type": "application/json",
        "x-assay-event": notice.event,
        "x-assay-delivery": id,
        "x-assay-signature": `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`,
      };
      requireTaken(await outbound.send(url, { method: "POST", headers, body, signal }));
    },
  };
}
