import type { HostileCase } from "./world.fixture.ts";

const read = (name: string, status: number, path: string, headers = {}): HostileCase => ({
  name,
  status,
  sent: ({ viewer }) => ({ method: "GET", path, headers: { ...viewer, ...headers } }),
});

/** Paths, queries and headers nearly as long as the server accepts. */
export const ADDRESSES: HostileCase[] = [
  read("a search for 8,000 characters", 422, `/feature-flags/?search=${"a".repeat(8_000)}`),
  read("a number of 8,000 digits", 422, `/feature-flags/?limit=${"1".repeat(8_000)}`),
  read("2,000 unknown parameters", 200, `/feature-flags/?${"a=1&".repeat(2_000)}`),
  read("attributes of 600 nested objects", 422, `/feature-flags/?search=${"%7B%22a%22:".repeat(600)}`),
  read("an id of 8,000 characters", 422, `/feature-flags/${"%41".repeat(2_700)}`),
  read("8,000 slashes", 404, `/feature-flags/${"/".repeat(8_000)}`),
  read("4,000 media types", 200, "/feature-flags/", { accept: "a/b;q=0.1,".repeat(800) }),
  read("4,000 entity tags", 200, "/feature-flags/", { "if-none-match": '"a", '.repeat(1_600) }),
  read("a token of 8,000 characters", 401, "/feature-flags/", { authorization: `Bearer ${"a.".repeat(4_000)}` }),
  read("preferences of 8,000 characters", 200, "/feature-flags/", { prefer: "handling=".repeat(900) }),
  read("a request id of 8,000 characters", 200, "/feature-flags/", { "x-request-id": "a-".repeat(4_000) }),
];
