import { isIP } from "node:net";
import { SERVER_ROLES, type ServerRole } from "@assay/server";
import { usageFailure } from "../failure.ts";
import type { Flags } from "../flags.ts";
import { isLoopback } from "./loopback.ts";

type Environment = Record<string, string | undefined>;

/** Settings of `assay serve` for those who operate it. */
export interface OperationSettings {
  /** Where metrics are served; undefined for nowhere. */
  metrics: MetricsSettings | undefined;
  /** Whether each request is written to standard output. */
  accessLog: boolean;
  /** Separates servers on one store; undefined for none. */
  namespace: string | undefined;
  /** The names of environments, the default one first; undefined for one environment. */
  environments: string[] | undefined;
  /** The names of the environments whose changes need approval; undefined for none. */
  protected: string[] | undefined;
  /** What the server does; undefined for everything. */
  roles: ServerRole[] | undefined;
  /** The address of the server as people reach it, which the server validates; undefined for none. */
  publicUrl: string | undefined;
}

export interface MetricsSettings {
  host: string;
  /** 0 for any free one. */
  port: number;
  /** Bearer token that readers must send; undefined for none. */
  token: string | undefined;
}

/**
 * Reads settings from flags and environment; flags win.
 * @throws {CommandFailure} naming the flag or variable with an invalid value
 */
export function readOperationSettings(flags: Flags, environment: Environment): OperationSettings {
  const { ASSAY_METRICS, ASSAY_METRICS_TOKEN, ASSAY_ACCESS_LOG } = environment;
  const metrics = flags.one("metrics") ?? (ASSAY_METRICS || undefined);
  return {
    metrics: metrics === undefined ? undefined : metricsSettings(metrics, ASSAY_METRICS_TOKEN || undefined),
    accessLog: flags.has("access-log") || onOff(ASSAY_ACCESS_LOG || "off"),
    namespace: readNamespace(flags, environment),
    environments: readNames(flags.one("environments"), environment.ASSAY_ENVIRONMENTS),
    protected: readNames(flags.one("protected"), environment.ASSAY_PROTECTED),
    roles: readRoles(flags, environment),
    publicUrl: flags.one("public-url") ?? (environment.ASSAY_PUBLIC_URL || undefined),
  };
}

/**
 * Reads the namespace; undefined for none.
 * @throws {CommandFailure} if it is empty
 */
export function readNamespace(flags: Flags, { ASSAY_NAMESPACE }: Environment): string | undefined {
  const namespace = flags.one("namespace") ?? (ASSAY_NAMESPACE || undefined);
  if (namespace?.trim() === "") throw usageFailure("--namespace is empty");
  return namespace;
}

/** Reads the roles of the server; undefined for all. @throws {CommandFailure} for an unknown role */
function readRoles(flags: Flags, { ASSAY_ROLES }: Environment): ServerRole[] | undefined {
  const flag = flags.one("roles");
  return readNames(flag, ASSAY_ROLES)?.map((name) => {
    const role = SERVER_ROLES.find((known) => known === name);
    if (role) return role;
    const setting = flag === undefined ? "ASSAY_ROLES" : "--roles";
    throw usageFailure(`${setting}: there is no role "${name}"; the roles are api, analysis and jobs`);
  });
}

/** Reads the names of environments, which the server validates; undefined for none. */
function readNames(flag: string | undefined, variable: string | undefined): string[] | undefined {
  const names = flag ?? (variable || undefined);
  return names?.split(",").map((name) => name.trim());
}

function metricsSettings(value: string, token: string | undefined): MetricsSettings {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:]+)):)?(\d{1,5})$/.exec(value) ?? [];
  const port = Number(digits);
  const host = bracketed ?? plain ?? "127.0.0.1";
  if (digits === undefined || port > 65_535 || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw usageFailure(`--metrics must be PORT or HOST:PORT, not "${value}"`);
  }
  if (token !== undefined && (token.length < 16 || token.length > 1024)) {
    throw usageFailure("ASSAY_METRICS_TOKEN must have 16 to 1024 characters");
  }
  if (token === undefined && !isLoopback(host)) {
    throw usageFailure(`--metrics ${value} can be reached from other machines; set ASSAY_METRICS_TOKEN`);
  }
  return { host, port, token };
}

function onOff(value: string): boolean {
  if (value === "on" || value === "off") return value === "on";
  throw usageFailure(`ASSAY_ACCESS_LOG must be on or off, not "${value}"`);
}
