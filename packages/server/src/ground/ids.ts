import { V7Generator } from "uuidv7";

/** Random numbers, generated in bulk: every request needs an id, and a random call for each costs more than the id. */
const pool = new Uint32Array(2048);
let next = pool.length;

function nextUint32(): number {
  if (next === pool.length) {
    crypto.getRandomValues(pool);
    next = 0;
  }
  return pool[next++]!;
}

const generator = new V7Generator({ nextUint32 });

/** Returns a new UUIDv7 that sorts after the previous one. */
export const newId = (): string => generator.generate().toString();
