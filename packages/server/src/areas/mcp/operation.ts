import { parseRouteKey, pathParams, type Tool } from "@assay/contract";

type Arguments = Record<string, unknown>;

/** Arguments that do not form a request. */
export class BadArguments extends Error {
  override readonly name = "BadArguments";
}

/** Headers copied from the carrying request: the operation runs on behalf of its caller. */
const PASSED_ON = ["authorization", "x-api-key", "user-agent", "origin", "x-forwarded-for", "x-forwarded-proto"];

/**
 * Returns the API request for a tool call, with the credentials of the request that carries the call.
 *
 * @param carrier the request to `/api/v1/mcp`
 * @throws BadArguments if a path parameter is missing
 */
export function toOperationRequest(tool: Tool, args: Arguments, carrier: Request): Request {
  const [method, template] = parseRouteKey(tool.key);
  const base = carrier.url.replace(/\/mcp\/?(?:[?#].*)?$/, "");
  const path = pathParams(template).reduce((text, name) => {
    const value = args[name];
    if (typeof value !== "string" && typeof value !== "number") throw new BadArguments(`"${name}" is missing`);
    // A path segment of dots would lead to another path.
    if (/^\.{0,2}$/.test(String(value))) throw new BadArguments(`"${name}" must not be "${value}"`);
    return text.replace(`{${name}}`, encodeURIComponent(value));
  }, template);
  const headers = new Headers({ "content-type": "application/json" });
  for (const name of PASSED_ON) {
    const value = carrier.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const request = new Request(`${base}${path}${toSearch(tool, args)}`, {
    method,
    headers,
    ...(tool.route.body && args.body !== undefined ? { body: JSON.stringify(args.body) } : {}),
  });
  // The address of the socket, if the host passes it.
  const { ip } = carrier as Request & { ip?: string };
  return ip === undefined ? request : Object.defineProperty(request, "ip", { value: ip });
}

function toSearch({ route }: Tool, args: Arguments): string {
  const search = new URLSearchParams();
  for (const name of Object.keys(route.query?.shape ?? {})) {
    const value = args[name];
    if (value !== undefined && value !== null) {
      search.set(name, typeof value === "object" ? JSON.stringify(value) : String(value));
    }
  }
  return search.size > 0 ? `?${search}` : "";
}
