/** The tabs of a flag's page. */
export const TABS = ["rules", "variants", "who", "schedule", "safety", "settings", "history"] as const;
export type FlagTab = (typeof TABS)[number];
