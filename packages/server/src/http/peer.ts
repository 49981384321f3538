import ipaddr from "ipaddr.js";

/**
 * Which proxies in front may say who is calling: how many hops there are, or the addresses and networks (CIDR) they
 * have. Nobody is believed where it is absent.
 */
export type TrustProxy = number | string | string[];

/** Who is at the other end of a request, as far as the socket and the trusted proxies tell. */
export interface Peer {
  /** The client's address, null where the host passes none on. */
  addressOf(request: Request): string | null;
  /** Whether the request arrived over TLS, here or at the trusted proxy. */
  isSecure(request: Request): boolean;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Whether the hop at this distance from us, 0 for the socket's own end, is one of the proxies. */
type IsProxy = (address: string, hop: number) => boolean;

/** @throws TypeError where `trustProxy` is no number of hops and no network */
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
      // Each proxy may add its own word: ours is the one at the far end of the trusted ones, else the only one there is.
      const words = listOf(request.headers.get("x-forwarded-proto"));
      return (words[Math.max(0, words.length - hops)] ?? "").toLowerCase() === "https";
    },
  };
}

/** Addresses from the socket outwards, up to and including the first that is no trusted proxy. */
function chainOf(request: Request, isProxy: IsProxy): string[] {
  const chain = [socketAddress(request) ?? ""];
  const claims = listOf(request.headers.get("x-forwarded-for"));
  // From the right: what a proxy appended is its own word, what stands left of it only somebody's claim.
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

/** Without port and brackets, IPv4 in its own form; null for anything else. */
function toAddress(text: string): string | null {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return parse(bare)?.toString() ?? null;
}

function parse(text: string): Address | null {
  try {
    // `process` also turns ::ffff:10.0.0.1 into 10.0.0.1. Half an IPv4 address is legal to it, and to nobody else.
    return text.includes(":") || ipaddr.IPv4.isValidFourPartDecimal(text) ? ipaddr.process(text) : null;
  } catch {
    return null;
  }
}

/** What srvx puts on the request: the socket's own address, never a header's. */
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
