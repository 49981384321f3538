import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";

interface Cost {
  N: number;
  r: number;
  p: number;
  maxmem: number;
}

const derive = promisify<string, Buffer, number, Cost, Buffer>(scrypt);
const LENGTH = 32;

/** The default scrypt cost N: about 80 ms and 32 MB per password. */
const DEFAULT_PASSWORD_COST = 2 ** 15;

/** Hashes and checks passwords. Each hash contains its parameters, so operators can raise the cost at any time. */
export interface Passwords {
  /** A salted hash, `scrypt$N$r$p$salt$hash`. */
  hash(password: string): Promise<string>;
  /** Compares in constant time. Without a stored hash it takes as long and returns false. */
  verify(password: string, stored: string | null): Promise<boolean>;
}

/** @param cost scrypt's N, a power of two */
export function createPasswords(cost: number = DEFAULT_PASSWORD_COST): Passwords {
  const unknown = format(costOf(cost), Buffer.alloc(16), Buffer.alloc(LENGTH));
  return {
    async hash(password) {
      const salt = randomBytes(16);
      return format(costOf(cost), salt, await derive(password.normalize("NFKC"), salt, LENGTH, costOf(cost)));
    },
    async verify(password, stored) {
      const [, N, r, p, salt, hash] = (stored ?? unknown).split("$");
      const expected = Buffer.from(hash!, "base64url");
      const actual = await derive(
        password.normalize("NFKC"),
        Buffer.from(salt!, "base64url"),
        expected.length,
        costOf(Number(N), Number(r), Number(p)),
      );
      return timingSafeEqual(actual, expected) && stored !== null;
    },
  };
}

function costOf(N: number, r = 8, p = 1): Cost {
  // scrypt needs 128 N r bytes. Node rejects more than 32 MB unless `maxmem` is set.
  return { N, r, p, maxmem: 256 * N * r };
}

function format({ N, r, p }: Cost, salt: Buffer, hash: Buffer): string {
  return ["scrypt", N, r, p, salt.toString("base64url"), hash.toString("base64url")].join("$");
}
