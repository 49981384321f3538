import ipaddr from "ipaddr.js";

/** One network per client: an IPv6 client owns a whole /64 and could otherwise use a new address for each request. */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  // `process` makes IPv4 of ::ffff:10.0.0.1, which is one client and no network.
  const parsed = address.includes(":") && ipaddr.isValid(address) ? ipaddr.process(address) : null;
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
