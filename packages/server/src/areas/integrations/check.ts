import type { IntegrationTest } from "@assay/contract";
import type { Runtime } from "../../ground/runtime.ts";
import { type Connections, CredentialsRefused, reasonOf, type ThirdPartyRequest } from "./connection.ts";
import { crmObject } from "./crm.ts";
import type { IntegrationRecord } from "./record.ts";

/** Requests something that needs valid credentials. Never rejects. */
export async function checkConnection(
  integration: IntegrationRecord,
  { connections, runtime }: { connections: Connections; runtime: Runtime },
): Promise<IntegrationTest> {
  const start = performance.now();
  const took = () => Math.round((performance.now() - start) * 10) / 10;
  try {
    const { status } = await connections.sendAfresh(integration, checkOf(integration));
    const success = status >= 200 && status < 300;
    return { success, status, reason: success ? null : `The other system answered ${status}`, latency_ms: took() };
  } catch (error) {
    const reason = reasonOf(error);
    if (reason === "Unexpected error") runtime.logger.error("Integration test failed", { error: String(error) });
    return {
      success: false,
      status: error instanceof CredentialsRefused ? error.status : null,
      reason,
      latency_ms: took(),
    };
  }
}

function checkOf(integration: IntegrationRecord): ThirdPartyRequest {
  switch (integration.integration_type) {
    case "TRACKER":
      return { method: "GET", path: "/rest/api/2/myself" };
    case "CRM":
      return { method: "GET", path: crmObject(integration, "Campaign") };
    case "CODEHOST":
      return { method: "GET", path: "/rate_limit" };
  }
}
