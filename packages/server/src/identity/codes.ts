import { randomInt } from "node:crypto";
import type { Store } from "@assay/store";
import { isApiError } from "../ground/errors.ts";
import { type Runtime, timestampOf } from "../ground/runtime.ts";
import type { Actor } from "../storage/change.ts";
import type { Collection, CollectionOptions, Document } from "../storage/collection.ts";
import { networkOf } from "./network.ts";
import type { Passwords } from "./passwords.ts";
import { createAttempts } from "./shared-attempts.ts";
import type { Trail } from "./trail.ts";

export type CodePurpose = "CONFIRM" | "RESET";

/** A one-time code as stored: only its hash. */
export interface CodeRecord extends Document {
  user_id: string;
  purpose: CodePurpose;
  code_hash: string;
  expires_at: string;
}

export const codeCollection: CollectionOptions<CodeRecord> = {
  name: "codes",
  resource: "code",
  title: (code) => code.purpose,
  secret: ["code_hash"],
  unique: {
    owner: { of: (code) => ownerOf(code.user_id, code.purpose), taken: () => "A code already exists" },
  },
};

/**
 * Codes that verify an e-mail address: valid for 15 minutes, five tries per client network, one use. A new code replaces
 * the previous one.
 */
export interface Codes {
  /** Creates a code such as `K7QM-2XHT`. Stores only its hash. */
  issue(userId: string, purpose: CodePurpose, actor: Actor): Promise<string>;
  /**
   * Uses up a try, and the code if it is correct. Records a wrong code in the audit trail. Without a user it takes as
   * long and returns false.
   */
  redeem(userId: string | undefined, purpose: CodePurpose, code: string, actor: Actor): Promise<boolean>;
}

export const CODE_MINUTES = 15;
const TRIES = 5;
const LENGTH = 8;
/** Without characters that look alike; 31^8 is close to 40 bits. */
const ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

export function createCodes(deps: {
  store: Store;
  runtime: Runtime;
  codes: Collection<CodeRecord>;
  passwords: Passwords;
  trail: Pick<Trail, "record">;
}): Codes {
  const { store, runtime, codes, passwords, trail } = deps;
  const find = (userId: string, purpose: CodePurpose) => codes.findBy("owner", ownerOf(userId, purpose));
  /** By code and client network. The version identifies the code, because a new code is a new version. */
  const tries = createAttempts(store, runtime, "codes");

  /**
   * Deducts a try before the comparison, so that concurrent tries all count, on every server. Counts per client network,
   * so that wrong codes of strangers do not block the owner of the account.
   */
  async function takeTry(record: CodeRecord, actor: Actor): Promise<boolean> {
    const name = `${record.id} ${record.version} ${networkOf(actor.ip)}`;
    const taken = await tries.add(name, (known) => (known?.count ?? 0) < TRIES);
    return taken !== null && Date.parse(record.expires_at) > runtime.now();
  }

  return {
    async issue(userId, purpose, actor) {
      const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
      const fields = {
        code_hash: await passwords.hash(code),
        expires_at: timestampOf(runtime.now() + CODE_MINUTES * 60_000),
      };
      const by = { actor, action: "code.send" };
      const existing = find(userId, purpose);
      if (existing) await codes.update(existing.id, (current) => ({ ...current, ...fields }), by);
      else await codes.insert({ user_id: userId, purpose, ...fields }, by);
      return `${code.slice(0, 4)}-${code.slice(4)}`;
    },
    async redeem(userId, purpose, code, actor) {
      const record = userId === undefined ? undefined : find(userId, purpose);
      const allowed = record !== undefined && (await takeTry(record, actor));
      const plain = code.replace(/[\s-]/g, "").toUpperCase();
      const matches = await passwords.verify(plain, allowed ? record.code_hash : null);
      if (!record) return false;
      if (!matches) {
        const of = { resource_type: "code", resource_id: record.id, resource_name: purpose };
        trail.record({ action: "code.try", actor, ...of, detail: { user_id: record.user_id } });
        return false;
      }
      // If two requests send the right code at once, the one that removes it wins.
      const owner: Actor = { ...actor, actor_id: record.user_id };
      return isDone(codes.remove(record.id, { actor: owner, action: "code.use" }));
    },
  };
}

/** Whether a write succeeded. False if another writer was faster. */
async function isDone(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (isApiError(error)) return false;
    throw error;
  }
}

function ownerOf(userId: string, purpose: CodePurpose): string {
  return `${purpose} ${userId}`;
}
