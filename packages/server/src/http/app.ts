import { H3, type H3Config, type H3Event } from "h3-v2";
import { observationOf } from "./observation.ts";

/** Maximum number of remembered paths, and their maximum length in characters: half a megabyte in total. */
const MAX_PATHS = 1_000;
const MAX_PATH_LENGTH = 256;

/** The pattern of the route for unknown paths and methods. */
export const ANY_PATH = "/**";

type Match = ReturnType<H3["~findRoute"]>;

/**
 * An h3 app that remembers the routes of recent paths, because clients repeat them. Splitting a path and walking the
 * tree of 160 routes takes about a twentieth of an evaluation over HTTP (`pnpm bench --only=http`).
 */
class App extends H3 {
  readonly #recent = new Map<string, Match>();

  override "~findRoute"(event: H3Event): Match {
    const match = this.#find(event);
    const observation = observationOf(event.req);
    const template = match?.data.route;
    if (observation && template !== undefined && template !== ANY_PATH) observation.route = template;
    return match;
  }

  #find(event: H3Event): Match {
    const { pathname } = event.url;
    if (pathname.length > MAX_PATH_LENGTH) return super["~findRoute"](event);
    const name = `${event.req.method} ${pathname}`;
    const known = this.#recent.get(name);
    if (known) return known;
    const found = super["~findRoute"](event);
    if (this.#recent.size >= MAX_PATHS) this.#recent.clear();
    this.#recent.set(name, found);
    return found;
  }

  override "~addRoute"(...route: Parameters<H3["~addRoute"]>): void {
    this.#recent.clear();
    super["~addRoute"](...route);
  }
}

export function createApp(config: H3Config): H3 {
  return new App(config);
}
