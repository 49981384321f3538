/** The name of the events journal. Analysis compacts it, so it only contains records that are not in a chunk yet. */
export const EVENTS_JOURNAL = "events";
