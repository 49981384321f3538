import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

const root = new URL("../../../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

interface Compose {
  services: Record<
    string,
    { build?: Record<string, string>; volumes?: string[]; depends_on?: Record<string, unknown> }
  >;
  volumes: Record<string, unknown>;
}

const compose = read("deploy/compose.yaml");
const values = read("deploy/helm/assay/values.yaml");
const TEMPLATES = "deploy/helm/assay/templates/";
const templates = readdirSync(new URL(TEMPLATES, root)).map((name) => read(TEMPLATES + name));

test("what the services of the compose file mount, build from and wait for exists", () => {
  const { services, volumes } = parse(compose) as Compose;
  for (const { build, volumes: mounts = [], depends_on = {} } of Object.values(services)) {
    if (build) expect(existsSync(new URL(`deploy/${build.context}/${build.dockerfile}`, root))).toBe(true);
    for (const name of Object.keys(depends_on)) expect(services).toHaveProperty([name]);
    for (const mount of mounts) {
      const [source = ""] = mount.split(":");
      if (source.startsWith(".")) expect(existsSync(new URL(`deploy/${source}`, root))).toBe(true);
      else expect(volumes).toHaveProperty([source]);
    }
  }
});

test("the proxy asks the port of the image, and closes idle connections before the servers do", () => {
  const nginx = read("deploy/nginx.conf");
  const [, port] = /^EXPOSE (\d+)$/m.exec(read("deploy/Dockerfile")) ?? [];
  expect(nginx).toContain(`server assay:${port};`);
  const [, kept] = /idle connections open for (\d+)\s+seconds/.exec(read("docs/operations.md")) ?? [];
  const [, seconds] = /keepalive_timeout (\d+)s;/.exec(nginx) ?? [];
  expect(Number(seconds)).toBeLessThan(Number(kept));
});

describe("the Helm chart", () => {
  const known: Record<string, unknown> = parse(values);

  test("describes each value in its schema, as Helm checks it", () => {
    const { global: _, ...described } = JSON.parse(read("deploy/helm/assay/values.schema.json")).properties;
    expect(Object.keys(described)).toEqual(Object.keys(known));
  });

  test("has templates that read every value, and no other", () => {
    const paths = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map((match) => match[1] ?? ""));
    expect(new Set(paths.map((path) => path.split(".")[0]))).toEqual(new Set(Object.keys(known)));
    for (const path of paths) expect(known).toHaveProperty(path);
  });
});

test.each(Object.entries({ compose, values, templates: templates.join("\n") }))(
  "docs/cli.md lists every setting that the %s names",
  (_name, text) => {
    const listed = read("docs/cli.md");
    const settings = [...new Set(text.match(/\bASSAY_[A-Z_]+/g))];
    expect(settings.length).toBeGreaterThan(0);
    expect(settings.filter((setting) => !listed.includes(`\`${setting}\``))).toEqual([]);
  },
);
