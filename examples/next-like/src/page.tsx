import { useStringFlagValue, useTrack } from "@openfeature/react-sdk";

/** The page, the same on the server and in the browser. */
export function Page({ user }: { user: string }) {
  const headline = useStringFlagValue("headline", "Welcome");
  const { track } = useTrack();
  return (
    <main>
      <h1 id="headline">{headline}</h1>
      <p id="user">{user}</p>
      <button id="signup" type="button" onClick={() => track("signup")}>
        Sign up
      </button>
    </main>
  );
}
