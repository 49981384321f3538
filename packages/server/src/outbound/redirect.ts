import type { Answer, Message } from "./exchange.ts";
import { OutboundError } from "./outbound-error.ts";

/** Headers kept on a redirect to another origin. They do not identify the caller. */
const HARMLESS = ["accept", "accept-language", "user-agent"];

/**
 * Parses a user-provided URL.
 * @throws OutboundError BAD_URL unless it is http or https, without user name and password
 */
export function toTarget(text: string, base?: URL): URL {
  const url = URL.canParse(text, base) ? new URL(text, base) : null;
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) throw new OutboundError("BAD_URL");
  url.hash = "";
  return url;
}

// Not undici's redirect interceptor: it follows https to http, and repeats a body at another origin.
/**
 * Returns the redirected request, by the rules of fetch, or null if the response is not a redirect. Never sends
 * credentials or a body to another origin, nor anything from https to http.
 * @throws OutboundError BAD_URL, REFUSED_REDIRECT
 */
export function redirectOf(url: URL, message: Message, answer: Answer): { url: URL; message: Message } | null {
  const location = answer.headers.location;
  if (![301, 302, 303, 307, 308].includes(answer.status) || location === undefined) return null;
  const target = toTarget(location, url);
  if (url.protocol === "https:" && target.protocol === "http:") throw new OutboundError("REFUSED_REDIRECT");
  const next = { ...message };
  const { status } = answer;
  const becomesGet = status === 303 ? message.method !== "HEAD" : status <= 302 && message.method === "POST";
  if (becomesGet) {
    next.method = "GET";
    next.body = undefined;
    next.headers = omit(message.headers, (name) => name.startsWith("content-"));
  }
  if (target.origin !== url.origin) {
    if (next.body !== undefined) throw new OutboundError("REFUSED_REDIRECT");
    next.headers = omit(next.headers, (name) => !HARMLESS.includes(name));
  }
  return { url: target, message: next };
}

function omit(headers: Record<string, string>, drops: (name: string) => boolean): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !drops(name.toLowerCase())));
}
