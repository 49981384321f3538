import { createRelay, type Relay } from "@assay/relay";
import { type ArgsDef, type CommandDef, defineCommand } from "citty";
import { failure, reasonOf, usageFailure } from "../failure.ts";
import { readFlags } from "../flags.ts";
import { listen } from "../serve/listener.ts";
import { stopSignal } from "../serve/stop-signal.ts";
import { type RelaySettings, readRelaySettings } from "./settings.ts";

const args: ArgsDef = {
  upstream: { type: "string", valueHint: "url", description: "Address of the server (ASSAY_UPSTREAM)" },
  "api-key": {
    type: "string",
    valueHint: "key",
    description: "A SERVER key with the scopes read and write (ASSAY_API_KEY)",
  },
  "client-key": {
    type: "string",
    valueHint: "key",
    description: "A CLIENT key with the scope read, to evaluate flags for CLIENT keys (ASSAY_CLIENT_KEY)",
  },
  port: { type: "string", description: "Port, 0 for a free one (ASSAY_PORT, default 4400)" },
  host: { type: "string", description: "Address to listen on (ASSAY_HOST, default 127.0.0.1)" },
  data: {
    type: "string",
    valueHint: "dir",
    description: "Directory of the last definitions and of events (ASSAY_DATA, default ./relay-data)",
  },
  "buffer-mb": {
    type: "string",
    valueHint: "megabytes",
    description: "Maximum size of the events on disk (ASSAY_BUFFER_MB, default 1024)",
  },
};

/** `assay relay`: serves what a server serves to clients, until it is stopped. */
export const relay: CommandDef = defineCommand({
  meta: { name: "relay", description: "Serve flags, streams and events for a server elsewhere" },
  args,
  async run({ rawArgs }) {
    const settings = readRelaySettings(readFlags(rawArgs, args), process.env);
    const stopped = stopSignal();
    const listener = await listen(settings.port, settings.host, settings);
    const running = open(settings);
    try {
      await running.ready;
    } catch (error) {
      throw failure(`Cannot start: ${reasonOf(error)}`, error);
    }
    listener.answerWith(running.node);
    console.log(
      `Assay's relay is ready at ${listener.url} (upstream: ${settings.upstream}, data: ${settings.directory})`,
    );
    await stopped;
    console.log("Assay's relay is stopping");
    running.endStreams();
    await listener.drain(settings.drainSeconds * 1000);
    await running.close();
  },
});

function open({ corsOrigins, ...settings }: RelaySettings): Relay {
  const { upstream, apiKey, clientKey, directory, maxBufferBytes } = settings;
  const cors = corsOrigins.length > 0 ? { origins: corsOrigins } : undefined;
  const logger = { warn: (message: string) => console.warn(message) };
  try {
    return createRelay({ upstream, apiKey, clientKey, directory, maxBufferBytes, cors, logger });
  } catch (error) {
    throw usageFailure(reasonOf(error));
  }
}
