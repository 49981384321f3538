/** The journal of events; analysis compacts it, so its oldest records are those not yet in a chunk. */
export const EVENTS_JOURNAL = "events";
