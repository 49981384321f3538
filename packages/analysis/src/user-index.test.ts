import fc from "fast-check";
import { expect, it, test } from "vitest";
import { createUserIndex } from "./user-index.ts";

it("numbers users as a list of their names does, also after some are forgotten", () => {
  const names = fc.uniqueArray(
    fc.string({ unit: "binary", maxLength: 6 }).filter((name) => name !== ""),
    { maxLength: 60 },
  );
  fc.assert(
    fc.property(names, fc.nat(60), fc.nat(60), (all, sealed, end) => {
      const users = createUserIndex();
      const chunk = all.slice(0, sealed);
      users.restore(2, chunk);
      for (const name of all.slice(sealed)) expect(users.add(name)).toBe(all.indexOf(name) + 2);
      expect(all.map(users.indexOf)).toEqual(all.map((_, number) => number + 2));
      expect(users.length).toBe(all.length + 2);
      users.truncate(end);
      expect(all.map(users.indexOf)).toEqual(all.map((_, number) => (number + 2 < end ? number + 2 : undefined)));
      // Forgotten users get the next numbers.
      const next = users.length;
      for (const [offset, name] of all.slice(Math.max(0, end - 2)).entries())
        expect(users.add(name)).toBe(next + offset);
    }),
  );
});

test("erased users have a number and no name", () => {
  const users = createUserIndex();
  users.restore(0, ["ada", "", "bob"]);
  expect(["ada", "", "bob", "eve"].map(users.indexOf)).toEqual([0, undefined, 2, undefined]);
});

test("a hundred thousand users take less than 32 bytes each", () => {
  const users = createUserIndex();
  for (let user = 0; user < 100_000; user++) users.add(`0190b6f0-0000-7000-8000-${user}`);
  expect(users.bytes / users.length).toBeLessThan(32);
  expect(users.indexOf("0190b6f0-0000-7000-8000-99999")).toBe(99_999);
});
