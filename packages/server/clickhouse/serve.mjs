// Serves ClickHouse's engine, which chdb runs in this process, behind ClickHouse's HTTP interface: node serve.mjs FOLDER [PORT]
import { createServer } from "node:http";
import { Session } from "chdb";

process.title = "clickhouse";
const session = new Session(process.argv[2]);
const PASSWORD = "hunter2";
/** Parameters of a request that are no settings of a query, or that chdb does not take with others. */
const NOT_SETTINGS = new Set(["query", "query_id", "database", "default_format", "wait_end_of_query", "readonly"]);

const server = createServer(async (request, response) => {
  const url = new URL(request.url, "http://localhost");
  const fail = (code, message) => {
    response.writeHead(code === "516" ? 403 : 400, { "x-clickhouse-exception-code": code });
    response.end(message);
  };
  if (url.pathname === "/ping") return response.end("Ok.\n");
  const [, basic = ""] = (request.headers.authorization ?? "").split(" ");
  if (Buffer.from(basic, "base64").toString() !== `reader:${PASSWORD}`) {
    return fail("516", "Code: 516. DB::Exception: reader: Authentication failed. (AUTHENTICATION_FAILED)");
  }
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const settings = [...url.searchParams]
    .filter(([name]) => !NOT_SETTINGS.has(name))
    .map(([name, value]) => `${name} = '${value}'`);
  const tail = settings.length > 0 ? `SETTINGS ${settings.join(", ")}` : "";
  const body = Buffer.concat(chunks).toString();
  // Of an INSERT, the body is the rows.
  const insert = /^(INSERT .*)(FORMAT \w+)\s*$/s.exec(url.searchParams.get("query") ?? "");
  const sql = insert ? `${insert[1]} ${tail} ${insert[2]}\n${body}` : `${body}\n${tail}`;
  try {
    response.end(session.query(sql, "JSONEachRow"));
  } catch (error) {
    const [, code = "1000"] = /Code: (\d+)/.exec(error.message) ?? [];
    fail(code, error.message.slice(error.message.indexOf("Code:")));
  }
});
server.listen(Number(process.argv[3] ?? 0), "127.0.0.1", () => console.log(server.address().port));
process.on("SIGTERM", () => process.exit(0));
