const root = document.getElementById("root")!;

/** The address of the console, which ends with a slash. */
export const CONSOLE_URL = new URL(root.dataset.base ?? "./", location.href);

/** The address under which the API is, such as `https://flags.example.org/`. */
export const SERVER_URL = new URL("../", CONSOLE_URL);

export const ROOT = root;
