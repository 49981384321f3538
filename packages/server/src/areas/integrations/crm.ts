import type { IntegrationRecord } from "./record.ts";

const API_VERSION = "v61.0";

/** Returns the path of a CRM object, or of a kind of objects. */
export function crmObject({ config }: IntegrationRecord, ...names: string[]): string {
  return `/services/data/${config.api_version ?? API_VERSION}/sobjects/${names.map(encodeURIComponent).join("/")}`;
}
