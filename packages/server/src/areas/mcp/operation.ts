import { parseRouteKey, pathParams, type Tool } from "@assay/contract";

type Arguments = Record<string, unknown>;

/** What a call of a tool could not be made of. */
export class BadArguments extends Error {
  override readonly name = "BadArguments";
}

/** Who asked, as the request that carried the call says: the operation is done in their name. */
const PASSED_ON = ["authorization", "x-api-key", "user-agent", "origin", "x-forwarded-for", "x-forwarded-proto"];

/**
 * The request to this API that a call of a tool stands for, with the credentials of the request that carried it.
 *
 * @param carrier the request to `/api/v1/mcp`
 * @throws BadArguments where a part of the path is missing
 */
export function toOperationRequest(tool: Tool, args: Arguments, carrier: Request): Request {
  const [method, template] = parseRouteKey(tool.key);
  const base = carrier.url.replace(/\/mcp\/?(?:[?#].*)?$/, "");
  const path = pathParams(template).reduce((text, name) => {
    const value = args[name];
    if (typeof value !== "string" && typeof value !== "number") throw new BadArguments(`"${name}" is missing`);
    // As a segment of a path, dots alone would lead to another one.
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
  // The address of the socket, where the host passes one on.
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
