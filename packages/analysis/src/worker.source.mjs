// Starts the worker from its TypeScript source, in development and tests only; the package ships worker.js.
import { register } from "tsx/esm/api";

register();
await import("./worker.ts");
