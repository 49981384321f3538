import type { EventKind } from "./event-kind.ts";
import type { ChunkColumns, EventLog } from "./event-log.ts";
import { joinPieces, usersOf } from "./joined-pieces.ts";
import { createMembership, membersOf } from "./membership.ts";
import { bytesOf, emptyPiece, type Filter, isOfEveryone, type Piece, toPiece } from "./piece.ts";
import type { Segment } from "./segment.ts";
import { countsAt, createEras, EXPOSES, JOINS, JOINS_MEMBERS, OUTCOME, type Selection, TIMED } from "./selection.ts";

/** The log as an extract sees it. */
export interface Source {
  segments: readonly Segment[];
  kinds: readonly EventKind[];
  /** The rows that are in no chunk yet. */
  open: ChunkColumns;
  /** Number of users in the chunks, and in all. */
  sealedUsers: number;
  users: number;
}

/** What to read next from some chunks: who is exposed, the rows, or the names of users. */
export interface Want {
  pass: "MEMBERS" | "ROWS" | "NAMES";
  /** The chunks, by the position of their last record. */
  segments: number[];
}

/** The part of a log that the answers to some questions depend on. It grows with the log. */
export interface Extract {
  readonly bytes: number;
  /** Returns what it needs to be complete; null if nothing. */
  wants(source: Source): Want | null;
  read(source: Source, pass: Want["pass"], chunk: ChunkColumns): void;
  /** Returns the extract as a log, with users numbered anew in the same order. */
  toLog(source: Source): EventLog;
}

const DAY = 86_400_000;

