import { expect, test } from "vitest";
import { createUserIdReader } from "./identity.ts";

const read = (cookie: string) => createUserIdReader({})(new Request("https://shop.example/", { headers: { cookie } }));

test("a generated id is read only in the form in which ids are generated", async () => {
  expect(await read("assay_id=0f8fad5b-d9cb")).toBe("0f8fad5b-d9cb");
  expect(await read("assay_id=short; assay_id=0f8fad5b-d9cb")).toBe("0f8fad5b-d9cb");
  for (const value of ["short", "with.dot-and-more", "x".repeat(65)]) {
    expect(await read(`assay_id=${value}`)).toBeUndefined();
  }
});
