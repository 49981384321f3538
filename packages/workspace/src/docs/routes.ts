import { contract, type Route } from "@assay/contract";

const routes = Object.entries(contract as Record<string, Route>).map(([key, route]) => {
  const [method = "", path = ""] = key.split(" ");
  const names = [...path.matchAll(/\{\w+\}/g)].length;
  return { key, method, route, names, pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, "[^/]+")}$`) };
});

/** What a `curl` command sends, as far as pages use it. */
interface Sent {
  method: string;
  url: URL;
  /** Undefined if there is none, or if it comes from a file. */
  body: string | undefined;
  isFile: boolean;
}

/** Returns what is wrong with a `curl` command of a page; undefined if a route of the contract accepts it. */
export function findCurlProblem(words: readonly string[]): string | undefined {
  const { method, url, body, isFile } = readCurl(words);
  const path = url.pathname.replace(/^\/api\/v1/, "");
  // An exact path wins over one with a parameter, as in the router.
  const [found] = routes
    .filter((one) => one.method === method && one.pattern.test(path))
    .sort((one, other) => one.names - other.names);
  if (!found) return `No route ${method} ${path}`;
  const { query, body: schema } = found.route;
  const asked = query?.safeParse(Object.fromEntries(url.searchParams));
  if (asked && !asked.success) return `${found.key}: ${asked.error.message}`;
  const unknown = [...url.searchParams.keys()].filter((name) => !Object.hasOwn(query?.shape ?? {}, name));
  if (unknown.length > 0) return `${found.key}: no parameter ${unknown.join(", ")}`;
  if (isFile || found.route.raw) return;
  if (body === undefined)
    return schema && !schema.safeParse(undefined).success ? `${found.key}: needs a body` : undefined;
  const sent = schema?.safeParse(JSON.parse(body));
  return sent?.success ? undefined : `${found.key}: ${sent?.error.message ?? "takes no body"}`;
}

function readCurl(words: readonly string[]): Sent {
  let [method, address, data]: (string | undefined)[] = [];
  for (let at = 1; at < words.length; at++) {
    const word = words[at]!;
    if (word === "-X") method = words[++at];
    else if (word === "-d" || word === "--data-binary") data = words[++at];
    else if (word === "-H") at++;
    else if (word.startsWith("-")) {
      if (!["-s", "-i", "-f", "-N", "-sS", "-fsS"].includes(word)) throw new Error(`Unknown option of curl: ${word}`);
    } else address = word;
  }
  const isFile = data?.startsWith("@") ?? false;
  return {
    method: method ?? (data === undefined ? "GET" : "POST"),
    url: new URL(/^https?:/.test(address ?? "") ? address! : `http://${address}`),
    body: isFile ? undefined : data,
    isFile,
  };
}
