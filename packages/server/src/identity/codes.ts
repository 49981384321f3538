import { randomInt } from "node:crypto";
import { isApiError } from "../ground/errors.ts";
import { type Runtime, timestampOf } from "../ground/runtime.ts";
import { SYSTEM } from "../storage/change.ts";
import type { Collection, CollectionOptions, Document } from "../storage/collection.ts";
import type { Passwords } from "./passwords.ts";

export type CodePurpose = "CONFIRM" | "RESET";

/** A one-time code as stored: only its hash. */
export interface CodeRecord extends Document {
  user_id: string;
  purpose: CodePurpose;
  code_hash: string;
  tries_left: number;
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
 * Codes that verify an e-mail address: valid for 15 minutes, five tries, one use. A new code replaces the previous one.
 */
export interface Codes {
  /** Creates a code such as `K7QM-2XHT`. Stores only its hash. */
  issue(userId: string, purpose: CodePurpose): Promise<string>;
  /** Uses up a try, and the code if it is correct. Without a user it takes as long and returns false. */
  redeem(userId: string | undefined, purpose: CodePurpose, code: string): Promise<boolean>;
}

export const CODE_MINUTES = 15;
const TRIES = 5;
const LENGTH = 8;
/** Without characters that look alike; 31^8 is close to 40 bits. */
const ALPHABET = "ABCDEFGHJKMNPQRSTUVWXYZ23456789";

export function createCodes(deps: { runtime: Runtime; codes: Collection<CodeRecord>; passwords: Passwords }): Codes {
  const { runtime, codes, passwords } = deps;
  const by = (action: string) => ({ actor: SYSTEM, action });
  const find = (userId: string, purpose: CodePurpose) => codes.findBy("owner", ownerOf(userId, purpose));

  /** Deducts a try before the comparison, so that concurrent tries all count. */
  async function takeTry(record: CodeRecord): Promise<boolean> {
    let allowed = false;
    const spent = await isDone(
      codes.update(
        record.id,
        (current) => {
          allowed = current.tries_left > 0 && Date.parse(current.expires_at) > runtime.now();
          return allowed ? { ...current, tries_left: current.tries_left - 1 } : current;
        },
        by("code.try"),
      ),
    );
    return spent && allowed;
  }

  return {
    async issue(userId, purpose) {
      const code = Array.from({ length: LENGTH }, () => ALPHABET[randomInt(ALPHABET.length)]).join("");
      const fields = {
        code_hash: await passwords.hash(code),
        tries_left: TRIES,
        expires_at: timestampOf(runtime.now() + CODE_MINUTES * 60_000),
      };
      const existing = find(userId, purpose);
      if (existing) await codes.update(existing.id, (current) => ({ ...current, ...fields }), by("code.send"));
      else await codes.insert({ user_id: userId, purpose, ...fields }, by("code.send"));
      return `${code.slice(0, 4)}-${code.slice(4)}`;
    },
    async redeem(userId, purpose, code) {
      const record = userId === undefined ? undefined : find(userId, purpose);
      const allowed = record !== undefined && (await takeTry(record));
      const plain = code.replace(/[\s-]/g, "").toUpperCase();
      if (!(await passwords.verify(plain, allowed ? record.code_hash : null)) || !record) return false;
      // If two requests send the right code at once, the one that removes it wins.
      return isDone(codes.remove(record.id, by("code.use")));
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
