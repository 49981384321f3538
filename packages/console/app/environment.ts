/** The search parameter that names the environment, in every link of the console. */
export const PARAMETER = "environment";

/**
 * The environment of this page; undefined for the default one of the server. It does not change while the page is open, so
 * that nothing of one environment is ever shown as that of another.
 */
export const ENVIRONMENT = toEnvironment(new URLSearchParams(location.search).get(PARAMETER));

/** Returns the name in a search parameter. The router puts names such as `2026` in quotes. */
export function toEnvironment(value: unknown): string | undefined {
  return value === undefined || value === null ? undefined : String(value).replaceAll('"', "") || undefined;
}

/** Opens the list of flags in another environment. */
export function openEnvironment(name: string, flags: URL): void {
  flags.searchParams.set(PARAMETER, name);
  location.assign(flags);
}
