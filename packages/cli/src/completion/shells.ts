/** What may follow a command: tasks or options, with their descriptions. */
export interface Words {
  path: string[];
  next: [word: string, description: string][];
}

/** The script of each shell. */
export const SHELLS = { bash: toBash, zsh: toZsh, fish: toFish };

function toBash(words: readonly Words[]): string {
  return `# Completion of assay for bash: eval "$(assay completion bash)"
_assay() {
  local current="\${COMP_WORDS[COMP_CWORD]}" so_far="" index next=""
  for ((index = 1; index < COMP_CWORD; index++)); do
    case "$so_far \${COMP_WORDS[index]}" in
${commandPaths(words)
  .map((path) => `      "${path.slice(0, -1).join(" ")} ${path.at(-1)}") so_far="${path.join(" ")}" ;;`)
  .join("\n")}
    esac
  done
  case "$so_far" in
${words.map(({ path, next }) => `    "${path.join(" ")}") next="${next.map(([word]) => word).join(" ")}" ;;`).join("\n")}
  esac
  COMPREPLY=($(compgen -W "$next" -- "$current"))
}
complete -o default -F _assay assay`;
}

function toZsh(words: readonly Words[]): string {
  return `#compdef assay
# Completion of assay for zsh: eval "$(assay completion zsh)"
_assay() {
  local so_far="" index
  local -a next
  for ((index = 2; index < CURRENT; index++)); do
    case "$so_far $words[index]" in
${commandPaths(words)
  .map((path) => `      "${path.slice(0, -1).join(" ")} ${path.at(-1)}") so_far="${path.join(" ")}" ;;`)
  .join("\n")}
    esac
  done
  case "$so_far" in
${words
  .map(
    ({ path, next }) =>
      `    "${path.join(" ")}") next=(${next.map(([word, text]) => quote(`${word}:${text}`)).join(" ")}) ;;`,
  )
  .join("\n")}
  esac
  _describe assay next || _files
}
compdef _assay assay`;
}

function toFish(words: readonly Words[]): string {
  const lines = words.flatMap(({ path, next }) =>
    next.map(([word, text]) => {
      const what = word.startsWith("--") ? `-l ${word.slice(2)}` : `-f -a ${word}`;
      return `complete -c assay -n '__assay_is "${path.join(" ")}"' ${what} -d ${quote(text)}`;
    }),
  );
  return `# Completion of assay for fish: assay completion fish | source
function __assay_is
  set -l so_far
  for word in (commandline -opc)[2..]
    switch (string trim "$so_far $word")
      case ${commandPaths(words)
        .map((path) => `"${path.join(" ")}"`)
        .join(" ")}
        set -a so_far $word
    end
  end
  test "$so_far" = "$argv[1]"
end
${lines.join("\n")}`;
}

/** Returns the paths of all commands and tasks, without the root. */
function commandPaths(words: readonly Words[]): string[][] {
  return words.map(({ path }) => path).filter((path) => path.length > 0);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
