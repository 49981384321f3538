import type { Runtime } from "../../ground/runtime.ts";
import type { Mailer } from "../../mail/mailer.ts";
import type { Outbound } from "../../outbound/outbound.ts";
import type { Channel } from "./channels/channel.ts";
import { createEmailChannel } from "./channels/email.ts";
import { createSlackChannel } from "./channels/slack.ts";
import { createWebhookChannel } from "./channels/webhook.ts";

/** Creates every channel. */
export function createChannels(deps: { mailer: Mailer; outbound: Outbound; runtime: Runtime }): Channel[] {
  return [createEmailChannel(deps), createSlackChannel(deps), createWebhookChannel(deps)];
}
