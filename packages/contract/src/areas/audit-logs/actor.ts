/** Who acts: a signed-in user, a key, the server itself, or a webhook of an integration. */
export const ACTOR_TYPES = ["USER", "API_KEY", "SYSTEM", "WEBHOOK"] as const;
