/** Clients and proxies accept about 8 to 16 kB of headers in total. */
const MAX_HEADER_LENGTH = 2_000;
const MAX_NAME_LENGTH = 100;
const MAX_NAMES = 50;
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
  for (const field of fields.slice(0, MAX_NAMES)) {
    const name = encodeURIComponent(shortened(field));
    length += name.length + 1;
    if (length > MAX_HEADER_LENGTH) break;
    names.push(name);
  }
  return [...names, ...(names.length < fields.length ? [end] : [])].join(",");
}

/** Never splits a surrogate pair, because half a pair cannot be encoded. */
function shortened(name: string): string {
  return name.length <= MAX_NAME_LENGTH ? name : name.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, "") + CUT;
}
