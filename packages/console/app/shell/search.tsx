import type { SearchResults } from "@assay/client";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useRef, useState } from "react";
import { describeError } from "../parts/states.tsx";
import { api } from "../session.ts";
import { TEXT } from "../text.ts";

type Found = SearchResults["results"][number];

const { search: text } = TEXT;
/** How long typing pauses before the search starts. */
const PAUSE_MS = 150;
/** Where the page of each kind is. */
const PAGES: Record<Found["type"], (found: Found) => string> = {
  flag: ({ key }) => `/flags/${encodeURIComponent(key)}`,
  experiment: ({ key }) => `/experiments/${encodeURIComponent(key)}`,
  segment: ({ id }) => `/segments/${id}`,
  person: ({ id }) => `/people/${id}`,
};

/** Returns the results by kind; the kind of the best result comes first. */
function groupByType(results: readonly Found[]): [Found["type"], Found[]][] {
  const groups = new Map<Found["type"], Found[]>();
  for (const found of results) {
    groups.set(found.type, [...(groups.get(found.type) ?? []), found]);
  }
  return [...groups];
}

/** Whether a key press is meant for what has the focus, or for a dialog. */
const isTaken = (target: EventTarget | null) =>
  (target instanceof HTMLElement && target.matches("input, textarea, select")) ||
  document.querySelector("dialog[open]") !== null;

/** Finds flags, experiments, segments and people by name. `/` focuses it; the arrow keys and Enter choose a result. */
export function Search() {
  const [typed, setTyped] = useState("");
  const [asked, setAsked] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const navigate = useNavigate();
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed.trim()), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  useEffect(() => {
    function focus(event: globalThis.KeyboardEvent) {
      if (event.key !== "/" || event.ctrlKey || event.metaKey || event.altKey || isTaken(event.target)) return;
      event.preventDefault();
      input.current?.focus();
    }
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  const answer = useQuery({
    queryKey: ["search", asked],
    enabled: asked !== "",
    queryFn: () => api.request("GET /search", { query: { q: asked } }),
    placeholderData: keepPreviousData,
  });
  const groups = groupByType(answer.data?.results ?? []);
  const options = groups.flatMap(([, found]) => found);
  const isShown = isOpen && asked !== "" && typed.trim() !== "";
  // Enter must not open a result of what was typed before.
  const isCurrent = asked === typed.trim() && !answer.isPlaceholderData;

  function close() {
    setTyped("");
    setAsked("");
    setOpen(false);
  }
  function open(found: Found | undefined) {
    if (!found) return;
    close();
    void navigate({ to: PAGES[found.type](found) });
  }
  function press(event: KeyboardEvent) {
    const { key } = event;
    if (key === "Escape") close();
    if (key === "Enter" && isShown && isCurrent) open(options[active]);
    if ((key !== "ArrowDown" && key !== "ArrowUp") || options.length === 0) return;
    event.preventDefault();
    setOpen(true);
    const step = key === "ArrowDown" ? 1 : -1;
    setActive((active + step + options.length) % options.length);
  }

  return (
    <search className="search">
      <input
        ref={input}
        type="search"
        role="combobox"
        aria-label={text.label}
        aria-keyshortcuts="/"
        aria-autocomplete="list"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-activedescendant={isShown && options[active] ? `${id}-${active}` : undefined}
        placeholder={text.placeholder}
        autoComplete="off"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
          setOpen(true);
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={press}
      />
      <div className="found" hidden={!isShown}>
        <div role="listbox" id={`${id}-list`} aria-label={text.results}>
          {groups.map(([type, found]) => (
            // biome-ignore lint/a11y/useSemanticElements: a listbox may not contain a fieldset
            <div key={type} role="group" aria-label={text.kinds[type]}>
              <div className="label" aria-hidden>
                {text.kinds[type]}
              </div>
              {found.map((one) => {
                const index = options.indexOf(one);
                return (
                  // The keys of a combobox stay in its input, so options take only the mouse.
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys
                  // biome-ignore lint/a11y/useFocusableInteractive: the input keeps the focus
                  <div
                    key={one.id}
                    id={`${id}-${index}`}
                    role="option"
                    aria-selected={index === active}
                    className="option"
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => open(one)}
                  >
                    <span>{one.name}</span> {one.key !== one.name && <code className="muted">{one.key}</code>}
                  </div>
                );
              })}
            </div>
          ))}
        </div>
        <p role="status" className={options.length > 0 ? "sr" : "muted"}>
          {answer.isError ? describeError(answer.error).detail : isCurrent && answer.data && text.count(options.length)}
        </p>
      </div>
    </search>
  );
}
