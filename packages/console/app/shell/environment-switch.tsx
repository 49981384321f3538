import { useQuery } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect, useId } from "react";
import { ENVIRONMENT, openEnvironment } from "../environment.ts";
import { setProtected } from "../protection.ts";
import { server } from "../session.ts";
import { TEXT } from "../text.ts";

/** The number of colours in `tokens.css`. */
const COLOURS = 6;

/** Returns the names of all environments once known, and the index of the one of this page, -1 if it does not exist. */
function useEnvironments(): { names: string[]; current: number } {
  const { data = [] } = useQuery({
    queryKey: ["environments"],
    queryFn: () => server.request("GET /environments"),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const names = data.map(({ name }) => name);
  const current = ENVIRONMENT === undefined ? 0 : names.indexOf(ENVIRONMENT);
  const isProtected = data[current]?.is_protected ?? false;
  useEffect(() => setProtected(isProtected), [isProtected]);
  return { names, current };
}

/** Says in words and colour in which environment the page is, and opens others. Absent while there is only one. */
export function EnvironmentSwitch() {
  const { names, current } = useEnvironments();
  const router = useRouter();
  const id = useId();
  if (names.length < 2) return null;
  const flags = () => new URL(router.buildLocation({ to: "/flags" }).href, location.href);
  return (
    <div className="environment" data-colour={current < 0 ? "none" : current % COLOURS}>
      <label htmlFor={id}>{TEXT.shell.environment}</label>
      <select
        id={id}
        value={names[current] ?? ""}
        onChange={(event) => openEnvironment(event.currentTarget.value, flags())}
      >
        {current < 0 && <option value="">{TEXT.shell.noEnvironment(ENVIRONMENT ?? "")}</option>}
        {names.map((name) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
      </select>
    </div>
  );
}
