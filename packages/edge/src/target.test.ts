import { describe, expect, test } from "vitest";
import { type TargetOptions, toArms, toLocation } from "./target.ts";

const HOME = new URL("https://shop.example");

/** Returns the target of a request, for the arm at an index. */
function locate(request: string, urls: string[], index: number, options: TargetOptions = {}, prefix = "") {
  const url = new URL(request, HOME);
  const arms = toArms({ variants: urls.map((url, at) => ({ key: `v${at}`, url })) }, url);
  return toLocation(url, arms[index]!, arms, prefix, options);
}

describe("by default, a redirect has the path of the variant and the query of the request", () => {
  test.each([
    ["/", ["/a", "/b"], 1, "/b"],
    ["/?utm=1&x=%20a", ["/a", "/b"], 1, "/b?utm=1&x=%20a"],
    ["/?v=0&utm=1&v=9", ["/a", "/b?v=2"], 1, "/b?v=2&utm=1"],
    ["/?%76=0", ["/a", "/b?v=2"], 1, "/b?v=2"],
    ["/?a&b=&=c", ["/a", "/b#top"], 1, "/b?a&b=&=c#top"],
    ["/", ["https://x.example", "/b"], 0, "https://x.example/"],
    ["/", ["https://x.example:8443/é", "/b"], 0, "https://x.example:8443/%C3%A9"],
  ] as const)("%s by %j, arm %i: %s", (request, urls, index, expected) => {
    expect(locate(request, [...urls], index)).toBe(expected);
  });
});

test('query: "drop" removes the query of the request and keeps the query of the variant', () => {
  expect(locate("/?utm=1", ["/a", "/b?v=2"], 1, { query: "drop" })).toBe("/b?v=2");
});

describe('path: "append" appends the rest of the request path to the path of the variant', () => {
  test.each([
    ["/shop/cart/1", ["/shop", "/new"], 1, "/new/cart/1"],
    ["/shop", ["/shop", "/new"], 1, "/new"],
    ["/shop/", ["/shop", "/new/"], 1, "/new/"],
    ["/shop/a?q=1", ["/shop", "https://x.example/y/"], 1, "https://x.example/y/a?q=1"],
    ["/shop//evil.example", ["/shop", "/"], 1, "/evil.example"],
    ["/shop/%5Cevil.example", ["/shop", "/"], 1, "/%5Cevil.example"],
    ["/shop/@evil.example", ["/shop", "https://x.example"], 1, "https://x.example/@evil.example"],
  ] as const)("%s by %j, arm %i: %s", (request, urls, index, expected) => {
    expect(locate(request, [...urls], index, { path: "append" }, "/shop")).toBe(expected);
  });

  test('path: "append" maps a page of one arm to the same page of the other, also if one path contains the other', () => {
    expect(locate("/a/cart", ["/a", "/b"], 1, { path: "append" })).toBe("/b/cart");
    expect(locate("/new/cart", ["/", "/new"], 0, { path: "append" })).toBe("/cart");
    expect(locate("/new/new/cart", ["/", "/new"], 0, { path: "append" })).toBe("/cart");
    expect(locate("/cart", ["/", "/new"], 1, { path: "append" })).toBe("/new/cart");
    expect(locate(`/new${"/new".repeat(2_000)}`, ["/", "/new"], 0, { path: "append" })).toBe("/");
  });
});

describe("a request is not redirected if it is already at the URL of its arm", () => {
  test.each([
    ["/b", ["/a", "/b"], 1, {}],
    ["/b/", ["/a", "/b"], 1, {}],
    ["/b?utm=1", ["/a", "/b"], 1, {}],
    ["/b?utm=1", ["/a", "/b"], 1, { query: "drop" }],
    ["/b?utm=1&v=2", ["/a", "/b?v=2"], 1, {}],
    ["http://x.example/b", ["/a", "https://x.example/b#top"], 1, {}],
    ["/b/cart", ["/a", "/b"], 1, { path: "append" }],
    ["/a", ["/a", "/a"], 1, {}],
    ["/", ["/", "/b"], 0, { path: "append" }],
  ] as const)("%s by %j, arm %i, %j", (request, urls, index, options) => {
    expect(locate(request, [...urls], index, options)).toBeNull();
  });

  test("a request is redirected if its query selects another arm", () => {
    expect(locate("/p?v=b", ["/p", "/p?v=b"], 0)).toBe("/p");
    expect(locate("/p?v=b&utm=1", ["/p", "/p?v=b"], 0)).toBe("/p?utm=1");
    expect(locate("/p?utm=1", ["/p", "/p?v=b"], 1)).toBe("/p?v=b&utm=1");
  });
});

test.each([
  "//evil.example",
  "/\\evil.example",
  "/\t/evil.example",
  "/..//evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  "ftp://x.example",
  "https://",
  "b",
  "",
])("a variant with the invalid URL %j is no redirect target", (url) => {
  expect(toArms({ variants: [{ key: "a", url }] }, HOME)).toEqual([]);
});
