/** Marks a text that ClickHouse's JSON cannot hold as it is. */
const MARK = "\uffff";

/** Returns a text as ClickHouse stores it: halves of characters, which UTF-8 does not have, are escaped. */
export function toText(text: string): string {
  return isWellFormed(text) && !text.startsWith(MARK) ? text : MARK + JSON.stringify(text);
}

/** The reverse of {@link toText}. */
export function fromText(text: string): string {
  return text.startsWith(MARK) ? (JSON.parse(text.slice(MARK.length)) as string) : text;
}

function isWellFormed(text: string): boolean {
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text);
}

const ESCAPES: Record<string, string> = { "\\": "\\\\", "'": "\\'", "\0": "\\0" };

/** Quotes a text as it is stored. */
export function literal(text: string): string {
  return `'${toText(text).replace(/[\\'\0]/g, (char) => ESCAPES[char]!)}'`;
}

/** Quotes several texts, for `IN`. */
export function literals(texts: readonly string[]): string {
  return `(${texts.map(literal).join(", ")})`;
}

/** Quotes a name. */
export function identifier(name: string): string {
  return `\`${name.replace(/[\\`]/g, (char) => `\\${char}`)}\``;
}
