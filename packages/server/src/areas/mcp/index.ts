import type { AreaInput } from "../../area.ts";
import { createMcpService } from "./service.ts";

export { routes } from "./routes.ts";

export const collections = () => ({});

export function create({ api }: AreaInput) {
  return { services: { mcp: createMcpService(api) } };
}
