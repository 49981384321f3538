import { setImmediate as nextTurn } from "node:timers/promises";

/**
 * Loads the protocol library, on the first message, because most servers never receive one. Loads it in parts and
 * yields between them: as a whole, it would block all other requests for 200 ms.
 */
export async function loadSdk() {
  const types = await import("@modelcontextprotocol/sdk/types.js");
  await nextTurn();
  await import("@modelcontextprotocol/sdk/shared/protocol.js");
  await nextTurn();
  await import("@modelcontextprotocol/sdk/validation/ajv");
  await nextTurn();
  const { Server } = await import("@modelcontextprotocol/sdk/server/index.js");
  const { WebStandardStreamableHTTPServerTransport } = await import(
    "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js"
  );
  return { types, Server, WebStandardStreamableHTTPServerTransport };
}
