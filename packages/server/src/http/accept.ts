/** A range of media types that somebody takes, and how gladly: 0 is not at all. */
interface MediaRange {
  type: string;
  quality: number;
}

/**
 * A list item, or a parameter of one: text between separators, of which those in quotes are none. Where a quote is not
 * closed, all that follows is in it, so that reading takes linear time.
 */
const ITEM = /(?:"(?:\\.|[^"\\])*"?|[^",])+/g;
const PART = /(?:"(?:\\.|[^"\\])*"?|[^";])+/g;
const QUALITY = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * The one of some media types that `Accept` names and likes at least as well as JSON; undefined where it is JSON that is
 * to be answered, as for everything that only a wildcard asks for. Parameters but `q` do not matter: the types have none.
 * As RFC 9110, section 12.5.1.
 */
export function preferredOver(accept: string | null, types: readonly string[]): string | undefined {
  if (!accept) return undefined;
  const ranges = (accept.match(ITEM) ?? []).flatMap(toRange);
  const liking = (...names: string[]) => {
    const named = names.map((name) => ranges.filter(({ type }) => type === name)).find((found) => found.length > 0);
    return Math.max(0, ...(named ?? []).map(({ quality }) => quality));
  };
  const json = liking("application/json", "application/*", "*/*");
  const [best] = types
    .map((type) => ({ type, quality: liking(type) }))
    .filter(({ quality }) => quality > 0 && quality >= json)
    .sort((a, b) => b.quality - a.quality);
  return best?.type;
}

/** One that is not well-formed asks for nothing. */
function toRange(item: string): MediaRange[] {
  const [type = "", ...parameters] = (item.match(PART) ?? []).map((part) => part.trim());
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
  const quality = weight === undefined ? 1 : Number(QUALITY.exec(weight)?.[1] ?? Number.NaN);
  return Number.isNaN(quality) ? [] : [{ type: type.toLowerCase(), quality }];
}
