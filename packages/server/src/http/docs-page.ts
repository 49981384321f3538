import type { OpenApiDocument } from "@assay/contract";
import { ERROR_HELP } from "./error-help.ts";

interface Operation {
  summary: string;
  tags: string[];
  "x-assay-auth": unknown;
}

/** Returns the OpenAPI document as one static page without scripts or external resources. */
export function docsPage(document: OpenApiDocument): string {
  const areas = new Map<string, string[]>();
  for (const [path, methods] of Object.entries(document.paths)) {
    for (const [method, value] of Object.entries(methods)) {
      const operation = value as Operation;
      const area = operation.tags[0] ?? "";
      const row = `<tr><td><b>${method.toUpperCase()}</b></td><td><code>${toHtml(path)}</code></td><td>${toHtml(operation.summary)}</td><td>${toHtml(whoMay(operation["x-assay-auth"]))}</td></tr>`;
      areas.set(area, [...(areas.get(area) ?? []), row]);
    }
  }
  const sections = [...areas].map(([area, rows]) => `<h2>${toHtml(area)}</h2><table>${rows.join("")}</table>`);
  const errors = Object.entries(ERROR_HELP).map(
    ([status, help]) => `<tr id="${status}"><td><b>${status}</b></td><td>${toHtml(help)}</td></tr>`,
  );
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Assay API</title><style>
body{font:16px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#1d2330}
table{border-collapse:collapse;width:100%}td{padding:.3rem .6rem;border-bottom:1px solid #e4e7ec;vertical-align:top}
td:first-child{width:4.5rem}h2{margin-top:2rem;text-transform:capitalize}code{font-size:.95em}
</style></head><body><h1>Assay API</h1>
<p>All paths are under <code>${toHtml(document.servers[0]!.url)}</code>. Send <code>Authorization: Bearer …</code> from
<code>POST /auth/login</code>, or <code>X-API-Key</code>. The whole description is <a href="openapi.json">openapi.json</a>
(OpenAPI 3.1).</p><h2>Errors</h2><table>${errors.join("")}</table>${sections.join("")}</body></html>`;
}

function whoMay(auth: unknown): string {
  if (typeof auth === "string") return auth;
  return Object.entries(auth as Record<string, unknown>)
    .filter(([name]) => name !== "own")
    .map(([name, value]) => (value === true ? name : `${name}: ${value}`))
    .join(" or ");
}

function toHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
