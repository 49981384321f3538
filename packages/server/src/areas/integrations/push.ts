import type { Results } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { DocumentWrite } from "../../storage/collection.ts";
import { toComment } from "./comment.ts";
import type { ThirdPartyRequest } from "./connection.ts";
import { crmObject } from "./crm.ts";
import type { IntegrationRecord } from "./record.ts";

/** A message to an integration. If there is no request, the reason. */
export interface Push {
  event: string;
  subject: string;
  request: ThirdPartyRequest | null;
  reason?: string;
}

type Status = ExperimentRecord["status"];

/** Campaign status by experiment status. Other statuses are not shown. */
const CAMPAIGN_STATUS: Partial<Record<Status, string>> = {
  ACTIVE: "In Progress",
  COMPLETED: "Completed",
  ARCHIVED: "Aborted",
};

/** Whether to send a change of an experiment to this integration. */
export function isConcerned(
  integration: IntegrationRecord,
  { before, after, by }: DocumentWrite<ExperimentRecord>,
): boolean {
  if (!after || before?.status === after.status) return false;
  const hasEnded = after.status === "COMPLETED";
  switch (integration.integration_type) {
    case "TRACKER":
      return hasEnded && after.tracker_issue_key !== null;
    case "CODEHOST":
      return hasEnded && after.code_pull_request !== null;
    case "CRM":
      // Changes that came from the campaign are not sent back. A completed campaign is not aborted.
      return (
        after.crm_campaign_id !== null &&
        CAMPAIGN_STATUS[after.status] !== undefined &&
        before?.status !== "COMPLETED" &&
        !(
          by.actor.actor_type === "WEBHOOK" &&
          by.actor.actor_id === integration.id &&
          !integration.config.results_field
        )
      );
  }
}

/** Returns the message to an integration about an experiment. */
export function toPush(integration: IntegrationRecord, experiment: ExperimentRecord, results: Results | null): Push {
  switch (integration.integration_type) {
    case "TRACKER": {
      const issue = experiment.tracker_issue_key ?? "";
      const path = `/rest/api/2/issue/${encodeURIComponent(issue)}/comment`;
      const body = { body: toComment(experiment, results) };
      return { event: "comment", subject: issue, request: { method: "POST", path, body } };
    }
    case "CODEHOST": {
      const name = experiment.code_pull_request ?? "";
      const [, owner, repository, number] = /^([\w.-]+)\/([\w.-]+)#(\d{1,10})$/.exec(name) ?? [];
      if (number === undefined || isDots(owner) || isDots(repository)) {
        return {
          event: "comment",
          subject: name,
          request: null,
          reason: "code_pull_request is not owner/repository#1",
        };
      }
      const path = `/repos/${owner}/${repository}/issues/${number}/comments`;
      const body = { body: toComment(experiment, results) };
      return { event: "comment", subject: name, request: { method: "POST", path, body } };
    }
    case "CRM": {
      const campaign = experiment.crm_campaign_id ?? "";
      const field = integration.config.results_field;
      const body = {
        Status: CAMPAIGN_STATUS[experiment.status],
        ...(field && experiment.status === "COMPLETED" ? { [String(field)]: toComment(experiment, results) } : {}),
      };
      const path = crmObject(integration, "Campaign", campaign);
      return { event: "campaign_status", subject: campaign, request: { method: "PATCH", path, body } };
    }
  }
}

function isDots(name: string | undefined): boolean {
  return name === undefined || /^\.+$/.test(name);
}
