/** Markup that is safe to put into other markup. */
export interface Markup {
  markup: string;
}

const NAMES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => NAMES[character]!);

type Value = string | number | Markup | readonly (string | Markup)[];

function toText(value: Value): string {
  if (typeof value === "string") return escapeText(value);
  if (typeof value === "number") return String(Number(value.toFixed(2)));
  if ("markup" in value) return value.markup;
  return value.map(toText).join("");
}

/** A template of HTML or SVG in which every value is escaped. */
export function markup(parts: TemplateStringsArray, ...values: Value[]): Markup {
  return { markup: parts.map((part, index) => part + (index < values.length ? toText(values[index]!) : "")).join("") };
}
