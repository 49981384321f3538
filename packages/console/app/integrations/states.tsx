import type { IntegrationDelivery, IntegrationSummary } from "@assay/client";
import { TEXT } from "../text.ts";

const { integrations: text } = TEXT;
const LOOK: Partial<Record<IntegrationDelivery["status"], string>> = {
  FAILED: "critical",
  DELIVERED: "state-active",
  PROCESSED: "state-active",
};

export function IntegrationState({ isActive }: { isActive: IntegrationSummary["is_active"] }) {
  return <span className={isActive ? "badge state-active" : "badge"}>{isActive ? text.active : text.inactive}</span>;
}

export function DeliveryState({ status }: Pick<IntegrationDelivery, "status">) {
  return <span className={`badge ${LOOK[status] ?? ""}`}>{text.statuses[status]}</span>;
}
