/** An app of another framework or runtime with Assay inside: a folder in `examples`, installed, built and driven. */
export interface Host {
  /** The folder in `examples`. */
  example: string;
  title: string;
  /** Commands that build the app. */
  build?: string[];
  /** Other builds of the same app, each driven too. */
  otherBuilds?: Build[];
  /** @default "npm start" */
  start?: string;
  /** How the app is developed; checked if it is given. */
  development?: Development;
  /** The path of the server. @default "/assay" */
  mount?: string;
  /** Packages of the runtime, which the app itself does not name. */
  dependencies?: Record<string, string>;
  /** Replaces the check of an app with the server inside. */
  check?: (folder: string, env: NodeJS.ProcessEnv) => Promise<void>;
  /** The environment of the app besides HOST, PORT, DATA and ADMIN_PASSWORD. */
  env?: NodeJS.ProcessEnv;
}

interface Build {
  /** Files that replace those of the example. */
  files?: Record<string, string>;
  build: string[];
}

interface Development {
  start: string;
  /** The file that shows "The new checkout", and the one that makes the server: both are edited while the app runs. */
  page: string;
  server: string;
}
