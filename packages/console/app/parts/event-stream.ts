/** One message of a stream of server-sent events. */
export interface StreamedEvent {
  event: string;
  id: string | undefined;
  data: string;
}

/** Reads server-sent events until the stream ends. Comments are left out. */
export async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamedEvent> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const blocks = text.split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) {
      const fields = new Map(block.split("\n").map(toField));
      const data = fields.get("data");
      const id = fields.get("id");
      if (data !== undefined || id !== undefined)
        yield { event: fields.get("event") ?? "message", id, data: data ?? "" };
    }
  }
}

/** "id: 4" has the name id and the value 4; a comment has an empty name. */
function toField(line: string): [string, string] {
  const colon = line.indexOf(":");
  return colon < 0 ? [line, ""] : [line.slice(0, colon), line.slice(colon + 1).replace(/^ /, "")];
}
