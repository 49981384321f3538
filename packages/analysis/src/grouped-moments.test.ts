import fc from "fast-check";
import { expect, it } from "vitest";
import { groupedMomentsOf } from "./grouped-moments.ts";
import { jointMomentsOf } from "./metric.ts";

const user = fc.record({
  arm: fc.nat({ max: 1 }),
  value: fc.integer({ min: -20, max: 20 }),
  earlier: fc.nat({ max: 9 }),
  plan: fc.nat({ max: 3 }),
  city: fc.nat({ max: 2 }),
});

it("moments of groups are those of a column of 0 and 1 for each group but the first", () => {
  fc.assert(
    fc.property(fc.array(user, { maxLength: 40 }), (users) => {
      const armOf = Uint8Array.from(users, ({ arm }) => arm);
      const columns = [users.map(({ value }) => value), users.map(({ earlier }) => earlier)];
      const codes = [users.map(({ plan }) => plan), users.map(({ city }) => city)];
      const groupings = codes.map((some, index) => ({ count: [4, 3][index]!, codes: Uint8Array.from(some) }));
      const indicators = groupings.flatMap(({ count, codes: some }) =>
        Array.from({ length: count - 1 }, (_, group) => Array.from(some, (code) => (code === group + 1 ? 1 : 0))),
      );
      const grouped = groupedMomentsOf(columns, groupings, armOf, 2);
      for (const [arm, expected] of jointMomentsOf([...columns, ...indicators], armOf, 2).entries()) {
        const { n, means, products } = grouped[arm]!;
        expect(n).toBe(expected.n);
        for (const [i, mean] of expected.means.entries()) expect(means[i]).toBeCloseTo(mean, 10);
        for (const [i, row] of expected.products.entries()) {
          expect(products[i]).toHaveLength(row.length);
          for (const [j, product] of row.entries()) expect(products[i]![j]).toBeCloseTo(product, 9);
        }
      }
    }),
  );
});
