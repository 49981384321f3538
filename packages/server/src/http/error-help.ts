/** What the page of the API says about each status of an error: what it means, and what to do. */
export const ERROR_HELP: Readonly<Record<number, string>> = {
  400: "The body is not JSON, or the change is not possible in this state. The text names both.",
  401: "Credentials are missing, of the wrong kind, invalid, expired or revoked. An application sends an API key as X-API-Key. A person signs in with POST /auth/login and sends Authorization: Bearer with the access token. The table of routes below says which of both a route takes.",
  403: "The credentials are valid, and the right or scope that the text names is missing. An ADMIN gives people roles, and creates keys with other scopes.",
  404: "Nothing has this id, key or path, or you must not see it. Keys belong to one environment, so a key of another environment finds nothing.",
  405: "The path does not support the method. The header Allow lists the supported ones.",
  409: "The change conflicts with something else, such as a name in use, or a flag that a running experiment locks. The text names it.",
  412: "Someone changed it since you read it. Read it again, and send If-Match with the new ETag.",
  413: "The body is larger than the limit of the route. Send it in parts.",
  415: "Send Content-Type: application/json, and no encoding but gzip where the route takes it.",
  422: "A field is invalid. Each entry of detail has its place in loc and the reason in msg. A misspelt name or value comes with the one that is probably meant.",
  429: "Too many requests. Wait as many seconds as Retry-After says.",
  501: "The route needs an optional package that is not installed on the server. The text names it. Install it next to @assay/server, and start the server again.",
  503: "The store is not available. Wait as many seconds as Retry-After says, and send the request again.",
};

/** Returns the `Link` of an error to its help on the page of the API; none for an unexpected error. @param base path of the server */
export function linkToHelp(status: number, base: string): Record<string, string> {
  return Object.hasOwn(ERROR_HELP, status) ? { Link: `<${base}/docs#${status}>; rel="help"` } : {};
}
