import { createEventQueue, pushAll } from "@assay/sdk";

// The queue that the guide of tracking shows; its server is somebody else's, so this is type-checked only.

const queue = createEventQueue({ baseUrl: "https://flags.example.org", apiKey: process.env.SERVER_KEY ?? "" });
await pushAll(queue, readEvents());
await queue.close();

/** Any iterable, for example over the rows of a database. */
async function* readEvents() {
  yield { event_type: "purchase", user_id: "ada", value: 12.5 };
}
