import type { Outbound } from "../../../outbound/outbound.ts";
import { type Channel, requireTaken } from "./channel.ts";

const MAX_CHARACTERS = 3000;

/**
 * Creates the channel for incoming webhooks of Slack or a compatible service (Mattermost, Rocket.Chat, Discord's
 * `/slack`).
 */
export function createSlackChannel({ outbound }: { outbound: Outbound }): Channel {
  return {
    name: "SLACK",
    recipient: ({ slackWebhookUrl }) => slackWebhookUrl && new URL(slackWebhookUrl).host,
    async send({ title, text, event, occurred_at }, { slackWebhookUrl }, { signal }) {
      const section = `*${escaped(title)}*\n${escaped(text)}`.slice(0, MAX_CHARACTERS);
      const message = {
        text: escaped(title),
        blocks: [
          { type: "section", text: { type: "mrkdwn", text: section } },
          { type: "context", elements: [{ type: "mrkdwn", text: `${event} · ${occurred_at}` }] },
        ],
      };
      const headers = { "content-type": "application/json" };
      requireTaken(
        await outbound.send(slackWebhookUrl!, { method: "POST", headers, body: JSON.stringify(message), signal }),
      );
    },
  };
}

/** Slack parses these three characters as markup. Names must not become mentions. */
function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
