import { expect, test } from "vitest";
import { redirectOf } from "./redirect.ts";

const follow = (from: string, location: string) =>
  redirectOf(new URL(from), { method: "GET", headers: {}, body: undefined }, {
    status: 302,
    headers: { location },
  } as never);

test("a redirect from https to http is refused; the other way and within a protocol it is followed", () => {
  expect(() => follow("https://a.example/x", "http://a.example/y")).toThrow(
    expect.objectContaining({ reason: "REFUSED_REDIRECT" }),
  );
  expect(follow("http://a.example/x", "https://a.example/y")?.url.href).toBe("https://a.example/y");
  expect(follow("https://a.example/x", "/y")?.url.href).toBe("https://a.example/y");
});
