import { connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { type Listener, listen } from "./listener.ts";

let listener: Listener;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await listener.drain(0);
});

/** Opens a socket. `closed` resolves with what it has received. */
function open(url: string, text = "") {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  let received = "";
  socket.on("data", (chunk) => (received += chunk));
  socket.on("error", () => {});
  const closed = new Promise<string>((resolve) => socket.once("close", () => resolve(received)));
  socket.write(text);
  sockets.push(socket);
  return { socket, closed };
}

test.each([
  ["nothing", ""],
  ["half a request line", "GET /hea"],
  ["half its headers", "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Half"],
])("closes a connection that sends %s in time", async (_what, text) => {
  listener = await listen(0, "127.0.0.1", { requestSeconds: 0.1, maxConnections: 10 });
  expect(await open(listener.url, text).closed).toMatch(/^HTTP\/1\.1 408 /);
});

test("closes a connection whose headers arrive byte by byte", async () => {
  listener = await listen(0, "127.0.0.1", { requestSeconds: 0.1, maxConnections: 10 });
  const { socket, closed } = open(listener.url, "GET /healthz HTTP/1.1\r\nHost: x\r\nX-Long: ");
  const dribbling = setInterval(() => socket.write("x"), 10);
  const received = await closed;
  clearInterval(dribbling);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});

test("closes a connection whose body arrives byte by byte if nothing reads it", async () => {
  listener = await listen(0, "127.0.0.1", { requestSeconds: 0.1, maxConnections: 10 });
  listener.answerWith((request) => void request.resume());
  const { socket, closed } = open(listener.url, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n");
  const dribbling = setInterval(() => socket.write("x"), 10);
  const received = await closed;
  clearInterval(dribbling);
  expect(received).toMatch(/^HTTP\/1\.1 408 /);
});

test("closes connections beyond the maximum, and accepts new ones once there is room", async () => {
  listener = await listen(0, "127.0.0.1", { requestSeconds: 30, maxConnections: 2 });
  listener.answerWith((_request, response) => response.end("here"));
  const ask = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
  const first = open(listener.url);
  const second = open(listener.url);
  expect(await open(listener.url, ask).closed).toBe("");
  first.socket.destroy();
  await first.closed;
  second.socket.destroy();
  await second.closed;
  await expect
    .poll(() =>
      fetch(listener.url).then(
        (answer) => answer.text(),
        () => "refused",
      ),
    )
    .toBe("here");
});

test("keeps idle connections longer than load balancers do, so that no request meets a closing connection", async () => {
  listener = await listen(0, "127.0.0.1");
  listener.answerWith((_request, response) => response.end("here"));
  const { headers } = await fetch(listener.url);
  expect(headers.get("keep-alive")).toBe("timeout=65");
});

test("an answer may take longer than a request", async () => {
  listener = await listen(0, "127.0.0.1", { requestSeconds: 0.05, maxConnections: 10 });
  listener.answerWith((_request, response) => void setTimeout(() => response.end("late"), 1500));
  expect(await (await fetch(listener.url)).text()).toBe("late");
});
