import { useQueryClient } from "@tanstack/react-query";
import { Link, Outlet, useRouterState } from "@tanstack/react-router";
import {
  Activity,
  ArrowRightLeft,
  Bell,
  Database,
  Flag,
  FlaskConical,
  GitPullRequest,
  HeartPulse,
  KeyRound,
  LogOut,
  Menu,
  Plug,
  Rocket,
  ScrollText,
  Shapes,
  ShieldCheck,
  Split,
  TrendingUp,
  Users,
} from "lucide-react";
import { Suspense, useEffect, useRef, useState } from "react";
import { ErrorBoundary } from "../parts/error-boundary.tsx";
import { Loading } from "../parts/states.tsx";
import { OpenCount } from "../proposals/badge.tsx";
import { useProtected } from "../protection.ts";
import { signOut, useSession } from "../session.ts";
import { TEXT } from "../text.ts";
import { EnvironmentSwitch } from "./environment-switch.tsx";
import { useEnvironments } from "./environments.ts";
import { useMe } from "./me.ts";
import { Search } from "./search.tsx";
import { SignInDialog, SignInPage } from "./sign-in.tsx";
import { applyTheme, currentTheme, THEMES, type Theme } from "./theme.ts";

const PAGES = [
  { to: "/flags", icon: Flag, label: TEXT.nav.flags },
  { to: "/experiments", icon: FlaskConical, label: TEXT.nav.experiments },
  { to: "/segments", icon: Shapes, TrendingUp, label: TEXT.nav.segments },
  { to: "/rollouts", icon: TrendingUp, label: TEXT.nav.rollouts },
  { to: "/traffic", icon: Split, label: TEXT.nav.traffic },
  { to: "/proposals", icon: GitPullRequest, label: TEXT.nav.proposals },
  { to: "/promotion", icon: ArrowRightLeft, label: TEXT.nav.promotion },
  { to: "/keys", icon: KeyRound, label: TEXT.nav.keys },
  { to: "/people", icon: Users, label: TEXT.nav.people },
  { to: "/integrations", icon: Plug, label: TEXT.nav.integrations },
  { to: "/warehouse", icon: Database, label: TEXT.nav.warehouse },
  { to: "/notifications", icon: Bell, label: TEXT.nav.notifications },
  { to: "/health", icon: HeartPulse, label: TEXT.nav.health },
  { to: "/audit", icon: ScrollText, label: TEXT.nav.audit },
  { to: "/compliance", icon: ShieldCheck, label: TEXT.nav.compliance },
  { to: "/start", icon: Rocket, label: TEXT.nav.start },
] as const;

/** The frame of every page: sign-in, navigation, theme. */
export function Shell() {
  const session = useSession();
  const queries = useQueryClient();
  useEffect(() => {
    if (session === "signed-out") queries.clear();
  }, [session, queries]);
  if (session === "unknown") return <Loading />;
  if (session === "signed-out") return <SignInPage />;
  return (
    <>
      <Frame />
      {session === "expired" && <SignInDialog />}
    </>
  );
}

function Frame() {
  const [isOpen, setOpen] = useState(false);
  const isProtected = useProtected();
  const hasSeveral = useEnvironments().all.length > 1;
  const isThere: Record<string, boolean> = { "/proposals": isProtected, "/promotion": hasSeveral };
  const pages = PAGES.filter(({ to }) => isThere[to] ?? true);
  const path = useRouterState({ select: (state) => state.location.pathname });
  const main = useRef<HTMLElement>(null);
  const isFirst = useRef(true);
  // A new page starts at its top, and screen readers start to read it there.
  useEffect(() => {
    setOpen(false);
    if (!isFirst.current) {
      window.scrollTo(0, 0);
      main.current?.focus({ preventScroll: true });
    }
    isFirst.current = false;
  }, [path]);
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {TEXT.shell.skip}
      </a>
      <header className="topbar">
        <button
          type="button"
          className="icon-button menu-button"
          aria-label={TEXT.shell.menu}
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <Menu aria-hidden size={18} />
        </button>
        <Link to="/flags" className="brand">
          <Activity aria-hidden size={18} /> Assay
        </Link>
        <EnvironmentSwitch />
        <Search />
        <Account />
      </header>
      <nav id="navigation" className={isOpen ? "nav open" : "nav"} aria-label={TEXT.nav.label}>
        {pages.map(({ to, icon: Icon, label }) => (
          <Link key={to} to={to} className="nav-link">
            <Icon aria-hidden size={16} />
            {label}
            {to === "/proposals" && <OpenCount />}
          </Link>
        ))}
      </nav>
      <main id="main" ref={main} tabIndex={-1}>
        <ErrorBoundary key={path}>
          <Suspense fallback={<Loading />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
    </div>
  );
}

function Account() {
  const me = useMe();
  const [theme, setTheme] = useState<Theme>(currentTheme());
  return (
    <div className="account">
      <label className="theme">
        <span className="sr">{TEXT.shell.theme}</span>
        <select
          value={theme}
          onChange={(event) => {
            const next = event.currentTarget.value as Theme;
            setTheme(next);
            applyTheme(next);
          }}
        >
          {THEMES.map((one) => (
            <option key={one} value={one}>
              {TEXT.shell.themes[one]}
            </option>
          ))}
        </select>
      </label>
      {me && (
        <span className="who" title={TEXT.roles[me.role]}>
          {me.username} <span className="muted">{TEXT.roles[me.role]}</span>
        </span>
      )}
      <button type="button" className="icon-button" aria-label={TEXT.shell.signOut} onClick={() => void signOut()}>
        <LogOut aria-hidden size={16} />
      </button>
    </div>
  );
}
