import Negotiator from "negotiator";

/**
 * Returns the media type in `types` that `Accept` prefers to JSON, or undefined if JSON wins, also if only a wildcard
 * matches.
 */
export function preferredOver(accept: string | null, types: readonly string[]): string | undefined {
  const [best] = new Negotiator({ headers: { accept: accept ?? "" } }).mediaTypes(["application/json", ...types]);
  return types.find((type) => type === best);
}
