/**
 * Converts an IP address to its 32 hexadecimal digits, which order addresses as text. An IPv4 address counts as the IPv6
 * address that it maps to: `10.0.0.1` is `::ffff:10.0.0.1`. Returns "" for anything else, also for an address with a
 * zone, and an IPv4 address with leading zeros.
 */
export function toAddressDigits(value: unknown): string {
  try {
    // Throws for anything but a text.
    const text = (value as string).trim();
    // Other characters could end the address before the end of the text.
    if (/[^\w.:]/.test(text)) return "";
    // The platform's own parser, which answers the shortest form: "[::ffff:a00:1]".
    const { hostname } = new URL(`http://[${text.includes(":") ? "" : "0:0:0:0:0:ffff:"}${text}]`);
    const [start, end = ""] = hostname
      .slice(1, -1)
      .split("::")
      .map((groups) => groups.replace(/(\w+):?/g, (_, group: string) => group.padStart(4, "0")));
    return start!.padEnd(32 - end.length, "0") + end;
  } catch {
    return "";
  }
}
