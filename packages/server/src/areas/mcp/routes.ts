import type { mcp } from "@assay/contract";
import { defineHandlers } from "../../http/handler.ts";

export const routes = defineHandlers<typeof mcp>({
  "GET /mcp/manifest": ({ services }) => services.mcp.manifest(),
  "POST /mcp": ({ request, body, caller, services }) => services.mcp.answer(request, body, caller),
});
