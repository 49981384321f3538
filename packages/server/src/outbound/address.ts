import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether requests may go to private addresses: false for none, true for private and loopback ones, or a list of
 * networks (CIDR).
 */
export type AllowPrivateNetworks = boolean | string[];

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether a request may go to an address, given without brackets. */
export type AddressRule = (address: string) => boolean;

const PRIVATE = ["private", "loopback", "uniqueLocal", "carrierGradeNat"];
/** The global unicast range by IANA. All other IPv6 addresses are special. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/** @throws TypeError for an invalid network */
export function createAddressRule(allow: AllowPrivateNetworks): AddressRule {
  const networks = Array.isArray(allow) ? allow.map(toNetwork) : [];
  return (text) => {
    const address = parse(text);
    if (!address) return false;
    if (networks.some(([base, bits]) => isWithin(address, base, bits))) return true;
    return isPublic(address) || (allow === true && PRIVATE.includes(address.range()));
  };
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || isWithin(address, ...GLOBAL_IPV6);
}

/** Parses an address. An embedded IPv4 address counts as IPv4. */
function parse(text: string): Address | null {
  // The URL parser normalizes spellings. ipaddr.js alone would accept ::1.2.3.4 as 1.2.3.4.
  const plain =
    isIPv6(text) && URL.canParse(`http://[${text}]`) ? new URL(`http://[${text}]`).hostname.slice(1, -1) : text;
  if (isIP(plain) === 0 || plain.includes("%")) return null;
  const address = ipaddr.process(plain);
  if (address.kind() === "ipv6" && isWithin(address, ...NAT64)) {
    return new ipaddr.IPv4(address.toByteArray().slice(-4));
  }
  return address;
}

function isWithin(address: Address, base: Address, bits: number): boolean {
  return address.kind() === base.kind() && address.match(base as ipaddr.IPv4, bits);
}

function toNetwork(text: string): [Address, number] {
  try {
    return ipaddr.parseCIDR(text.includes("/") ? text : `${text}/${text.includes(":") ? 128 : 32}`);
  } catch {
    throw new TypeError(`allowPrivateNetworks must be a boolean or a list of networks, not "${text}"`);
  }
}
