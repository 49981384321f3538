import { afterAll, expect, test } from "vitest";
import { createScratch, readSnippets } from "./recipe.fixture.ts";

const CONTRACT = "packages/contract/src/areas/notifications.ts";
const AREA = "packages/server/src/areas/notifications";

const snippets = readSnippets("A notification channel");
const scratch = createScratch();
afterAll(() => scratch.remove());

test("a channel that the recipe prints compiles and is delivered to", { timeout: 90_000 }, async () => {
  const [name, answered, sent, secrets, address, unset, needed, reached, channel, imported, created, behaviour] =
    snippets as [string, ...string[]];
  scratch.replace(CONTRACT, /^export const NOTIFICATION_CHANNELS = .*\n/m, name);
  scratch.insert(CONTRACT, answered!, "    slack_enabled: z.boolean(),");
  scratch.insert(CONTRACT, sent!, "    slack_enabled: z.boolean().optional(),");
  scratch.replace(`${AREA}/record.ts`, /^export const SEALED_FIELDS = .*\n/m, secrets!);
  scratch.insert(`${AREA}/channels/channel.ts`, address!, "  webhook: { url");
  scratch.insert(`${AREA}/preferences.ts`, unset!, "  webhook_enabled: false,");
  scratch.insert(`${AREA}/preferences.ts`, needed!, "  if (fields.webhook_enabled &&");
  scratch.insert(`${AREA}/preferences.ts`, reached!, "        webhook: fields.webhook_enabled");
  scratch.write(`${AREA}/channels/pager.ts`, channel!);
  scratch.insert(`${AREA}/channels.ts`, imported!, "import { createSlackChannel");
  scratch.replace(`${AREA}/channels.ts`, /^ {2}return \[.*\n/m, created!);
  scratch.write(`${AREA}/pager.test.ts`, behaviour!);
  await scratch.generate();
  const files = ["record", "channels/channel", "preferences", "channels", "channels/pager", "service", "pager.test"];
  expect(scratch.diagnose(CONTRACT, ...files.map((file) => `${AREA}/${file}.ts`))).toEqual([]);
  await scratch.test("server", `${AREA}/pager.test.ts`, `${AREA}/preferences.test.ts`);
});
