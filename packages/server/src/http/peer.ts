import ipaddr from "ipaddr.js";

/**
 * The trusted proxies in front: their number of hops, or their addresses and networks (CIDR). Without it, the server
 * ignores forwarded headers.
 */
export type TrustProxy = number | string | string[];

/** The client of a request, from the socket and the trusted proxies. */
export interface Peer {
  /** The address of the client. Null if the host passes none. */
  addressOf(request: Request): string | null;
  /** Whether the request arrived over TLS, here or at the trusted proxy. */
  isSecure(request: Request): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether the hop at this distance is a proxy. Distance 0 is the peer of the socket. */
type IsProxy = (address: string, hop: number) => boolean;

/** @throws TypeError if `trustProxy` is neither a number of hops nor a network */
export function createPeer(trustProxy?: TrustProxy): Peer {
  if (trustProxy === undefined || trustProxy === 0) {
    return { addressOf: (request) => socketAddress(request), isSecure: isEncrypted };
  }
  const isProxy = toRule(trustProxy);
  return {
    addressOf: (request) => chainOf(request, isProxy).at(-1) || null,
    isSecure(request) {
      if (isEncrypted(request)) return true;
      const hops = chainOf(request, isProxy).length - 1;
      if (hops === 0) return false;
      // Each proxy may append a value: use the one from the farthest trusted proxy, or the only one.
      const words = listOf(request.headers.get("x-forwarded-proto"));
      return (words[Math.max(0, words.length - hops)] ?? "").toLowerCase() === "https";
    },
  };
}

/** Addresses from the socket outwards, up to and including the first untrusted one. */
function chainOf(request: Request, isProxy: IsProxy): string[] {
  const chain = [socketAddress(request) ?? ""];
  const claims = listOf(request.headers.get("x-forwarded-for"));
  // Read from the right: proxies append, so the values to the left are unverified.
  while (claims.length > 0 && isProxy(chain.at(-1)!, chain.length - 1)) {
    const address = toAddress(claims.pop()!);
    if (address === null) break;
    chain.push(address);
  }
  return chain;
}

function toRule(trustProxy: TrustProxy): IsProxy {
  if (typeof trustProxy === "number") {
    if (!Number.isInteger(trustProxy) || trustProxy < 0) throw new TypeError("trustProxy must be a number of hops");
    return (_address, hop) => hop < trustProxy;
  }
  const networks = (Array.isArray(trustProxy) ? trustProxy : trustProxy.split(",")).map(toNetwork);
  return (text) => {
    const address = parse(text);
    return address !== null && networks.some(([base, bits]) => isWithin(address, base, bits));
  };
}

function toNetwork(text: string): [Address, number] {
  const word = text.trim();
  try {
    if (word.includes("/")) return ipaddr.parseCIDR(word);
    const address = ipaddr.process(word);
    return [address, address.kind() === "ipv4" ? 32 : 128];
  } catch {
    throw new TypeError(`trustProxy must be a number of hops or a list of networks, not "${word}"`);
  }
}

function isWithin(address: Address, base: Address, bits: number): boolean {
  return address.kind() === base.kind() && address.match(base as ipaddr.IPv4, bits);
}

/** Returns the address without port and brackets, IPv4 in dotted form, or null for anything else. */
function toAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parse(bare)?.toString() ?? null;
}

function parse(text: string): Address | null {
  try {
    // `process` also maps ::ffff:10.0.0.1 to 10.0.0.1. The library accepts partial IPv4 addresses, so they are rejected
    // here.
    return text.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.process(text) : null;
  } catch {
    return null;
  }
}

/** Returns the address of the socket as srvx sets it, never from a header. */
function socketAddress(request: Request): string | null {
  const address = (request as Request & { ip?: string }).ip;
  if (address === undefined) return null;
  return address.startsWith("::ffff:") ? address.slice(7) : address;
}

function isEncrypted(request: Request): boolean {
  return request.url.startsWith("https:");
}

function listOf(header: string | null): string[] {
  return header === null ? [] : header.split(",", 100).map((word) => word.trim());
}
