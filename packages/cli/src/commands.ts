import type { CommandDef } from "citty";

/** A command, whose module is loaded when it runs: an import needs no server, and help needs none of them. */
interface Command {
  /** What the command's own `meta` says. */
  description: string;
  load(): Promise<CommandDef>;
}

/** The commands in the order of help, except `completion`, which is about all of them. */
export const COMMANDS: Readonly<Record<string, Command>> = {
  serve: { description: "Serve the API", load: async () => (await import("./serve/command.ts")).serve },
  relay: {
    description: "Serve flags, streams and events for a server elsewhere",
    load: async () => (await import("./relay/command.ts")).relay,
  },
  import: {
    description: "Import a CSV of exposures and outcomes into an experiment",
    load: async () => (await import("./import/command.ts")).importing,
  },
  demo: {
    description: "Run a flag and a real experiment on a temporary server",
    load: async () => (await import("./demo/command.ts")).demo,
  },
  audit: {
    description: "Verify the sealed audit trail, or redact an entry (ASSAY_AUDIT_KEY)",
    load: async () => (await import("./audit/command.ts")).audit,
  },
  backup: {
    description: "Write a server's data to a file, also while it runs",
    load: async () => (await import("./backup/command.ts")).backup,
  },
  restore: {
    description: "Put a backup into an empty data directory",
    load: async () => (await import("./backup/command.ts")).restore,
  },
  copy: {
    description: "Copy a server's data to another kind of storage, also while it runs",
    load: async () => (await import("./copy/command.ts")).copy,
  },
  check: {
    description: "Find damaged records in a server's data",
    load: async () => (await import("./check/command.ts")).check,
  },
  repair: {
    description: "Set damaged records aside, and put them back from a backup",
    load: async () => (await import("./check/command.ts")).repair,
  },
  secrets: {
    description: "Encrypt stored credentials under a new key (ASSAY_SECRETS_KEYS)",
    load: async () => (await import("./secrets/command.ts")).secrets,
  },
  keys: {
    description: "List, create, revoke and rotate API keys",
    load: async () => (await import("./keys/command.ts")).keys,
  },
  init: {
    description: "Create data, or sign in to a server, and keep an API key in a profile",
    load: async () => (await import("./init/command.ts")).init,
  },
  profiles: {
    description: "List, choose and remove the profiles of servers",
    load: async () => (await import("./profiles/command.ts")).profiles,
  },
  doctor: {
    description: "Check this machine, the profile and the server, and say how to mend problems",
    load: async () => (await import("./doctor/command.ts")).doctor,
  },
  flags: {
    description: "List, create, change and switch off flags; find stale ones in a source tree",
    load: async () => (await import("./feature-flags/command.ts")).featureFlags,
  },
  experiments: {
    description: "List, create, start, pause, complete and archive experiments",
    load: async () => (await import("./experiments/command.ts")).experiments,
  },
  promote: {
    description: "Take flags, segments and experiments from one environment to another",
    load: async () => (await import("./promote/command.ts")).promote,
  },
  pull: {
    description: "Write flags, segments and experiments to files",
    load: async () => (await import("./pull/command.ts")).pull,
  },
  push: {
    description: "Change flags, segments and experiments to what files say",
    load: async () => (await import("./push/command.ts")).push,
  },
  users: {
    description: "List, create and change users",
    load: async () => (await import("./users/command.ts")).users,
  },
  results: {
    description: "Print the results of an experiment",
    load: async () => (await import("./results/command.ts")).results,
  },
  types: {
    description: "Write typed accessors for the flags of a server",
    load: async () => (await import("./types/command.ts")).types,
  },
  migrate: {
    description: "Migrate flags, segments and experiments from another product",
    load: async () => (await import("./migrate/command.ts")).migrate,
  },
};
