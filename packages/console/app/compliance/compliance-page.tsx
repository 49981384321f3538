import { TEXT } from "../text.ts";
import { Person } from "./person.tsx";
import { Reports } from "./reports.tsx";
import { Trail } from "./trail.tsx";

const { compliance: text } = TEXT;

/** What an auditor or a person asks for: their data, the sealed trail, and reports. */
export function CompliancePage() {
  return (
    <div className="page">
      <h1>{text.title}</h1>
      <Person />
      <Trail />
      <Reports />
    </div>
  );
}
