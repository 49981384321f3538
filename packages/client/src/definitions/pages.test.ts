import { expect, test } from "vitest";
import { type PageQuery, readPages } from "./pages.ts";

test.each([
  [0, 1],
  [1, 1],
  [2, 2],
  [3, 2],
  [4, 3],
])("a list of %d items takes %d requests for pages of 2", async (length, requests) => {
  const list = Array.from({ length }, (_, index) => index);
  const asked: PageQuery[] = [];
  const read = async (page: PageQuery) => {
    asked.push(page);
    return list.slice(page.skip, page.skip + page.limit);
  };
  expect(await readPages(2, read)).toEqual(list);
  expect(asked).toEqual(Array.from({ length: requests }, (_, index) => ({ skip: 2 * index, limit: 2 })));
});
