import ipaddr from "ipaddr.js";

/** One network per client: an IPv6 client owns a whole /64 and could use a new address for each request. */
export function networkOf(address: string | null): string {
  if (address === null) return "unknown";
  // `process` maps ::ffff:10.0.0.1 to IPv4, which is one client, not a network.
  const parsed = address.includes(":") && ipaddr.isValid(address) ? ipaddr.process(address) : null;
  if (!(parsed instanceof ipaddr.IPv6)) return address;
  const prefix = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${prefix.join(":")}::/64`;
}
