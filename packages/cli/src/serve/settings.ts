import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { checkCredentials, takeBoolean } from "./address.ts";
import { DEFAULT_BOUNDS } from "./listener.ts";

/** The location of a server's data. */
export type StorageChoice =
  | { kind: "memory" }
  | { kind: "lmdb" | "fs"; path: string }
  | { kind: "postgres"; url: string; schema: string | undefined }
  | { kind: "redis"; url: string; name: string | undefined; durable: boolean; isCluster: boolean };

/** All settings of `assay serve`. */
export interface ServeSettings {
  /** 0 for any free one. */
  port: number;
  host: string;
  /** Directory of the data, including exports. */
  data: string;
  storage: StorageChoice;
  username: string;
  /** Undefined: a password is generated at the first start. */
  password: string | undefined;
  rateLimit: boolean;
  /** Trusted proxies: how many, or their networks; undefined for none. */
  trustProxy: number | string[] | undefined;
  requireHttps: boolean;
  /** Origins of web pages that may call the API; empty for none. */
  corsOrigins: string[];
  /** Secret of the audit trail's signatures; if undefined, it is kept with the data. */
  auditKey: string | undefined;
  /** Encryption secrets for credentials of third parties, newest first; if undefined, one is kept with the data. */
  secretKeys: string[] | undefined;
  /** Whether requests to third parties may go to private networks, or to which. */
  allowPrivateNetworks: boolean | string[];
  /** Secret of override tokens; if undefined, tokens are ignored. */
  overrideSecret: string | undefined;
  /** Undefined for the server's default. */
  accessTokenMinutes: number | undefined;
  /** Whether this node runs scheduled jobs. */
  jobs: boolean;
  /** How long requests in flight may take to finish after the server is asked to stop. */
  drainSeconds: number;
  /** How long the headers of a request (10 seconds at most), and then its body, may take to arrive. */
  requestSeconds: number;
  /** Maximum number of open connections. */
  maxConnections: number;
}

type Environment = Record<string, string | undefined>;

/**
 * Reads settings from flags and environment; flags win.
 * @throws {CommandFailure} naming the flag or variable with an invalid value
 */
export function readServeSettings(flags: Flags, environment: Environment): ServeSettings {
  /** Returns a value with its flag or variable. An empty variable counts as not set. */
  const given = (flag: string | undefined, variable: string): [value: string | undefined, name: string] => {
    const value = flag === undefined ? undefined : flags.one(flag);
    return value === undefined ? [environment[variable] || undefined, variable] : [value, `--${flag}`];
  };
  const data = directory(...given("data", "ASSAY_DATA")) ?? "./data";
  return {
    port: integer(...given("port", "ASSAY_PORT"), 0, 65_535) ?? 4400,
    host: text(...given("host", "ASSAY_HOST")) ?? "127.0.0.1",
    data,
    storage: storage(...given("storage", "ASSAY_STORAGE")) ?? { kind: "lmdb", path: data },
    username: length(...given(undefined, "ASSAY_ADMIN_USERNAME"), 3, 50) ?? "admin",
    password: length(...given(undefined, "ASSAY_ADMIN_PASSWORD"), 8, 128),
    rateLimit: onOff(...given(undefined, "ASSAY_RATE_LIMIT")) ?? true,
    trustProxy: proxies(...given(undefined, "ASSAY_TRUST_PROXY")),
    requireHttps: onOff(...given(undefined, "ASSAY_REQUIRE_HTTPS")) ?? false,
    jobs: onOff(...given(undefined, "ASSAY_JOBS")) ?? true,
    drainSeconds: integer(...given(undefined, "ASSAY_DRAIN_SECONDS"), 0, 3_600) ?? 10,
    requestSeconds: integer(...given(undefined, "ASSAY_REQUEST_SECONDS"), 1, 3_600) ?? DEFAULT_BOUNDS.requestSeconds,
    maxConnections:
      integer(...given(undefined, "ASSAY_MAX_CONNECTIONS"), 1, 1_000_000) ?? DEFAULT_BOUNDS.maxConnections,
    corsOrigins: list(text(...given(undefined, "ASSAY_CORS_ORIGINS"))),
    auditKey: length(...given(undefined, "ASSAY_AUDIT_KEY"), 32, 1024),
    secretKeys: readSecretKeys(environment),
    allowPrivateNetworks: networks(environment.ASSAY_ALLOW_PRIVATE_NETWORKS || undefined),
    overrideSecret: length(...given(undefined, "ASSAY_OVERRIDE_SECRET"), 16, 1024),
    accessTokenMinutes: integer(...given(undefined, "ACCESS_TOKEN_EXPIRE_MINUTES"), 1, 525_600),
  };
}

