import { type Assignment, toAssignment } from "../format/assignment.ts";
import type { ExperimentProgram, ExperimentReason, Outcome } from "../format/program.ts";
import { linkDecision } from "./decision.ts";
import type { Links, Run } from "./links.ts";

/** An experiment linked to one function; assign users with `assign`. */
export interface LinkedExperiment {
  readonly program: ExperimentProgram;
  readonly run: Run<Assignment>;
}

/** Links an experiment. Never throws: an invalid experiment assigns no users. */
export function linkExperiment(program: ExperimentProgram, links: Links): LinkedExperiment {
  try {
    return { program, run: linkRun(program, links) };
  } catch {
    const failed = toAssignment(program.control, "ERROR");
    return { program, run: () => failed };
  }
}

function linkRun(program: ExperimentProgram, links: Links): Run<Assignment> {
  const { control, feature_flag_key } = program;
  const rejected = toAssignment(control, "TARGETING");
  const answer = ({ variant = control, reason, forced }: Outcome<ExperimentReason>) =>
    // Participants of an experiment over a flag get the flag's answer.
    reason === "FLAG" ? null : toAssignment(variant, reason, forced);
  const decide = linkDecision(program.decision, program, answer, rejected, links);
  if (feature_flag_key === undefined) return decide as Run<Assignment>;

  return (context, now) => {
    const decided = decide(context, now);
    const flag = links.flag(feature_flag_key);
    if (decided === null) {
      const served = flag?.run(context, now);
      if (served && served.variant !== null) {
        return toAssignment(served.variant, served.forced ? "OVERRIDE" : "ASSIGNED", served.forced);
      }
    }
    const given = decided ?? rejected;
    if (given.assigned || control !== "") return given;
    return toAssignment(flag?.program.control ?? "", given.reason);
  };
}
