import { V7Generator } from "uuidv7";

/** Numbers drawn at once. Every request has an id, and a call for the randomness of one costs more than the id itself. */
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

/** A new UUIDv7, later in order than the one before it. */
export const newId = (): string => generator.generate().toString();
