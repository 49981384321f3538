/** The kinds of actors: a signed-in user, an API key, the server, or a webhook of an integration. */
export const ACTOR_TYPES = ["USER", "API_KEY", "SYSTEM", "WEBHOOK"] as const;
