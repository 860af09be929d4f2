import type { Command, Option } from './command';
import { usage } from './failures';
import type { Cli } from './cli';
import { exitCodes } from './failures';
import type { Language } from './language';

const firstWords = (commands: readonly Command[]): string[] => [
  ...new Set(commands.map(({ name }) => name.split(' ')[0] ?? '')),
];

/** The second words of `site`, `dns` and their like. */
const secondWords = (commands: readonly Command[], first: string): string[] =>
  commands.flatMap(({ name }) => (name.startsWith(`${first} `) ? [name.slice(first.length + 1)] : []));

/** A shell takes the first case that fits: `jobs follow` must stand before `jobs`. */
const longestFirst = (commands: readonly Command[]): Command[] =>
  commands.toSorted((a, b) => b.name.split(' ').length - a.name.split(' ').length);

const flagsOf = (options: readonly Option[]): string => options.map(({ name }) => `--${name}`).join(' ');

function bash(commands: readonly Command[], globals: readonly Option[]): string {
  const seconds = firstWords(commands).flatMap((first) => {
    const words = secondWords(commands, first);
    return words.length > 0 ? [`    ${first}) words="${words.join(' ')}" ;;`] : [];
  });
  const options = longestFirst(commands).map(({ name, options: own }) => {
    const pattern = name.includes(' ') ? `"${name}"` : `"${name} "*`;
    return `    ${pattern}) words="${flagsOf([...own, ...globals])}" ;;`;
  });
  return `# vigie completion bash > ~/.local/share/bash-completion/completions/vigie
_vigie() {
  local current="\${COMP_WORDS[COMP_CWORD]}" first="\${COMP_WORDS[1]}" second="\${COMP_WORDS[2]}" words=""
  if [[ $COMP_CWORD -eq 1 ]]; then
    words="${firstWords(commands).join(' ')} help"
  elif [[ $current != -* && $COMP_CWORD -eq 2 ]]; then
    case "$first" in
${seconds.join('\n')}
    esac
  elif [[ $current == -* ]]; then
    case "$first $second" in
${options.join('\n')}
    esac
  fi
  local IFS=$' \\t\\n'
  # The bash 3 of macOS has no mapfile, and no word holds a space or a wildcard.
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _vigie vigie
`;
}

/** zsh reads a colon as the end of a name. */
const zshText = (text: string): string =>
  text.replaceAll("'", "'\\''").replaceAll(':', String.raw`\:`).replaceAll(/[[\]]/g, '');

function zsh(commands: readonly Command[], globals: readonly Option[], language: Language): string {
  const about = (name: string, words: readonly Command[]): string =>
    `'${name}:${zshText(words.find((each) => each.name === name)?.about[language] ?? name)}'`;
  const seconds = firstWords(commands).flatMap((first) => {
    const words = secondWords(commands, first).map((second) => {
      const text = commands.find(({ name }) => name === `${first} ${second}`)?.about[language] ?? '';
      return `'${second}:${zshText(text)}'`;
    });
    return words.length > 0 ? [`    ${first}) list=(${words.join(' ')}) ;;`] : [];
  });
  const options = longestFirst(commands).map(({ name, options: own }) => {
    const flags = [...own, ...globals].map((option) => `'--${option.name}:${zshText(option.about[language])}'`);
    return `    '${name}'${name.includes(' ') ? '' : "' '*"}) list=(${flags.join(' ')}) ;;`;
  });
  return `#compdef vigie
# vigie completion zsh > ~/.zfunc/_vigie, with fpath+=(~/.zfunc) before compinit
_vigie() {
  local -a list
  if (( CURRENT == 2 )); then
    list=(${firstWords(commands)
      .map((name) => about(name, commands))
      .join(' ')})
  elif [[ $words[CURRENT] == -* ]]; then
    case "$words[2] $words[3]" in
${options.join('\n')}
    esac
  elif (( CURRENT == 3 )); then
    case "$words[2]" in
${seconds.join('\n')}
    esac
  fi
  (( $#list )) && _describe vigie list || _files
}
if [[ $funcstack[1] == _vigie ]]; then _vigie "$@"; else compdef _vigie vigie; fi
`;
}

const fishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", String.raw`\'`)}'`;

function fish(commands: readonly Command[], globals: readonly Option[], language: Language): string {
  const lines = ['# vigie completion fish > ~/.config/fish/completions/vigie.fish', 'complete -c vigie -f'];
  for (const { name, about, options } of commands) {
    const [first = '', second] = name.split(' ');
    const seen = `__fish_seen_subcommand_from ${first}`;
    if (second === undefined)
      lines.push(`complete -c vigie -n __fish_use_subcommand -a ${first} -d ${fishText(about[language])}`);
    else {
      lines.push(`complete -c vigie -n __fish_use_subcommand -a ${first}`);
      lines.push(`complete -c vigie -n '${seen}' -a ${second} -d ${fishText(about[language])}`);
    }
    const condition = second === undefined ? seen : `${seen}; and __fish_seen_subcommand_from ${second}`;
    for (const option of options)
      lines.push(
        `complete -c vigie -n '${condition}' -l ${option.name}${option.value ? ' -r' : ''} -d ${fishText(option.about[language])}`,
      );
  }
  for (const option of globals)
    lines.push(
      `complete -c vigie -l ${option.name}${option.value ? ' -r' : ''} -d ${fishText(option.about[language])}`,
    );
  return `${lines.join('\n')}\n`;
}

const shells = { bash, zsh, fish };

export function completionFor(
  shell: string,
  commands: readonly Command[],
  globals: readonly Option[],
  language: Language,
): string {
  if (!Object.hasOwn(shells, shell))
    throw usage(`Complétion pour bash, zsh ou fish, pas ${shell}.`, `Completion for bash, zsh or fish, not ${shell}.`);
  return shells[shell as keyof typeof shells](commands, globals, language);
}

/** The table is given, since it names this file. */
export const complete =
  (commands: () => readonly Command[], globals: readonly Option[]) =>
  (cli: Cli): Promise<number> => {
    cli.output.raw(completionFor(cli.given.parameters[0] ?? '', commands(), globals, cli.language).trimEnd());
    return Promise.resolve(exitCodes.done);
  };
