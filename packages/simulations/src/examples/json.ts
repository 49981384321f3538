/** The number of characters that fit on a line. */
const LINE = 150;

/** Writes a value as JSON with numbers of ten digits. A value that fits on a line stays on one line. */
export function toJson(value: unknown, indent = ""): string {
  if (typeof value === "number") return String(Number(value.toPrecision(10)));
  if (value === null || typeof value !== "object") return JSON.stringify(value) ?? "null";
  const list = Array.isArray(value);
  const [open, close] = list ? "[]" : "{}";
  const space = list ? "" : " ";
  const inner = `${indent}  `;
  const parts = (deeper: string) =>
    Object.entries(value).map(([key, item]) => (list ? "" : `${JSON.stringify(key)}: `) + toJson(item, deeper));
  const line = `${open}${space}${parts(inner).join(", ")}${space}${close}`;
  if (indent.length + line.length <= LINE && !line.includes("\n") && indent !== "") return line;
  return `${open}\n${parts(inner)
    .map((part) => inner + part)
    .join(",\n")}\n${indent}${close}`;
}
