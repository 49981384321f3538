import { setImmediate as nextTurn } from "node:timers/promises";
import { ApiError } from "../../ground/errors.ts";
import { importOptional } from "../../ground/optional-package.ts";

const SDK = "@modelcontextprotocol/sdk";

/** Imports a part of the protocol library. @throws ApiError 501 if it is not installed */
const load = <Module>(path: string) =>
  importOptional<Module>(SDK, `${SDK}/${path}`, (message) => new ApiError(501, message));

/** Loads the types and schemas of the protocol. @throws ApiError 501 if the library is not installed */
export const loadTypes = () => load<typeof import("@modelcontextprotocol/sdk/types.js")>("types.js");

/**
 * Loads the protocol library, on the first message, because most servers never receive one. Loads it in parts and
 * yields between them: as a whole, it would block all other requests for 200 ms.
 * @throws ApiError 501 if the library is not installed
 */
export async function loadSdk() {
  const types = await loadTypes();
  await nextTurn();
  await load("shared/protocol.js");
  await nextTurn();
  await load("validation/ajv");
  await nextTurn();
  const { Server } = await load<typeof import("@modelcontextprotocol/sdk/server/index.js")>("server/index.js");
  const { WebStandardStreamableHTTPServerTransport } = await load<
    typeof import("@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js")
  >("server/webStandardStreamableHttp.js");
  return { types, Server, WebStandardStreamableHTTPServerTransport };
}
