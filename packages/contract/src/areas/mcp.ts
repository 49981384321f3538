import * as z from "zod";
import { oneOrMore } from "../shared/choice.ts";
import { Json, JsonObject } from "../shared/fields.ts";
import { defineArea } from "../shared/route.ts";

/** One operation of this API as a tool of the Model Context Protocol. */
export const McpTool = z
  .object({
    name: z.string(),
    description: z.string(),
    route: z
      .string()
      .meta({ description: "The route of this API that the tool calls", examples: ["GET /feature-flags/{id}"] }),
    input_schema: JsonObject,
    read_only: z.boolean(),
    destructive: z.boolean(),
  })
  .meta({ id: "McpTool" });

export const McpManifest = z
  .object({
    name: z.string(),
    version: z.string(),
    description: z.string(),
    protocol_version: z.string(),
    transport: z.object({ type: z.literal("streamable-http"), path: z.string() }),
    authentication: z.array(z.object({ type: z.string(), header: z.string(), description: z.string() })),
    tools: z.array(McpTool),
  })
  .meta({ id: "McpManifest" });

/** A JSON-RPC message, or several. The protocol's own error states the maximum. */
const RpcBody = oneOrMore(JsonObject, z.array(Json).min(1));

export const mcp = defineArea({
  "GET /mcp/manifest": {
    operationId: "mcp.manifest",
    summary: "Describe the MCP server: its address, authentication and tools",
    auth: "public",
    limit: "api",
    response: McpManifest,
  },
  "POST /mcp": {
    operationId: "mcp.call",
    summary: "Call the MCP server (Model Context Protocol, streamable HTTP); tools have the rights of the caller",
    auth: { user: true, key: "read" },
    limit: "api",
    body: RpcBody,
    response: JsonObject,
    produces: ["application/json"],
  },
});
