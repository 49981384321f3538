import { once } from "node:events";
import { connect } from "node:net";

const PATIENCE_MS = 20_000;

/** Opens a socket that can send requests no HTTP client would send. */
export async function rawClient(url: string) {
  const { port } = new URL(url);
  const socket = connect(Number(port), "127.0.0.1");
  let text = "";
  socket.on("data", (chunk) => (text += chunk));
  // A reset ends the connection, too.
  socket.on("error", () => {});
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  await once(socket, "connect");
  return {
    socket,
    /** Resolves when either side has ended the connection. */
    closed,
    received: () => text,
    async send(...parts: (string | Uint8Array)[]): Promise<void> {
      // Each part in a separate packet.
      for (const part of parts) await new Promise((resolve) => socket.write(part, resolve));
    },
    /** The first match in the received data, as soon as it arrives. */
    async match(pattern: RegExp): Promise<RegExpExecArray> {
      for (const end = Date.now() + PATIENCE_MS; Date.now() < end; ) {
        const found = pattern.exec(text);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      throw new Error(`${pattern} did not come back, but:\n${text}`);
    },
  };
}

/** One chunk of a body with `Transfer-Encoding: chunked`. */
export const chunkOf = (data: string | Uint8Array): Buffer => {
  const bytes = Buffer.from(data as string);
  return Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from("\r\n")]);
};
