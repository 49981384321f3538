import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

const derive = promisify<string, Buffer, number, { N: number; r: number; p: number; maxmem: number }, Buffer>(scrypt);
const COST = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 };
const LENGTH = 32;

/** A salted scrypt hash, with its parameters: `scrypt$N$r$p$salt$hash`. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(password.normalize("NFKC"), salt, LENGTH, COST);
  return ["scrypt", COST.N, COST.r, COST.p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}

/** Compares in constant time; against no hash at all it takes as long and is false. */
export async function verifyPassword(password: string, stored: string | null): Promise<boolean> {
  const [, N, r, p, salt, hash] = (stored ?? UNKNOWN).split("$");
  const cost = { N: Number(N), r: Number(r), p: Number(p), maxmem: COST.maxmem };
  const expected = Buffer.from(hash!, "base64url");
  const actual = await derive(password.normalize("NFKC"), Buffer.from(salt!, "base64url"), expected.length, cost);
  return timingSafeEqual(actual, expected) && stored !== null;
}

/** What a login of an unknown name is checked against, so that it takes as long as one of a known name. */
const UNKNOWN = `scrypt$${COST.N}$${COST.r}$${COST.p}$${Buffer.alloc(16).toString("base64url")}$${Buffer.alloc(LENGTH).toString("base64url")}`;
