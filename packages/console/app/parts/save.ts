/** Hands a file to the browser, which saves it. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

/** Saves a value as a JSON file. */
export function saveJson(name: string, value: unknown): void {
  save(name, new Blob([JSON.stringify(value)], { type: "application/json" }));
}
