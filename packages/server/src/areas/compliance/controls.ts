/** One control of a framework, and the audit actions that are evidence for it. */
export interface Control {
  id: string;
  name: string;
  /** Prefixes of actions. */
  evidence: string[];
}

const SIGN_IN = ["auth.", "token.", "session."];
const KEYS = ["api_key."];
const PEOPLE = ["user."];
const RIGHTS = ["role.", "grant.", "user.role", "user.update"];
const CHANGES = ["feature_flag.", "experiment.", "segment.", "rollout", "holdout.", "mutual_exclusion", "integration."];
const FAILURES = ["auth.login_failed", "auth.refresh_reuse", "auth.locked", "token.refused", "api_key.refused"];
const DENIALS = ["access.denied"];
const PRIVACY = ["person.", "audit.redact"];
const EXPORTS = ["compliance.", "person.export"];

/** AICPA Trust Services Criteria, 2017. */
export const SOC2_CONTROLS: Control[] = [
  { id: "CC4.1", name: "Monitoring of controls", evidence: EXPORTS },
  { id: "CC6.1", name: "Logical access is authenticated", evidence: [...SIGN_IN, ...KEYS] },
  { id: "CC6.2", name: "Users are registered before they get access and removed after", evidence: PEOPLE },
  { id: "CC6.3", name: "Access rights are granted, changed and removed by role", evidence: [...RIGHTS, ...DENIALS] },
  { id: "CC6.6", name: "Access from outside is refused without credentials", evidence: FAILURES },
  { id: "CC7.2", name: "Anomalies are recorded", evidence: [...FAILURES, ...DENIALS] },
  { id: "CC8.1", name: "Changes are made by authorised people and recorded", evidence: CHANGES },
  { id: "P4.3", name: "Personal information is disposed of", evidence: PRIVACY },
];

/** ISO/IEC 27001:2022, Annex A. */
export const ISO27001_CONTROLS: Control[] = [
  { id: "A.5.15", name: "Access control", evidence: [...SIGN_IN, ...KEYS, ...RIGHTS, ...DENIALS] },
  { id: "A.5.16", name: "Identity management", evidence: PEOPLE },
  { id: "A.5.17", name: "Authentication information", evidence: ["auth.", ...KEYS] },
  { id: "A.5.18", name: "Access rights", evidence: RIGHTS },
  { id: "A.5.28", name: "Collection of evidence", evidence: EXPORTS },
  { id: "A.5.34", name: "Privacy and protection of personal information", evidence: PRIVACY },
  {
    id: "A.8.2",
    name: "Privileged access rights",
    evidence: ["role.", "grant.", "user.role", "api_key.create", "api_key.rotate"],
  },
  { id: "A.8.5", name: "Secure authentication", evidence: SIGN_IN },
  { id: "A.8.10", name: "Information deletion", evidence: ["person.erase", "audit.redact"] },
  { id: "A.8.16", name: "Monitoring activities", evidence: [...FAILURES, ...DENIALS] },
  { id: "A.8.32", name: "Change management", evidence: CHANGES },
];

/** Counts the entries that are evidence for a control, by action. */
export function evidenceFor({ evidence }: Control, actions: Map<string, number>): Record<string, number> {
  const found = [...actions].filter(([action]) => evidence.some((start) => action.startsWith(start)));
  return Object.fromEntries(found.sort(([a], [b]) => (a < b ? -1 : 1)));
}
