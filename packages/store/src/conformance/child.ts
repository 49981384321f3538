import { type ChildProcess, fork } from "node:child_process";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import type { Store } from "../store.ts";
import { isTask, type TaskName, tasks } from "./tasks.ts";

/** A child process with its own instance of a store. */
export interface StoreChild {
  started: Promise<void>;
  /** Runs a task to its end and returns its result. `onProgress` receives each acknowledged step. */
  perform(task: TaskName, name: string, count: number, onProgress?: (step: string) => void): Promise<string[]>;
  /** Ends the process as `kill -9` does. */
  kill(): void;
  /** Resolves when the process has ended. */
  gone: Promise<void>;
}

interface Order {
  task: string;
  name: string;
  count: number;
}

type Report = { progress: string } | { found: string[] } | { error: string } | { ready: true };

const FROM_SOURCE = ["--import", "tsx", "--conditions=@assay/source"];

/** Starts a script that calls {@link answerParent}. */
export function forkChild(script: URL, location: string, execArgv = FROM_SOURCE): StoreChild {
  const path = fileURLToPath(script);
  const child = fork(path, [location], {
    execArgv,
    cwd: dirname(path),
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const gone = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    started: next(child, (report) => ("ready" in report ? true : undefined)).then(() => {}),
    perform(task, name, count, onProgress) {
      const order: Order = { task, name, count };
      child.send(order);
      return next(child, (report) => {
        if ("progress" in report) onProgress?.(report.progress);
        if ("error" in report) throw new Error(report.error);
        return "found" in report ? report.found : undefined;
      });
    },
    kill: () => child.kill("SIGKILL"),
    gone,
  };
}

/** Waits for the report for which `pick` returns a value. */
function next<T>(child: ChildProcess, pick: (report: Report) => T | undefined): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = () => {
      child.off("message", hear);
      child.off("exit", exit);
    };
    const exit = () => {
      end();
      reject(new Error("The child process is gone"));
    };
    const hear = (report: Report) => {
      try {
        const picked = pick(report);
        if (picked === undefined) return;
        end();
        resolve(picked);
      } catch (error) {
        end();
        reject(error);
      }
    };
    child.on("message", hear);
    child.on("exit", exit);
  });
}

/** A complete child script: `await answerParent((location) => myStore(location))`. */
export async function answerParent(open: (location: string) => Store | Promise<Store>): Promise<void> {
  const report = (message: Report) => process.send?.(message);
  let store: Store | undefined;
  process.on("message", async ({ task, name, count }: Order) => {
    try {
      if (!isTask(task)) throw new Error(`There is no task ${task}`);
      store ??= await open(process.argv[2] ?? "");
      report({ found: await tasks[task](store, name, count, (progress) => report({ progress })) });
    } catch (error) {
      report({ error: String(error) });
    }
  });
  report({ ready: true });
}
