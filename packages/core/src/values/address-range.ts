import { refuse } from "../format/definition-error.ts";
import type { AddressRange } from "../format/program.ts";
import { toAddressDigits } from "./address.ts";

const RANGE = /^([^/]+)(?:\/(\d+))?$/;

/**
 * Parses a range of IP addresses in CIDR notation, such as `10.0.0.0/8` or `2001:db8::/32`. An address without a length
 * is a range of one, and the bits of the address beyond the length are ignored.
 *
 * @throws DefinitionError for anything else
 */
export function toAddressRange(value: unknown): AddressRange {
  const [, address = "", length] = RANGE.exec(String(value)) ?? [];
  const digits = toAddressDigits(address);
  const free = length === undefined ? 0 : (address.includes(":") ? 128 : 32) - Number(length);
  if (digits === "" || free < 0) refuse(`${JSON.stringify(value)} is not an IP range like 10.0.0.0/8`);
  const mask = 2n ** BigInt(free) - 1n;
  const last = BigInt(`0x${digits}`) | mask;
  return [last ^ mask, last].map((edge) => edge.toString(16).padStart(32, "0")) as AddressRange;
}
