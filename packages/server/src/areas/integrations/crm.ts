import type { IntegrationRecord } from "./record.ts";

const API_VERSION = "v61.0";

/** The path of a kind of object of the CRM, or of one of them. */
export function crmObject({ config }: IntegrationRecord, ...names: string[]): string {
  return `/services/data/${config.api_version ?? API_VERSION}/sobjects/${names.map(encodeURIComponent).join("/")}`;
}
