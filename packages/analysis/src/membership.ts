import type { ChunkColumns } from "./event-log.ts";
import { EXPOSES, JOINS, JOINS_MEMBERS } from "./selection.ts";

/** The exposures and joins of some chunks, which decide whose outcomes an answer depends on. */
export interface Membership {
  /** By user: 1 for those exposed, and those joined in an experiment. It ends with the last of them. */
  readonly exposed: Uint8Array;
  /** Pairs of joined users, one after the other. */
  readonly joins: readonly number[];
  /** Adds the exposures and joins of a chunk. */
  add(chunk: ChunkColumns, roles: Uint8Array): void;
  /** Bytes of memory. */
  readonly bytes: number;
}

export function createMembership(): Membership {
  let exposed = new Uint8Array();
  const joins: number[] = [];

  function expose(user: number): void {
    if (user >= exposed.length) {
      const larger = new Uint8Array(Math.max(user + 1, Math.ceil(exposed.length * 1.5)));
      larger.set(exposed);
      exposed = larger;
    }
    exposed[user] = 1;
  }

  return {
    get exposed() {
      return exposed;
    },
    joins,
    get bytes() {
      return exposed.length + 8 * joins.length;
    },
    add({ users, kinds, values }, roles) {
      // Hot path: ten million rows.
      for (let row = 0; row < users.length; row++) {
        const role = roles[kinds[row]!]!;
        if (role === EXPOSES) expose(users[row]!);
        else if (role === JOINS || role === JOINS_MEMBERS) {
          joins.push(users[row]!, values[row]!);
          if (role === JOINS) continue;
          expose(users[row]!);
          expose(values[row]!);
        }
      }
    },
  };
}

/** Returns by user, of so many, 1 for those exposed and all that are joined with them. */
export function membersOf(parts: readonly Membership[], users: number): Uint8Array {
  const members = new Uint8Array(users);
  for (const { exposed } of parts) {
    const end = Math.min(users, exposed.length);
    for (let user = 0; user < end; user++) if (exposed[user] === 1) members[user] = 1;
  }
  if (parts.every(({ joins }) => joins.length === 0)) return members;
  const parents = Uint32Array.from({ length: users }, (_, user) => user);
  for (const { joins } of parts) {
    for (let at = 0; at < joins.length; at += 2) {
      const [a, b] = [rootOf(parents, joins[at]!), rootOf(parents, joins[at + 1]!)];
      parents[Math.max(a, b)] = Math.min(a, b);
    }
  }
  const isIn = new Uint8Array(users);
  for (let user = 0; user < users; user++) if (members[user] === 1) isIn[rootOf(parents, user)] = 1;
  for (let user = 0; user < users; user++) members[user] = isIn[rootOf(parents, user)]!;
  return members;
}

function rootOf(parents: Uint32Array, user: number): number {
  let root = user;
  while (parents[root] !== root) {
    // Halves the path, so that a long chain is walked once.
    parents[root] = parents[parents[root]!]!;
    root = parents[root]!;
  }
  return root;
}
