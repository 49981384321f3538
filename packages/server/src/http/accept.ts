import Negotiator from "negotiator";

/**
 * The one of some media types that `Accept` likes better than JSON; undefined where it is JSON that is to be answered, as
 * for everything that only a wildcard asks for.
 */
export function preferredOver(accept: string | null, types: readonly string[]): string | undefined {
  const [best] = new Negotiator({ headers: { accept: accept ?? "" } }).mediaTypes(["application/json", ...types]);
  return types.find((type) => type === best);
}
