import { isIP, isIPv6 } from "node:net";
import ipaddr from "ipaddr.js";

/**
 * Whether requests may go to addresses off the public internet: to none, to private and loopback ones, or to those in
 * these networks (CIDR) alone.
 */
export type AllowPrivateNetworks = boolean | string[];

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether a request may go to an address, as text without brackets. */
export type AddressRule = (address: string) => boolean;

const PRIVATE = ["private", "loopback", "uniqueLocal", "carrierGradeNat"];
/** What IANA has given out for use on the internet; all of IPv6 outside is something else. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("2000::"), 3];
const NAT64: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse("64:ff9b::"), 96];

/** @throws TypeError where a network is none */
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

/** An IPv4 address inside an IPv6 one is judged as what it leads to. */
function parse(text: string): Address | null {
  // The URL parser has one spelling for each; ipaddr.js alone would take ::1.2.3.4 for 1.2.3.4.
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
