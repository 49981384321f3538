import { expect, test } from "vitest";
import { readCookies } from "./cookie.ts";

test("a cookie's value may contain equals signs, and a name may occur several times", () => {
  const request = new Request("https://shop.example/", { headers: { cookie: "sid=YWRh==; other=x; sid=a=b" } });
  expect(readCookies(request, "sid")).toEqual(["YWRh==", "a=b"]);
});