/**
 * Returns `ASSAY_SECRETS_KEYS`; undefined if it is not set.
 * @throws {CommandFailure} if one is too short
 */
export function readSecretKeys({ ASSAY_SECRETS_KEYS: given }: Environment): string[] | undefined {
  if (!given) return undefined;
  const keys = list(given);
  if (keys.every((key) => key.length >= 32)) return keys;
  throw usageFailure("ASSAY_SECRETS_KEYS: every key needs at least 32 characters");
}

/** Reads networks, which the server validates. */
function networks(value: string | undefined): boolean | string[] {
  return value !== undefined && value !== "on" && value !== "off" ? list(value) : value === "on";
}

function text(value: string | undefined, name: string): string | undefined {
  if (value?.trim() === "") throw usageFailure(`${name} is empty`);
  return value;
}

/** Returns a path; a value that looks like a storage URL is treated as one. */
function directory(value: string | undefined, name: string): string | undefined {
  if (!/^(memory$|lmdb:|fs:|postgres(ql)?:|rediss?:)/.test(value ?? "")) return text(value, name);
  throw usageFailure(`${name} must be a directory, not "${value}"; use --storage for that`);
}

function list(value: string | undefined): string[] {
  return value === undefined ? [] : value.split(",").map((word) => word.trim());
}

function length(value: string | undefined, name: string, minimum: number, maximum: number): string | undefined {
  if (value === undefined || (value.length >= minimum && value.length <= maximum)) return value;
  throw usageFailure(`${name} must have ${minimum} to ${maximum} characters`);
}

/** @throws {CommandFailure} for anything but a whole number in the range */
export function integer(value: string | undefined, name: string, minimum: number, maximum: number): number | undefined {
  if (value === undefined) return undefined;
  const number = /^\d{1,9}$/.test(value) ? Number(value) : Number.NaN;
  if (number >= minimum && number <= maximum) return number;
  throw usageFailure(`${name} must be a whole number from ${minimum} to ${maximum}, not "${value}"`);
}

function onOff(value: string | undefined, name: string): boolean | undefined {
  if (value === undefined) return undefined;
  if (value === "on" || value === "off") return value === "on";
  throw usageFailure(`${name} must be on or off, not "${value}"`);
}

/** Reads a number of hops, or comma-separated addresses and networks, which the server validates. */
function proxies(value: string | undefined, name: string): number | string[] | undefined {
  if (value === undefined || /[.:]/.test(value)) return value?.split(",").map((network) => network.trim());
  return integer(value, name, 0, 32);
}

function storage(value: string | undefined, name: string): StorageChoice | undefined {
  return value === undefined ? undefined : parseStorage(value, name);
}

/** Parses the location of data; `name` is that of the setting. @throws {CommandFailure} */
export function parseStorage(value: string, name: string): StorageChoice {
  if (value === "memory") return { kind: "memory" };
  const [, kind, path] = /^(lmdb|fs):(.+)$/s.exec(value) ?? [];
  if ((kind === "lmdb" || kind === "fs") && path !== undefined) return { kind, path };
  if (/^postgres(ql)?:\/\//.test(value) && URL.canParse(value)) return database(value);
  if (/^rediss?:\/\//.test(value) && URL.canParse(value)) return redis(value, name);
  // A URL that cannot be parsed may contain a password.
  const shown = /^(postgres|redis)/.test(value) ? "this URL" : `"${value}"`;
  throw usageFailure(
    `${name} must be memory, lmdb:DIR, fs:DIR, postgres://USER:PASSWORD@HOST/DATABASE or ` +
      `redis://USER:PASSWORD@HOST:PORT, not ${shown}`,
  );
}

/** Reads the address of a Redis; its parameters `name`, `durable` and `cluster` are for Assay. @throws {CommandFailure} */
function redis(value: string, setting: string): StorageChoice {
  const url = new URL(value);
  const name = url.searchParams.get("name") ?? undefined;
  url.searchParams.delete("name");
  const durable = takeBoolean(url, "durable", setting) ?? true;
  const isCluster = takeBoolean(url, "cluster", setting) ?? false;
  checkCredentials(url, setting);
  return { kind: "redis", url: url.href, name, durable, isCluster };
}

/** Reads the address of a database; its parameter `schema` is for Assay. */
function database(value: string): StorageChoice {
  const url = new URL(value);
  const schema = url.searchParams.get("schema") ?? undefined;
  url.searchParams.delete("schema");
  return { kind: "postgres", url: url.href, schema };
}
