import { type Area, contract, type McpManifest, type Tool, toTools } from "@assay/contract";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { Guard } from "../../identity/guard.ts";
import type { Caller } from "../../model/caller.ts";
import { createTurns, MAX_MESSAGES, refuseBatch } from "./batch.ts";
import { BadArguments, toOperationRequest } from "./operation.ts";
import { loadSdk, loadTypes } from "./sdk.ts";

/** A Model Context Protocol server with the API operations as tools. */
export interface McpService {
  /** A public list of the tools. */
  manifest(): Promise<z.infer<typeof McpManifest>>;
  /** Answers one message or a batch. Stateless between requests. */
  answer(request: Request, message: unknown, caller: Caller): Promise<Response>;
}

const NAME = "assay";
const VERSION = "1";
const DESCRIPTION =
  "Feature flags and experiments. The tools are the operations of the HTTP API and run with your permissions; " +
  "a response that starts with HTTP and a status is an error with its reason.";

/**
 * @param deps.allows whether a caller could use a route, so that unusable tools are not listed
 * @param deps.dispatch handles an API request like one from outside
 */
export function createMcpService(deps: {
  allows: Guard["allows"];
  dispatch: (request: Request) => Response | Promise<Response>;
}): McpService {
  let listed: ReadonlyMap<string, Tool> | undefined;

  /** The tools by name. Created with the first request, because their schemas would make every start slower. */
  function tools(): ReadonlyMap<string, Tool> {
    listed ??= new Map(toTools(contract as Area).map((tool) => [tool.name, tool]));
    return listed;
  }

  async function call(tool: Tool, args: Record<string, unknown>, carrier: Request): Promise<CallToolResult> {
    try {
      const response = await deps.dispatch(toOperationRequest(tool, args, carrier));
      const text = await response.text();
      if (!response.ok) return refuse(`HTTP ${response.status}: ${text}`);
      return { content: [{ type: "text", text: text === "" ? `HTTP ${response.status}` : text }] };
    } catch (error) {
      if (error instanceof BadArguments) return refuse(error.message);
      throw error;
    }
  }

  return {
    async manifest() {
      const { LATEST_PROTOCOL_VERSION } = await loadTypes();
      return {
        name: NAME,
        version: VERSION,
        description: DESCRIPTION,
        protocol_version: LATEST_PROTOCOL_VERSION,
        transport: { type: "streamable-http", path: "/api/v1/mcp" },
        authentication: [
          { type: "bearer", header: "Authorization", description: "Bearer and the access token of a user" },
          {
            type: "api_key",
            header: "X-API-Key",
            description: "A SERVER key with the scope read; further scopes allow more tools",
          },
        ],
        tools: [...tools().values()].map((tool) => ({
          name: tool.name,
          description: tool.description,
          route: tool.key,
          input_schema: tool.inputSchema as never,
          read_only: tool.isReadOnly,
          destructive: tool.isDestructive,
        })),
      };
    },
    async answer(request, message, caller) {
      if (Array.isArray(message) && message.length > MAX_MESSAGES) {
        return refuseBatch(`A batch has at most ${MAX_MESSAGES} messages, not ${message.length}`);
      }
      const { types, Server, WebStandardStreamableHTTPServerTransport } = await loadSdk();
      const server = new Server(
        { name: NAME, version: VERSION },
        { capabilities: { tools: {} }, instructions: DESCRIPTION },
      );
      const inTurn = createTurns((text) => new types.McpError(types.ErrorCode.InternalError, text));
      server.setRequestHandler(types.ListToolsRequestSchema, () =>
        inTurn(async () => ({
          tools: [...tools().values()]
            .filter(({ key, route }) => deps.allows(caller, key, route))
            .map(({ name, description, inputSchema, isReadOnly, isDestructive }) => ({
              name,
              description,
              inputSchema,
              annotations: { readOnlyHint: isReadOnly, destructiveHint: isDestructive },
            })),
        })),
      );
      server.setRequestHandler(types.CallToolRequestSchema, ({ params }) => {
        const tool = tools().get(params.name);
        if (!tool) throw new types.McpError(types.ErrorCode.InvalidParams, `Tool "${params.name}" does not exist`);
        return inTurn(() => call(tool, params.arguments ?? {}, request));
      });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        return await transport.handleRequest(request, { parsedBody: message });
      } finally {
        await server.close();
      }
    },
  };
}

function refuse(text: string): CallToolResult {
  return { content: [{ type: "text", text }], isError: true };
}
