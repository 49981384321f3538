import { createHash } from "node:crypto";
import { CurrentApiKey, type Scope } from "@assay/contract";
import type { Directory } from "./ground/directory.ts";
import type { Settings } from "./ground/option.ts";
import { Refusal, unavailable } from "./ground/refusal.ts";
import { connectAs, detailOf, parse } from "./ground/upstream.ts";

/** What the credentials of a request are. */
export interface Credentials {
  key: string;
  /** The `Origin` of the request; null without one. */
  origin: string | null;
}

/** Decides who may use the relay: whom the upstream lets in. */
export interface Access {
  /**
   * Returns what a key may do. Asks the upstream for an unknown key, and again after `keyTtlMs`. While the upstream does
   * not respond, its last answer counts.
   * @throws Refusal 401, 403, 503 if the upstream does not respond and has never accepted the key
   */
  admit(credentials: Credentials, scope: Scope): Promise<CurrentApiKey>;
  /** Whether a key has been refused since it was admitted. Asks the upstream as `admit` does. */
  hasLost(credentials: Credentials, scope: Scope): Promise<boolean>;
  close(): Promise<void>;
}

interface Known {
  key: CurrentApiKey;
  /** When the upstream last accepted the key, and when it was last asked, in milliseconds since 1970. */
  acceptedAt: number;
  askedAt: number;
}

const FILE = "keys.json";
/** How long a refused key is refused without asking again, so that wrong keys cost the upstream little. */
const REFUSED_MS = 5_000;
const MAX_REFUSED = 10_000;
/** Questions to the upstream at a time. */
const MAX_QUESTIONS = 32;
const SAVE_MS = 5_000;

const invalid = () => new Refusal(401, "Invalid API key");
const forbidden = (needed: string) => new Refusal(403, `Not enough permissions: ${needed} required`);

/** Opens the keys that the upstream has accepted. The directory contains their hashes only. */
export async function openAccess(directory: Directory, settings: Settings): Promise<Access> {
  const { keyTtlMs, outageMs, now, logger } = settings;
  const known = new Map<string, Known>(readKnown(await directory.read(FILE)));
  const refused = new Map<string, number>();
  const questions = new Map<string, Promise<void>>();
  let isSaved = true;
  let saving = Promise.resolve();
  const saves = setInterval(() => void save(), SAVE_MS).unref();

  /** Writes one after the other. */
  function save(): Promise<void> {
    saving = saving.then(write);
    return saving;
  }

  async function write(): Promise<void> {
    if (isSaved) return;
    isSaved = true;
    const oldest = now() - outageMs;
    for (const [id, { acceptedAt }] of known) if (acceptedAt < oldest) known.delete(id);
    await directory.replace(FILE, JSON.stringify([...known])).catch((error: Error) => {
      logger.warn(`The known keys cannot be written: ${error.message}`);
    });
  }

  /** Asks the upstream. A known key stays known if there is no answer. @throws Refusal for an unknown key */
  async function ask(id: string, { key, origin }: Credentials): Promise<void> {
    const before = known.get(id);
    const response = await connectAs(settings, key, origin)
      .request({ path: "/api-keys/current", headers: {} })
      .catch(() => undefined);
    const answer = response?.status === 200 ? CurrentApiKey.safeParse(parse(response.text)) : undefined;
    if (answer?.success) {
      known.set(id, { key: answer.data, acceptedAt: now(), askedAt: now() });
      isSaved = false;
      // A restart must not lose it, because the upstream may be down then.
      if (!before) await save();
      return;
    }
    const detail = response && detailOf(response);
    if (detail !== undefined && response?.status === 401) {
      if (known.delete(id)) isSaved = false;
      if (refused.size >= MAX_REFUSED) refused.clear();
      refused.set(id, now());
      throw invalid();
    }
    // The origin of this request, or the scopes of the key: not an answer for every request with the key.
    if (detail !== undefined && response?.status === 403) throw new Refusal(403, detail);
    if (before && now() - before.acceptedAt < outageMs) before.askedAt = now();
    else throw unavailable("The relay cannot check the API key: its upstream does not respond", 5);
  }

  function askOnce(id: string, credentials: Credentials): Promise<void> {
    // The upstream checks the origin too.
    const name = `${id} ${credentials.origin}`;
    const asked = questions.get(name);
    if (asked) return asked;
    if (questions.size >= MAX_QUESTIONS) throw unavailable("The relay is checking too many API keys", 1);
    const question = ask(id, credentials).finally(() => questions.delete(name));
    questions.set(name, question);
    return question;
  }

  async function admit(credentials: Credentials, scope: Scope): Promise<CurrentApiKey> {
    const id = createHash("sha256").update(credentials.key).digest("base64url");
    if (now() - (refused.get(id) ?? -Infinity) < REFUSED_MS) throw invalid();
    const age = now() - (known.get(id)?.askedAt ?? -Infinity);
    // A key in constant use is checked again beside its requests.
    if (age >= 2 * keyTtlMs) await askOnce(id, credentials);
    else if (age >= keyTtlMs && questions.size < MAX_QUESTIONS) askOnce(id, credentials).catch(() => {});
    const key = known.get(id)?.key;
    if (!key || (key.expires_at !== null && Date.parse(key.expires_at) <= now())) throw invalid();
    if (!key.scopes.includes(scope)) throw forbidden(`scope ${scope}`);
    if (key.kind === "CLIENT" && key.allowed_origins.length > 0) {
      if (credentials.origin === null || !key.allowed_origins.includes(credentials.origin)) {
        throw forbidden("an allowed origin");
      }
    }
    return key;
  }

  return {
    admit,
    async hasLost(credentials, scope) {
      const refusal = await admit(credentials, scope).then(
        () => undefined,
        (error: unknown) => error,
      );
      return refusal instanceof Refusal && refusal.status < 500;
    },
    async close() {
      clearInterval(saves);
      await save();
    },
  };
}

function readKnown(text = "[]"): [string, Known][] {
  try {
    // After a restart, the upstream is asked again.
    return (JSON.parse(text) as [string, Known][]).map(([id, known]) => [id, { ...known, askedAt: 0 }]);
  } catch {
    return [];
  }
}