/** Creates an extract that has read nothing. */
export function createExtract(selection: Selection): Extract {
  const eraOf = createEras(selection);
  const sealed = createMembership();
  /** Chunks whose exposures and joins are known. */
  const seen = new Set<number>();
  const pieces = new Map<number, Piece>();
  /** Chunks that may have more rows of new members. */
  const stale = new Set<number>();
  /** The members whose rows the pieces have. */
  let members: Uint8Array = new Uint8Array();
  let earliest = Number.POSITIVE_INFINITY;
  const names = new Map<number, string>();
  const named = new Set<number>();
  let roles: Uint8Array = new Uint8Array();

  function rolesOf(kinds: readonly EventKind[]): Uint8Array {
    if (roles.length !== kinds.length) roles = Uint8Array.from(kinds, selection.roleOf);
    return roles;
  }

  const filterOf = ({ kinds }: Source): Filter => ({ selection, roles: rolesOf(kinds), members, earliest, eraOf });

  /** Notes who is a member with the rows that are in no chunk yet. Pieces that may lack rows of new ones become stale. */
  function admit(source: Source): void {
    const open = createMembership();
    open.add(source.open, rolesOf(source.kinds));
    const since = earliestOf(source, rolesOf(source.kinds)) - selection.lookbackMs;
    const now = membersOf([sealed, open], source.users);
    const isEarlier = since < earliest;
    // A whole day, so that an exposure that arrives late seldom changes it.
    if (isEarlier) earliest = Math.floor(since / DAY) * DAY;
    let first = isEarlier ? 0 : Number.POSITIVE_INFINITY;
    for (let user = 0; user < source.sealedUsers && first === Number.POSITIVE_INFINITY; user++) {
      if (now[user] === 1 && members[user] !== 1) first = user;
    }
    members = now;
    for (const segment of source.segments) {
      const { through, users } = segment;
      if (pieces.has(through) && first < users && dependsOnMembers(segment, source)) stale.add(through);
    }
  }

  function dependsOnMembers({ kinds }: Segment, source: Source): boolean {
    const roleOf = rolesOf(source.kinds);
    return kinds.some(([kind, , last]) => {
      const role = roleOf[kind]!;
      return role === JOINS || (role === OUTCOME && last >= earliest);
    });
  }

  /** Whether a chunk must be read for its rows, or for the times at which its records were received. */
  function isNeeded(segment: Segment, source: Source): boolean {
    const { kinds, days } = segment;
    if (days.some(({ earliest: from, latest }) => eraOf(from) !== eraOf(latest))) return true;
    const roleOf = rolesOf(source.kinds);
    const counts = selection.lookbackMs > 0 || days.some(({ at }) => countsAt(selection, at));
    return kinds.some(([kind, from, to]) => {
      const role = roleOf[kind]!;
      if (role === OUTCOME) return counts && to >= earliest;
      if (role === TIMED) return selection.strata.some((stratum) => from < stratum.to && to >= stratum.from);
      return role === JOINS || isOfEveryone(role);
    });
  }

  function wantsMembers({ segments, kinds }: Source): number[] {
    const roleOf = rolesOf(kinds);
    const unseen = segments.filter(({ through }) => !seen.has(through));
    const wanted = unseen.filter((one) => one.kinds.some(([kind]) => decidesMembers(roleOf[kind]!)));
    for (const { through } of unseen) seen.add(through);
    for (const { through } of wanted) seen.delete(through);
    return wanted.map(({ through }) => through);
  }

  function wantsRows(source: Source): number[] {
    admit(source);
    const wanted: number[] = [];
    for (const segment of source.segments) {
      const { through } = segment;
      if (pieces.has(through) && !stale.has(through)) continue;
      if (isNeeded(segment, source)) wanted.push(through);
      else pieces.set(through, emptyPiece(segment));
    }
    return wanted;
  }

  /** Lists the chunks that name a user of the pieces. */
  function wantsNames({ segments, open, kinds, users: count }: Source): number[] {
    const users = usersOf([...pieces.values(), open], kinds, count);
    return segments
      .filter(({ through, userBase, users: end }) => !named.has(through) && has(users, userBase, end))
      .map(({ through }) => through);
  }

  return {
    get bytes() {
      const rows = [...pieces.values()].reduce((sum, piece) => sum + bytesOf(piece), 0);
      return rows + sealed.bytes + members.length + 60 * names.size;
    },
    wants(source) {
      for (const [pass, list] of [
        ["MEMBERS", wantsMembers],
        ["ROWS", wantsRows],
        ["NAMES", selection.hasNames ? wantsNames : () => []],
      ] as const) {
        const segments = list(source);
        if (segments.length > 0) return { pass, segments };
      }
      return null;
    },
    read(source, pass, chunk) {
      if (pass === "MEMBERS") {
        sealed.add(chunk, rolesOf(source.kinds));
        seen.add(chunk.through);
      } else if (pass === "ROWS") {
        pieces.set(chunk.through, toPiece(chunk, filterOf(source)));
        stale.delete(chunk.through);
      } else {
        for (const [index, name] of chunk.newUsers.entries()) names.set(chunk.userBase + index, name);
        named.add(chunk.through);
      }
    },
    toLog(source) {
      const { open, kinds, users: count, sealedUsers, segments } = source;
      const parts = [...segments.map(({ through }) => pieces.get(through)!), toPiece(open, filterOf(source))];
      const nameOf = (user: number) =>
        selection.hasNames ? ((user < sealedUsers ? names.get(user) : open.newUsers[user - open.userBase]) ?? "") : "";
      return joinPieces(parts, kinds, count, nameOf);
    },
  };
}

const decidesMembers = (role: number) => role === EXPOSES || role === JOINS || role === JOINS_MEMBERS;

/** Returns the time of the earliest exposure; infinity if there is none. */
function earliestOf({ segments, open }: Source, roles: Uint8Array): number {
  let earliest = Number.POSITIVE_INFINITY;
  for (const { kinds } of segments) {
    for (const [kind, first] of kinds) if (roles[kind] === EXPOSES) earliest = Math.min(earliest, first);
  }
  for (let row = 0; row < open.users.length; row++) {
    if (roles[open.kinds[row]!] === EXPOSES) earliest = Math.min(earliest, open.times[row]!);
  }
  return earliest;
}

function has(users: Uint8Array, from: number, to: number): boolean {
  return users.subarray(from, to).includes(1);
}
