import { BlockList, isIP } from "node:net";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toAddressDigits } from "./address.ts";
import { toAddressRange } from "./address-range.ts";

const contains = (range: string, address: string) => {
  const [from, until] = toAddressRange(range);
  const digits = toAddressDigits(address);
  return digits >= from && digits <= until;
};

/** Few different bytes and groups, so that addresses often share a prefix. */
const ipv4 = fc
  .array(fc.constantFrom(0, 1, 10, 127, 128, 254, 255), { minLength: 4, maxLength: 4 })
  .map((b) => b.join("."));
const group = fc.constantFrom("0", "1", "00a", "7fff", "8000", "FfFf", "2001", "db8");
const ipv6 = fc.oneof(
  fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(":")),
  fc
    .tuple(fc.array(group, { maxLength: 3 }), fc.array(group, { maxLength: 4 }))
    .map(([start, end]) => `${start.join(":")}::${end.join(":")}`),
  fc
    .tuple(fc.constantFrom("::", "::ffff:", "::FFFF:0:", "64:ff9b::", "1:2:3:4:5:6:"), ipv4)
    .map((parts) => parts.join("")),
);
const address = fc.oneof(ipv4, ipv6);
const range = fc.oneof(fc.tuple(ipv4, fc.nat(32)), fc.tuple(ipv6, fc.nat(128)));
const familyOf = (text: string) => (isIP(text) === 4 ? "ipv4" : "ipv6");

describe("a range of IP addresses", () => {
  it.each([
    [
      "10.0.0.0/8",
      ["10.0.0.0", "10.255.255.255", " 10.1.2.3 ", "::ffff:10.1.2.3", "::FFFF:a01:203"],
      ["9.255.255.255", "11.0.0.0"],
    ],
    ["192.168.7.0/25", ["192.168.7.127"], ["192.168.7.128"]],
    ["10.1.2.3/8", ["10.200.0.1"], ["11.1.2.3"]],
    ["0.0.0.0/0", ["0.0.0.0", "255.255.255.255", "::ffff:1.2.3.4"], ["::", "::1", "2001:db8::1"]],
    ["203.0.113.7", ["203.0.113.7"], ["203.0.113.6", "203.0.113.8"]],
    ["203.0.113.7/32", ["203.0.113.7"], ["203.0.113.8"]],
    ["2001:db8::/32", ["2001:db8::", "2001:0DB8:ffff::1"], ["2001:db9::", "2001:db7:ffff::"]],
    ["2001:db8::/33", ["2001:db8:7fff::"], ["2001:db8:8000::"]],
    ["::1", ["::1", "0:0:0:0:0:0:0:1", "::0.0.0.1"], ["::2", "0.0.0.1"]],
    ["::1/128", ["::1"], ["::"]],
    ["::ffff:10.0.0.0/104", ["10.9.9.9", "::ffff:10.0.0.1"], ["11.0.0.0"]],
    ["::/0", ["::", "ffff::", "1.2.3.4"], []],
  ])("%s has the addresses from its first to its last", (text, inside, outside) => {
    expect(inside.filter((each) => !contains(text, each))).toEqual([]);
    expect(outside.filter((each) => contains(text, each))).toEqual([]);
  });

  it.each([
    "10.0.0.0/33",
    "::/129",
    "10.0.0/8",
    "10.0.0.256/8",
    "010.0.0.0/8",
    "10.0.0.0/",
    "10.0.0.0/-1",
    "10.0.0.0/8.5",
    "10.0.0.0/1e1",
    "10.0.0.0/8/8",
    "10.0.0.0 /8 x",
    "/8",
    "",
    "1::2::3/8",
    "fe80::1%eth0/64",
    "example.com/8",
    8,
    true,
  ])("is not %j", (text) => {
    expect(() => toAddressRange(text)).toThrow(`${JSON.stringify(text)} is not an IP range like 10.0.0.0/8`);
  });

  it("has the addresses that a BlockList of Node has", () => {
    fc.assert(
      fc.property(range, address, ([start, length], subject) => {
        const list = new BlockList();
        list.addSubnet(start, length, familyOf(start));
        expect(contains(`${start}/${length}`, subject)).toBe(list.check(subject, familyOf(subject)));
        expect(contains(start, start)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("an IP address", () => {
  it.each([
    ["127.0.0.1", "00000000000000000000ffff7f000001"],
    ["::", "0".repeat(32)],
    ["2001:DB8::8:800:200c:417a", "20010db80000000000080800200c417a"],
    ["1:2:3:4:5:6:7::", "00010002000300040005000600070000"],
    ["64:ff9b::192.0.2.33", "0064ff9b0000000000000000c0000221"],
  ])("%s has the digits %s", (text, digits) => {
    expect(toAddressDigits(text)).toBe(digits);
  });

  it.each([
    "1.2.3.4]/x",
    "::1]:80",
    "x@[::1",
    "::1/128",
    "::\n1",
    "[::1]",
    "1.2.3.4:80",
    "0x7f.1",
    "2130706433",
    "10",
    "ffff",
    5,
    null,
    ["::1"],
    {},
  ])("is not %j", (value) => {
    expect(toAddressDigits(value)).toBe("");
  });

  it("is what Node says is one", () => {
    const parts = fc.constantFrom(
      "::",
      ":",
      "1",
      "ffff",
      "fffff",
      ".",
      "255",
      "256",
      "01",
      "1.2.3.4",
      "g",
      "[",
      "]",
      "/",
      "@",
    );
    const near = fc.array(parts, { maxLength: 9 }).map((all) => all.join(""));
    fc.assert(
      fc.property(fc.oneof(address, near), (text) => {
        const digits = toAddressDigits(text);
        expect(digits !== "").toBe(isIP(text) !== 0);
        if (digits !== "") expect(digits).toMatch(/^[\da-f]{32}$/);
      }),
      { numRuns: 3_000 },
    );
  });
});
