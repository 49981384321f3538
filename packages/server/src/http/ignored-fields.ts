/** Clients and proxies accept about 8 to 16 kB of headers in total. */
const LONGEST_HEADER = 2_000;
const LONGEST_NAME = 100;
const MOST_NAMES = 50;
/** Marks a truncated name or list. */
const CUT = "…";

/**
 * The value of `X-Assay-Ignored-Fields`: percent-encoded names, separated by commas. Names come from the body, so their
 * length and number are bounded. A `…` marks a truncated name or list.
 */
export function toIgnoredFieldsHeader(fields: readonly string[]): string {
  const end = encodeURIComponent(CUT);
  const names: string[] = [];
  let length = end.length;
  for (const field of fields.slice(0, MOST_NAMES)) {
    const name = encodeURIComponent(shortened(field));
    length += name.length + 1;
    if (length > LONGEST_HEADER) break;
    names.push(name);
  }
  return [...names, ...(names.length < fields.length ? [end] : [])].join(",");
}

/** Never splits a surrogate pair, because half a pair cannot be encoded. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "") + CUT;
}
