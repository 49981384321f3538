/** One event as a browser would dispatch it. */
export interface ReceivedEvent {
  event: string;
  id: string | undefined;
  data: { [name: string]: unknown };
}

/** Reads the server-sent events of a response, one at a time. */
export function readEvents(response: Response) {
  const reader = response.body!.pipeThrough(new TextDecoderStream() as never).getReader() as {
    read(): Promise<{ done: boolean; value?: string }>;
    cancel(): Promise<void>;
  };
  let text = "";

  /** Returns the next block of lines, or undefined at the end. */
  async function block(): Promise<string | undefined> {
    for (let end = -1; ; ) {
      end = text.indexOf("\n\n");
      if (end >= 0) {
        const found = text.slice(0, end);
        text = text.slice(end + 2);
        return found;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  }

  return {
    block,
    /** Returns the next event, or undefined at the end. Skips comments and blocks without data. */
    async next(): Promise<ReceivedEvent | undefined> {
      for (;;) {
        const lines = (await block())?.split("\n");
        if (!lines) return undefined;
        const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
        const data = field("data");
        if (data === undefined) continue;
        return { event: field("event") ?? "message", id: field("id"), data: JSON.parse(data) };
      }
    },
    cancel: () => reader.cancel(),
  };
}
