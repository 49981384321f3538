/** Clients and proxies take about 8 to 16 kB of headers together; this one leaves room for the others. */
const LONGEST_HEADER = 2_000;
const LONGEST_NAME = 100;
const MOST_NAMES = 50;
/** Stands for the rest of a name, or for the rest of the list. */
const CUT = "…";

/**
 * The value of `X-Assay-Ignored-Fields`: names, percent-encoded and parted by commas. Names come out of the body, so
 * their length and number are bounded; a `…` ends a name or a list that was cut.
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

/** A cut between the two halves of a character would leave half of one, which has no encoding. */
function shortened(name: string): string {
  return name.length <= LONGEST_NAME ? name : name.slice(0, LONGEST_NAME).replace(/[\ud800-\udbff]$/, "") + CUT;
}
