/** A warning to the sender about an event that is stored. */
export interface Concern {
  code:
    | "UNKNOWN_EXPERIMENT"
    | "EXPERIMENT_NOT_RUNNING"
    | "UNKNOWN_VARIANT"
    | "UNKNOWN_FLAG"
    | "FLAG_NOT_ACTIVE"
    | "NOT_VISIBLE";
  msg: string;
}

/** The warning to CLIENT keys about everything that they cannot read, so that it does not confirm what exists. */
export const NOT_VISIBLE: Concern = {
  code: "NOT_VISIBLE",
  msg: "CLIENT keys cannot read an experiment or flag that the event names; Assay counts it only if they exist and accept events",
};
