import { useRouter } from "@tanstack/react-router";
import { useEffect, useId } from "react";
import { ENVIRONMENT, openEnvironment } from "../environment.ts";
import { setProtected } from "../protection.ts";
import { TEXT } from "../text.ts";
import { useEnvironments } from "./environments.ts";

/** The number of colours in `tokens.css`. */
const COLOURS = 6;

/** Says in words and colour in which environment the page is, and opens others. Absent while there is only one. */
export function EnvironmentSwitch() {
  const { all, current } = useEnvironments();
  const names = all.map(({ name }) => name);
  const isProtected = all[current]?.is_protected ?? false;
  useEffect(() => setProtected(isProtected), [isProtected]);
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
