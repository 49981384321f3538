import { BlockList } from "node:net";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createRuntime } from "../ground/runtime.ts";
import { createAddressRule } from "./address.ts";
import { createOutbound } from "./outbound.ts";

/** Addresses that IANA's special-purpose registries exclude from the internet. */
const special = new BlockList();
for (const network of [
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24",
  "192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4",
]
  .join(" ")
  .split(" ")) {
  const [base, bits] = network.split("/");
  special.addSubnet(base!, Number(bits), "ipv4");
}

const internal = ["10.0.0.1", "127.0.0.1", "169.254.169.254", "172.31.255.255", "192.168.1.1", "100.64.0.1", "0.0.0.0"];
const octets = fc.tuple(fc.nat(255), fc.nat(255), fc.nat(255), fc.nat(255));
const internalOctets = fc.oneof(
  fc.constantFrom(...internal.map((text) => text.split(".").map(Number))),
  octets.map(([, b, c, d]) => [127, b, c, d]),
  octets.map(([, b, c, d]) => [10, b, c, d]),
  octets.map(([, , c, d]) => [169, 254, c, d]),
  octets.map(([, , c, d]) => [192, 168, c, d]),
);
const hex = (value: number) => value.toString(16);
const numeral = fc.constantFrom(
  (value: number) => String(value),
  (value: number) => `0x${hex(value)}`,
  (value: number) => `0X${hex(value).toUpperCase()}`,
  (value: number) => `0${value.toString(8)}`,
  (value: number) => `0x000${hex(value)}`,
);

/** Spellings of an IPv4 address in URLs: one to four parts in any base, the last of which stands for the rest. */
const spelling = fc
  .tuple(
    internalOctets,
    fc.integer({ min: 1, max: 4 }),
    fc.array(numeral, { minLength: 4, maxLength: 4 }),
    fc.boolean(),
  )
  .map(([bytes, parts, numerals, dot]) => {
    const rest = bytes.slice(parts - 1).reduce((sum, byte) => sum * 256 + byte, 0);
    const words = [...bytes.slice(0, parts - 1), rest].map((value, index) => numerals[index]!(value));
    return words.join(".") + (dot ? "." : "");
  });

/** The same address embedded in an IPv6 address. */
const embedded = fc
  .tuple(
    internalOctets,
    fc.constantFrom("::ffff:", "0:0:0:0:0:ffff:", "::", "64:ff9b::", "64:ff9b:1::", "::ffff:0:"),
    fc.boolean(),
  )
  .map(([[a, b, c, d], prefix, dotted]) =>
    dotted ? `[${prefix}${a}.${b}.${c}.${d}]` : `[${prefix}${hex(a! * 256 + b!)}:${hex(c! * 256 + d!)}]`,
  );

test("blocks every spelling of an internal address", async () => {
  // No lookup: these are addresses in unusual spellings.
  const outbound = createOutbound({ runtime: createRuntime(), lookup: () => expect.unreachable() });
  await fc.assert(
    fc.asyncProperty(fc.oneof(spelling, embedded), fc.constantFrom("http", "https"), async (host, scheme) => {
      await expect(outbound.send(`${scheme}://${host}/`)).rejects.toMatchObject({ reason: "BLOCKED_ADDRESS" });
    }),
    { numRuns: 500 },
  );
});

test("allows exactly the global IPv4 addresses of the registries, plain and inside IPv6", () => {
  const isAllowed = createAddressRule(false);
  fc.assert(
    fc.property(fc.oneof(octets, internalOctets), (bytes) => {
      const address = bytes.join(".");
      // The rule also rejects three small networks that only answer for others.
      fc.pre(!/^192\.(31\.196|52\.193|175\.48)\./.test(address));
      const isGlobal = !special.check(address, "ipv4");
      expect([address, isAllowed(address)]).toEqual([address, isGlobal]);
      expect(isAllowed(`::ffff:${address}`)).toBe(isGlobal);
      expect(isAllowed(`64:ff9b::${address}`)).toBe(isGlobal);
      expect(isAllowed(`::${address}`)).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ["2606:4700:4700::1111", true],
  ["2a00:1450:4001:80f::200e", true],
  ["::1", false],
  ["::", false],
  ["fe80::1", false],
  ["fe80::1%eth0", false],
  ["fc00::1", false],
  ["fd12:3456::1", false],
  ["fec0::1", false],
  ["ff02::1", false],
  ["100::1", false],
  ["2001:db8::1", false],
  ["2002:7f00:1::", false],
  ["2001:0:4136:e378:8000:63bf:3fff:fdd2", false],
  ["4000::1", false],
  ["not an address", false],
])("%s is allowed: %s", (address, expected) => {
  expect(createAddressRule(false)(address)).toBe(expected);
});

test("allowPrivateNetworks still blocks link-local addresses, such as cloud metadata", () => {
  const isAllowed = createAddressRule(true);
  for (const address of ["10.1.2.3", "127.0.0.1", "::1", "fd00::1", "192.168.0.1", "8.8.8.8", "::ffff:10.0.0.1"]) {
    expect([address, isAllowed(address)]).toEqual([address, true]);
  }
  for (const address of ["169.254.169.254", "fe80::1", "0.0.0.0", "224.0.0.1", "255.255.255.255"]) {
    expect([address, isAllowed(address)]).toEqual([address, false]);
  }
});

test("allows the listed networks, and no other private ones", () => {
  const isAllowed = createAddressRule(["10.20.0.0/16", "fd00:1::/32", "192.168.7.7", "169.254.169.254"]);
  for (const address of ["10.20.255.1", "fd00:1::5", "192.168.7.7", "169.254.169.254", "8.8.8.8"]) {
    expect([address, isAllowed(address)]).toEqual([address, true]);
  }
  for (const address of ["10.21.0.1", "fd00:2::5", "192.168.7.8", "127.0.0.1"]) {
    expect([address, isAllowed(address)]).toEqual([address, false]);
  }
  expect(() => createAddressRule(["10.0.0.0/40"])).toThrow(TypeError);
  expect(() => createAddressRule(["intranet"])).toThrow(TypeError);
});
