import { StoreUnavailable } from "@assay/store";

/** Reasons by the first word of an error that Redis reports. */
const REASONS: Record<string, string> = {
  ASSAYLOST: "Redis has lost the data of this store; restore a backup",
  ASSAYPAUSED: "A backup of Redis keeps writes waiting",
  BUSY: "Redis is busy with a script",
  CLUSTERDOWN: "a part of the Redis cluster is down",
  LOADING: "Redis is starting",
  MASTERDOWN: "Redis has lost its primary server",
  MISCONF: "Redis cannot write to its disk",
  NOAUTH: "Redis requires a password",
  NOPERM: "the user lacks a privilege in Redis",
  NOREPLICAS: "Redis has too few replicas",
  OOM: "Redis has no memory left",
  READONLY: "Redis is read-only; connect to the primary server",
  WRONGPASS: "Redis refuses the user or its password",
};

/** Returns the first word of an error that Redis reported; undefined for others, such as a broken connection. */
export function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error) || error.name !== "ReplyError") return undefined;
  // A script's error begins with other words of Redis, in some versions.
  if (/ACL failure in script|user executing the script can't/.test(error.message)) return "NOPERM";
  return /\b(ASSAY[A-Z]+|OOM|READONLY|MISCONF|NOREPLICAS)\b/.exec(error.message)?.[1] ?? error.message.split(" ", 1)[0];
}

/** Creates the error that callers get. Its reason contains no address and no data. */
export function unavailable(error: unknown): StoreUnavailable {
  if (error instanceof StoreUnavailable) return error;
  const code = codeOf(error);
  const isLate = error instanceof Error && error.message === "Command timed out";
  const unknown = code === undefined ? "Redis cannot be reached" : `Redis answered with the error ${code}`;
  const reason = isLate ? "Redis did not answer in time" : (REASONS[code ?? ""] ?? unknown);
  return new StoreUnavailable(reason[0]!.toUpperCase() + reason.slice(1), { cause: error, reason });
}
