import type { compliance } from "@assay/contract";
import { type Call, defineHandlers } from "../../http/handler.ts";
import { nextLink } from "../../http/page.ts";

type Export = Call<(typeof compliance)["GET /compliance/export"]>;

async function exportPart({ query, caller, services, request }: Export): Promise<Response> {
  const { text, through, next } = await services.compliance.exportPart(query, caller.actor);
  const type = query.format === "csv" ? "text/csv" : "application/json";
  const headers = new Headers({
    "Content-Type": `${type}; charset=utf-8`,
    "Content-Disposition": `attachment; filename="audit-${query.after}.${query.format}"`,
    "X-Audit-Signature": services.compliance.sign(text),
  });
  if (next !== null) headers.set("Link", nextLink(request, query, { after: String(next), through: String(through) }));
  return new Response(text, { headers });
}

export const routes = defineHandlers<typeof compliance>({
  "GET /compliance/audit-events": ({ query, caller, services }) => services.compliance.events(query, caller),
  "GET /compliance/reports/soc2": ({ services }) => services.compliance.report("SOC2"),
  "GET /compliance/reports/iso27001": ({ services }) => services.compliance.report("ISO27001"),
  "GET /compliance/export": exportPart,
});
