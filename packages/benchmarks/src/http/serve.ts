import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { monitorEventLoopDelay } from "node:perf_hooks";

type Headers = Readonly<Record<string, string>>;

/** Serves in a separate process: tells the parent where, and answers questions about what it has used. */
export function serve(listener: RequestListener, headers: Headers = {}, facts: object = {}): void {
  const server = createServer(listener).listen(0, "127.0.0.1", () => {
    announce((server.address() as AddressInfo).port, headers, facts);
  });
}

/** Tells the parent that a server listens, and answers its questions. */
export function announce(port: number, headers: Headers, facts: object = {}): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  process.on("message", (asked) => {
    if (asked === "cpu") process.send!(process.cpuUsage());
    if (asked === "watch") {
      delay.reset();
      delay.enable();
      process.send!(null);
    }
    if (asked === "blocked") {
      process.send!(delay.max / 1e6);
      delay.disable();
    }
  });
  process.send!({ port, headers, facts });
}
