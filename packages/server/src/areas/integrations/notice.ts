import type { LifecycleAction } from "@assay/contract";
import type { ExperimentRecord } from "../../model/experiment.ts";
import type { IntegrationRecord } from "./record.ts";
import { actionOf } from "./transitions.ts";

/** The parsed meaning of a webhook. */
export interface Notice {
  event: string;
  /** Issue, campaign or pull request. */
  subject: string | null;
  concerns(experiment: ExperimentRecord): boolean;
  /** The action to perform, or null. */
  action: LifecycleAction | "NOTE" | null;
  /** Applies only to running experiments. Ignores others silently. */
  onlyActive?: true;
  /** The reason of the action, or of doing nothing. */
  reason: string;
}

type Json = Record<string, unknown>;

const STATUS_EVENT = /^(jira:)?issue_(created|updated|transitioned)$/i;

/** Parses an event of an issue tracker. Only a changed status has an effect. */
export function trackerNotice(integration: IntegrationRecord, body: Json): Notice {
  const issue = objectIn(body, "issue");
  const key = textIn(issue, "key");
  const event = textIn(body, "webhookEvent") ?? "issue";
  const status = statusOf(body, issue, event);
  return {
    event,
    subject: key,
    concerns: ({ tracker_issue_key }) => key !== null && tracker_issue_key === key,
    ...fromStatus(integration, status, `Issue ${key ?? "without key"}`),
  };
}

function statusOf(body: Json, issue: Json, event: string): string | null {
  const { items } = objectIn(body, "changelog");
  if (Array.isArray(items)) {
    const change = items.map(asObject).find((item) => textIn(item, "field")?.toLowerCase() === "status");
    return change ? textIn(change, "toString") : null;
  }
  // Without a changelog an automation rule sent the issue, unless it is another kind of event.
  if (event !== "issue" && !STATUS_EVENT.test(event)) return null;
  return textIn(objectIn(objectIn(issue, "fields"), "status"), "name");
}

/** Parses an event of a CRM about a campaign. */
export function crmNotice(integration: IntegrationRecord, body: Json): Notice {
  const campaign = textIn(body, "campaign_id");
  const experimentKey = textIn(body, "experiment_key");
  return {
    event: textIn(body, "event_type") ?? "campaign",
    subject: campaign,
    concerns: ({ key, crm_campaign_id }) =>
      experimentKey !== null ? key === experimentKey : campaign !== null && crm_campaign_id === campaign,
    ...fromStatus(integration, textIn(body, "status"), `Campaign ${campaign ?? "without id"}`),
  };
}

function fromStatus(integration: IntegrationRecord, status: string | null, what: string) {
  if (status === null) return { action: null, reason: "No status has changed" };
  const action = actionOf(integration, status);
  return {
    action,
    reason: action ? `${what} is ${short(status)}` : `No action is configured for the status ${short(status)}`,
  };
}

/** Parses an event of a code host: the outcome of a pull request. */
export function codehostNotice(event: string, body: Json): Notice {
  const pullRequest = objectIn(body, "pull_request");
  const repository = textIn(objectIn(body, "repository"), "full_name");
  const number = body.number;
  const subject = repository !== null && Number.isSafeInteger(number) ? `${repository}#${number}` : null;
  const concerns = ({ code_pull_request }: ExperimentRecord) =>
    subject !== null && code_pull_request?.toLowerCase() === subject.toLowerCase();
  const isClosed = event === "pull_request" && body.action === "closed";
  if (!isClosed) return { event, subject, concerns, action: null, reason: "Only closed pull requests have an effect" };
  const name = `Pull request ${subject ?? ""} "${short(textIn(pullRequest, "title") ?? "")}"`;
  if (pullRequest.merged === true) return { event, subject, concerns, action: "NOTE", reason: `${name} was merged` };
  return { event, subject, concerns, action: "PAUSE", onlyActive: true, reason: `${name} was closed without a merge` };
}

function short(text: string): string {
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

function objectIn(value: Json, field: string): Json {
  return asObject(Object.hasOwn(value, field) ? value[field] : undefined);
}

function asObject(value: unknown): Json {
  return value !== null && typeof value === "object" && !Array.isArray(value) ? (value as Json) : {};
}

/** Returns a text field of an object. Ids may be numbers. */
function textIn(value: Json, field: string): string | null {
  const found = Object.hasOwn(value, field) ? value[field] : undefined;
  if (typeof found === "number") return String(found);
  return typeof found === "string" && found !== "" ? found.slice(0, 1024) : null;
}
